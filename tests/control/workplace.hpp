// Helpers that the tests of control structures share.
#pragma once

#include "support/societies/grounds.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace coracle::dispel::test {

using namespace std::chrono_literals;
using coracle::test::Body;
using coracle::test::Crash;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::on_every_ground;
using coracle::test::Society;
using coracle::test::start;
using Workplace = coracle::test::Place;

// Performs `task`, then reports to "main" that it is done, or the error with which it failed.
Task<> tell_main(Agent& me, Task<> task);

}  // namespace coracle::dispel::test
