#include "players.hpp"

#include <sched.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

namespace coracle::bench {

Content content_of(std::size_t bytes) { return Content(std::string(bytes, 'x')); }

void end_run(std::string_view why) {
  fmt::print(stderr, "coracle-bench: no number: {}\n", why);
  std::fflush(stderr);
  std::_Exit(1);
}

Task<> Player::guarded(Task<> task) {
  std::string why;
  try {
    co_await task;
    co_return;
  } catch (const std::exception& error) {
    why = error.what();
  }
  try {
    if (hesitation() > Duration()) co_await pause(hesitation());
  } catch (const Error&) {
    why += "; and its node stops";
  }
  fmt::print(stderr, "coracle-bench: no number, because agent {} failed: {}\n", name().view(), why);
  std::fflush(stderr);
  std::_Exit(1);
}

Task<> Ponger::play() {
  for (;;) {
    Message ping = co_await receive();
    const Conversation conversation = ping.conversation();
    if (conversation == farewell) co_return;
    const Address pinger = ping.source();
    co_await send(pinger, ping.consume(), conversation);
  }
}

Task<> KeepAwake::play() {
  while (busy_.load(std::memory_order_acquire) != 0) {
    sched_yield();  // the measured threads may need the processor
    co_await yield();
  }
}

Pattern never_said(std::uint32_t number) {
  return Pattern().format(fmt::format("%s bids %d for lot {}", number));
}

Task<> Eavesdropper::play() {
  for (std::uint32_t number = 0; number < patterns_; ++number) {
    Pattern pattern = never_said(number);
    co_await overhear(std::move(pattern));
  }
  ready_.count_down();
  while (busy_.load(std::memory_order_acquire) != 0) co_await pause(std::chrono::milliseconds(1));
}

}  // namespace coracle::bench
