// The key of a text that is compared in any case of its ASCII letters.
#pragma once

#include "ascii.hpp"

#include <string>
#include <string_view>

namespace coracle::acl {

inline std::string folded(std::string_view text) {
  std::string lower(text);
  for (char& each : lower) each = to_lower(each);
  return lower;
}

}  // namespace coracle::acl
