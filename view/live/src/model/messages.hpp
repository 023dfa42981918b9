// The last messages of a society, in bounded memory.
// Tests: view/live/tests/messages_test.cpp
#pragma once

#include "coracle/support/message_key.hpp"
#include "model/seen.hpp"

#include <cstddef>
#include <deque>
#include <unordered_map>

namespace coracle::view {

// The limits of the messages that are kept; the oldest make room for new ones.
struct MessageLimits {
  std::size_t messages = 100'000;
  std::size_t bytes = std::size_t{96} << 20;
  std::size_t content = std::size_t{16} << 10;  // of one message
  std::size_t gaps = 1000;
};

class Messages {
 public:
  explicit Messages(MessageLimits limits = {}) : limits_(limits) {}

  // Keeps a message and returns its number: its own, if that is larger than those before, else the
  // next one. Joins a reply to its request.
  Number add(Seen message);
  // Notes a stage of the message that its sender's incarnation sent under that number; returns the
  // message's number in the view, or zero if it is not kept.
  Number note(const Name& from, Incarnation life, std::uint64_t sequence, const StageNews& news);
  // The same, for a message whose number is known.
  bool note(Number n, const StageNews& news);
  void add(Gap gap);
  // Forgets all messages and gaps; numbers go on, unless `again` is true.
  void clear(bool again = false);

  // The message with that number; nullptr if it is not kept.
  const Seen* find(Number n) const noexcept;
  // All that are kept, in the order of their numbers.
  const std::deque<Seen>& all() const noexcept { return messages_; }
  // The place in all() of the first message whose number is at least `n`.
  std::size_t place_of(Number n) const noexcept;
  // The number that the next message gets at the least.
  Number next() const noexcept { return next_; }
  std::size_t bytes() const noexcept { return bytes_; }
  const MessageLimits& limits() const noexcept { return limits_; }

  // The numbers of messages with news, oldest first; the first one in the list is that with the
  // serial first_news().
  const std::deque<Number>& news() const noexcept { return news_; }
  std::uint64_t first_news() const noexcept { return first_news_; }
  // The same for gaps.
  const std::deque<Gap>& gaps() const noexcept { return gaps_; }
  std::uint64_t first_gap() const noexcept { return first_gap_; }

 private:
  Seen* find_own(Number n) noexcept;
  void join(Seen& message);
  void drop_oldest();

  const MessageLimits limits_;
  std::deque<Seen> messages_;
  std::size_t bytes_ = 0;
  Number next_ = 1;
  std::unordered_map<Conversation, Number> openers_;  // the first kept message of a conversation
  std::unordered_map<detail::MessageKey, Number, detail::MessageKey::Hash> sent_;
  std::deque<Number> news_;
  std::uint64_t first_news_ = 0;
  std::deque<Gap> gaps_;
  std::uint64_t first_gap_ = 0;
};

}  // namespace coracle::view
