#include "harness/players.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

namespace coracle::bench {

Content content_of(std::size_t bytes) { return Content(std::string(bytes, 'x')); }

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
  while (busy_.load(std::memory_order_acquire) != 0) co_await yield();
}

}  // namespace coracle::bench
