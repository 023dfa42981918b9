// Time, as the benchmarks measure it.
#pragma once

#include <coracle/clock.hpp>

#include <cmath>

namespace coracle::bench {

// The machine's clock, read now; an agent's own now() may be that of its turn.
inline Time clock_now() { return steady_clock().now(); }

// A span in nanoseconds.
inline double nanoseconds(Duration span) { return static_cast<double>(span.count()); }

// A span of so many seconds.
inline Duration seconds(double amount) { return Duration(std::llround(amount * 1e9)); }

// Waits without doing anything.
void let_pass(Duration span);

}  // namespace coracle::bench
