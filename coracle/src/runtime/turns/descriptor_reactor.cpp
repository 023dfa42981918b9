#include "descriptor_reactor.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/readable.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace coracle::detail {

namespace {

Descriptor made(int number) {
  if (number >= 0) return Descriptor(number);
  throw std::system_error(errno, std::generic_category(), "a node needs three descriptors");
}

}  // namespace

DescriptorReactor::DescriptorReactor(std::shared_ptr<Reactor> inner)
    : inner_(std::move(inner)),
      woken_(made(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      alarm_(made(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))),
      all_(made(::epoll_create1(EPOLL_CLOEXEC))) {
  add_readable(all_, woken_.get());
  add_readable(all_, alarm_.get());
  if (inner_ == nullptr) return;
  if (inner_->descriptor() < 0) {
    throw Error(Errc::unsupported,
                "NodeOptions::workers is 0, and the realization's reactor has no descriptor at "
                "which a loop could wait; give at least 1 worker");
  }
  add_readable(all_, inner_->descriptor());
}

void DescriptorReactor::wait(Duration longest) { wait_readable(all_, longest); }

void DescriptorReactor::wake() noexcept { (void)::eventfd_write(woken_.get(), 1); }

void DescriptorReactor::rest_until(Time alarm, const Clock& clock) noexcept {
  if (alarm >= alarm_at_) return;  // an alarm that is too early does no harm
  // Zero would switch the timer off.
  const Duration span = std::max(alarm - clock.now(), Duration(1));
  alarm_at_ = alarm;
  rings_at_ = steady_clock().now() + span;
  const itimerspec when{{}, timespec_of(span)};
  (void)::timerfd_settime(alarm_.get(), 0, &when, nullptr);
}

void DescriptorReactor::stay_ready() noexcept {
  ++wakes_expected_;
  wake();
}

void DescriptorReactor::end() noexcept {
  for (const int each : {woken_.get(), alarm_.get(), inner_ ? inner_->descriptor() : -1}) {
    if (each >= 0) (void)::epoll_ctl(all_.get(), EPOLL_CTL_DEL, each, nullptr);
  }
}

void DescriptorReactor::go_on(bool was_woken) noexcept {
  if (was_woken) ++wakes_expected_;
  eventfd_t wakes = 0;
  if (wakes_expected_ != 0 && ::eventfd_read(woken_.get(), &wakes) == 0) wakes_expected_ -= wakes;
  if (alarm_at_ == Time::max() || steady_clock().now() < rings_at_) return;
  std::uint64_t times = 0;
  if (::read(alarm_.get(), &times, sizeof times) > 0) alarm_at_ = Time::max();
}

}  // namespace coracle::detail
