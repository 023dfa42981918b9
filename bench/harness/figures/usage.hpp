// The resources that processes use: processor time, and bytes on TCP connections.
#pragma once

#include "timing.hpp"

#include <cstdint>
#include <functional>

namespace coracle::bench {

// Processor time in ns, of programs and of the kernel for them, during a span in ns.
struct Usage {
  double user = 0;
  double system = 0;
  double passed = 0;

  double both() const noexcept { return user + system; }
};

// The usage of this process since it began.
Usage usage_of_process();
// The usage of this process while `work` is done, and of those of its children that ended
// meanwhile.
Usage usage_during(const std::function<void()>& work);
Usage operator-(const Usage& later, const Usage& earlier) noexcept;

// The traffic of the TCP connections that this process has now, in both directions.
struct TcpTraffic {
  double bytes = 0;     // in segments, without their headers; a repeated byte counts once
  double segments = 0;  // with segments that only acknowledge
};
TcpTraffic tcp_traffic_of_process();
// The same with the headers of Ethernet, IPv4 and TCP with time stamps around each segment.
double bytes_on_ethernet(const TcpTraffic& traffic) noexcept;

}  // namespace coracle::bench
