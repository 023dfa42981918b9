// The clock of tests.
#pragma once

#include "coracle/support/manual_clock.hpp"

namespace coracle::test {

using coracle::detail::ManualClock;

}  // namespace coracle::test
