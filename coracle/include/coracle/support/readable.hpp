// Waiting until a descriptor is readable, and one descriptor that stands for several.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/support/descriptor.hpp"

#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

namespace coracle::detail {

inline std::timespec timespec_of(Duration span) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(span);
  return {static_cast<std::time_t>(seconds.count()), static_cast<long>((span - seconds).count())};
}

// Waits for at most `longest`; without limit for Duration::max().
inline void wait_readable(const Descriptor& which, Duration longest) noexcept {
  pollfd readable{which.get(), POLLIN, 0};
  const std::timespec limit = timespec_of(std::max(longest, Duration(0)));
  (void)::ppoll(&readable, 1, longest == Duration::max() ? nullptr : &limit, nullptr);
}

// `all`, a descriptor of epoll, is readable from now on when `number` is. Throws std::system_error.
inline void add_readable(const Descriptor& all, int number) {
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(all.get(), EPOLL_CTL_ADD, number, &event) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot wait for a descriptor");
}

}  // namespace coracle::detail
