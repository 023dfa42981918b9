// The limits of the codecs. All input comes from others, so a limit is checked before memory is
// taken. Tests: acl/tests/codecs/limits_test.cpp.
#pragma once

#include <cstddef>

namespace coracle::acl {

// The most that a codec reads. Beyond it, reading fails with Errc::too_large.
struct Limits {
  // The bytes of the input.
  std::size_t bytes = std::size_t{16} << 20;
  // The elements of all lists in one message or envelope: agents, addresses, user parameters.
  std::size_t items = 10'000;
  // The nesting of brackets in an expression. Resolvers have max_resolver_depth.
  std::size_t depth = 64;
  // The bytes of all texts in a code table of the bit-efficient form.
  std::size_t table_bytes = std::size_t{4} << 20;
};

}  // namespace coracle::acl
