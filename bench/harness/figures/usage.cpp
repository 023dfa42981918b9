#include "usage.hpp"

#include <charconv>
#include <filesystem>
#include <string>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

namespace coracle::bench {

namespace {

double nanoseconds_of(const timeval& time) {
  return 1e9 * static_cast<double>(time.tv_sec) + 1e3 * static_cast<double>(time.tv_usec);
}

Usage usage_of(int who) {
  rusage taken{};
  getrusage(who, &taken);
  return {nanoseconds_of(taken.ru_utime), nanoseconds_of(taken.ru_stime),
          nanoseconds(clock_now().time_since_epoch())};
}

}  // namespace

Usage operator-(const Usage& later, const Usage& earlier) noexcept {
  return {later.user - earlier.user, later.system - earlier.system, later.passed - earlier.passed};
}

Usage usage_of_process() { return usage_of(RUSAGE_SELF); }

Usage usage_during(const std::function<void()>& work) {
  const Usage own = usage_of(RUSAGE_SELF);
  const Usage children = usage_of(RUSAGE_CHILDREN);
  work();
  Usage taken = usage_of(RUSAGE_SELF) - own;
  const Usage of_children = usage_of(RUSAGE_CHILDREN) - children;
  taken.user += of_children.user;
  taken.system += of_children.system;
  return taken;
}

TcpTraffic tcp_traffic_of_process() {
  TcpTraffic traffic;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string digits = entry.path().filename().string();
    int descriptor = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
    tcp_info info{};
    socklen_t length = sizeof(info);
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) continue;
    traffic.bytes += static_cast<double>(info.tcpi_bytes_acked + info.tcpi_bytes_received);
    traffic.segments += static_cast<double>(info.tcpi_segs_out) + info.tcpi_segs_in;
  }
  return traffic;
}

double bytes_on_ethernet(const TcpTraffic& traffic) noexcept {
  constexpr double ethernet = 14 + 4 + 8 + 12;  // header, check sum, preamble, gap
  constexpr double ip_and_tcp = 20 + 32;
  return traffic.bytes + traffic.segments * (ethernet + ip_and_tcp);
}

}  // namespace coracle::bench
