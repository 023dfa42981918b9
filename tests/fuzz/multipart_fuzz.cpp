// Feeds any body to the reader of parts. There must be no crash, and no more than the limits allow;
// parts that were read must be the same once they are written and read again.
#include "coracle/errors.hpp"
#include "coracle/http/multipart.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle;
  using namespace coracle::http;
  // The first line is the type, the rest the body.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view type = text.substr(0, text.find('\n'));
  const std::string_view body = text.substr(type.size() < size ? type.size() + 1 : size);
  (void)media_parameter(type, "charset");
  const auto boundary = boundary_in(type);
  const auto parts = read_multipart(body, boundary.value_or("B"));
  if (!parts) {
    const Errc errc = parts.error().errc();
    if (errc != Errc::bad_encoding && errc != Errc::too_large) std::abort();
    return 0;
  }
  std::size_t bytes = 0;
  for (const Part& each : *parts) bytes += each.headers.bytes() + each.body.size();
  if (parts->size() > MultipartLimits().parts || bytes > 2 * size + 4096) std::abort();
  try {
    const auto again =
        read_multipart(write_multipart(*parts, "another-boundary"), "another-boundary");
    if (!again || again->size() != parts->size()) std::abort();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      if ((*again)[i].body != (*parts)[i].body || !((*again)[i].headers == (*parts)[i].headers))
        std::abort();
    }
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_options) std::abort();  // a body contains that boundary
  }
  return 0;
}
