// Follows the messages between other agents, for the commands that show them.
#pragma once

#include "commands.hpp"
#include "coracle/support/message_key.hpp"

#include "coracle/coracle.hpp"
#include "coracle/overhearing.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::command {

// Fails with Errc::bad_options if a pattern such as lab/** is too long.
void check_patterns(const std::vector<std::string>& patterns);
// The expression of RE2 that matches the names of a pattern such as lab/**.
std::string expression_of(std::string_view pattern);

struct FollowOptions {
  bool outcomes = false;       // notices come, too
  std::uint32_t limit = 1024;  // of copies that wait
  Deadline until = {};         // returns then
  // Calls `tick` about so often, also while nothing comes; returns when that returns false.
  Duration every = Duration::zero();
  std::function<bool()> tick = {};
};

// Overhears the messages of `choice`, on behalf of `me`, and calls `see` with each copy, notice and
// gap until it returns false. A gap may count messages that `choice` would have left out. Fails as
// Agent::overhear() does, and with Errc::bad_options when a pattern is too long.
Task<> follow(Agent& me, MessageChoice choice, FollowOptions options,
              std::function<bool(const Message&)> see);

// The numbers of overheard messages, by which their notices are known.
class MessageNumbers {
 public:
  // The messages whose notices are known: the latest ones.
  static constexpr std::size_t most = 65'536;

  // Gives a copy the next number, from 1 on.
  std::uint64_t add(const MessageView& copy);
  // The number of the copy to which a notice belongs; zero if it is not known.
  std::uint64_t find(const MessageView& notice) const;
  // The number of copies.
  std::uint64_t count() const noexcept { return count_; }

 private:
  std::unordered_map<detail::MessageKey, std::uint64_t, detail::MessageKey::Hash> numbers_;
  std::deque<detail::MessageKey> order_;
  std::uint64_t count_ = 0;
};

}  // namespace coracle::command
