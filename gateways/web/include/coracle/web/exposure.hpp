// The agents of a society that a gateway shows to others.
// Tests: gateways/web/tests/exposure_test.cpp
#pragma once

#include "coracle/name.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::web {

// Patterns of names: `*` stands for anything within one part of a name, `**` for anything at all.
// Nobody is shown without a pattern.
class Exposure {
 public:
  // `own` is the name of the gateway's own agents: neither that name nor names within it are shown.
  // Fails with Errc::bad_options.
  Exposure(std::vector<std::string> patterns, std::string own);

  // Returns whether others may know the agent of that name.
  bool shows(const Name& agent) const noexcept;

 private:
  std::vector<std::string> patterns_;
  Name own_;
};

}  // namespace coracle::web
