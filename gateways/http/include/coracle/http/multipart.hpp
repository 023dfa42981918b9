// Bodies that consist of parts, multipart/mixed, as FIPA's transport by HTTP uses them.
// Tests: gateways/http/tests/multipart_test.cpp, tests/fuzz/multipart_fuzz.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/headers.hpp"
#include "coracle/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::http {

// One part. The body may be any bytes; on reading, it is exactly what is between the empty line and
// the end of line before the next boundary.
struct Part {
  Headers headers;
  std::string body;
};

// The limits of a body with parts.
struct MultipartLimits {
  std::size_t parts = 16;
  std::size_t header_bytes = 8192;  // of one part
  std::size_t header_fields = 32;
};

// The boundary that a Content-Type gives: multipart/mixed ; boundary="abc". The quotes may be
// missing, and multipart-mixed is accepted. Fails with Errc::wrong_type if it is another type,
// Errc::bad_encoding if there is no usable boundary.
Result<std::string> boundary_in(std::string_view content_type);
// The Content-Type for a boundary, byte for byte as JADE writes it.
std::string content_type_with(std::string_view boundary);
// A boundary that no body contains by accident: 31 hexadecimal digits.
std::string make_boundary(Random& random);

// Reads the parts of a body. Ignores the text before the first boundary and behind the last one.
// Lines may end with a bare line feed, a boundary may have blanks behind it, and the fields of a
// header may be continued on another line. Fails with Errc::bad_encoding, and with Errc::too_large
// beyond a limit.
Result<std::vector<Part>> read_multipart(std::string_view body, std::string_view boundary,
                                         const MultipartLimits& limits = {});
// Writes parts, with a line of text before the first boundary if `preamble` is not empty. Every
// line ends with CR LF. Fails with Errc::bad_options if a body contains the boundary, or if the
// boundary has a character that none may have.
std::string write_multipart(std::span<const Part> parts, std::string_view boundary,
                            std::string_view preamble = {});

}  // namespace coracle::http
