// Test cases that a table makes, not one by one.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace coracle::test {

// A sentence and its proof.
struct Proof {
  std::string sentence;
  std::function<void()> prove;
};

// Registers `proofs` as the suite `suite`, or as the part `part` of it when `part` is not empty.
// Called during static initialization, like BOOST_AUTO_TEST_SUITE.
bool register_suite(const std::string& suite, const std::string& part, std::vector<Proof> proofs);

}  // namespace coracle::test
