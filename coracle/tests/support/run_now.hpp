// Runs tasks from tests; one that waits throws, which fails the test.
#pragma once

#include "coracle/support/run_now.hpp"

namespace coracle::test {

using coracle::detail::run_now;

}  // namespace coracle::test
