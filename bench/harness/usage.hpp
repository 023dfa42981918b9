// What processes take of the machine: processor time, and bytes on TCP connections.
#pragma once

#include "harness/timing.hpp"

#include <cstdint>
#include <functional>

namespace coracle::bench {

// Processor time in ns, of programs and of the kernel for them, during so many ns.
struct Usage {
  double user = 0;
  double system = 0;
  double passed = 0;

  double both() const noexcept { return user + system; }
};

// Of this process since it began.
Usage usage_of_process();
// Of this process and of those of its children that ended meanwhile, while `work` is done.
Usage usage_during(const std::function<void()>& work);
Usage operator-(const Usage& later, const Usage& earlier) noexcept;

// What went through the TCP connections that this process has now, in both directions.
struct Wire {
  double bytes = 0;     // in segments, without their heads; what was sent again counts once
  double segments = 0;  // with those that only acknowledge
};
Wire wire_of_process();
// The same with the heads of Ethernet, IPv4 and TCP with time stamps around each segment.
double bytes_on_ethernet(const Wire& wire) noexcept;

}  // namespace coracle::bench
