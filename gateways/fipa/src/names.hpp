// Names of FIPA are compared without regard to the case of their ASCII letters.
#pragma once

#include <string>
#include <string_view>

namespace coracle::fipa {

inline std::string lower(std::string_view text) {
  std::string result(text);
  for (char& each : result) {
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  }
  return result;
}

}  // namespace coracle::fipa
