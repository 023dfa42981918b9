// A message under way: its sender, its target, its content, and its other properties.
// Transports and queues hold Envelopes; a receiver gets a Message (message.hpp).
#pragma once

#include "coracle/address.hpp"
#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/detail/message_record.hpp"
#include "coracle/ending.hpp"
#include "coracle/errors.hpp"
#include "coracle/outcome.hpp"
#include "coracle/overhearing.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle {

namespace detail {
struct Access;
}

// The number that links the messages of one conversation; zero is none.
using Conversation = std::uint64_t;

// The place of a message in a trace that may cross systems (W3C trace context).
struct TraceContext {
  std::uint64_t trace_high = 0;
  std::uint64_t trace_low = 0;
  std::uint64_t span = 0;

  bool operator==(const TraceContext&) const = default;
};

// The properties of a message, for every object that holds one.
class MessageView {
 public:
  // The sender.
  Address source() const noexcept { return Address(record_->source); }
  // The target: an agent, or the group to which the message was sent.
  const Name& target() const noexcept;
  // Its content.
  Content content() const noexcept;
  // The content as text; valid while the message is.
  std::string_view text() const;
  // The content as a T (see Content::as). Fails with Errc::wrong_type or Errc::bad_encoding; the
  // sentence of the error names the sender, the type, and the place in the value.
  template <class T>
  T as() const {
    try {
      return content().template as<T>();
    } catch (const Error& failure) {
      cannot_be_read(failure);
    }
  }
  // The conversation to which the message belongs.
  Conversation conversation() const noexcept { return record_->conversation; }
  // The message's number among all messages of its source's incarnation.
  std::uint64_t sequence() const noexcept { return record_->sequence(); }
  // The address for replies: the one that the sender chose, or the sender.
  Address reply_to() const noexcept;
  // The value of a header.
  std::optional<std::string_view> header(std::string_view key) const noexcept;
  // All headers, in the order in which they were given.
  const std::vector<std::pair<std::string, std::string>>& headers() const noexcept;
  // The time at which the message expires; Time::max() if never.
  Time deadline() const noexcept;
  // The trace to which the message belongs.
  TraceContext trace() const noexcept;

  // Returns whether the message's sender waits for a reply.
  bool is_request() const noexcept { return has(detail::request_flag); }
  // Returns whether the message was handed out before without being acknowledged.
  bool redelivered() const noexcept { return has(detail::redelivered_flag); }
  // Returns whether the message was sent to a group before its receiver, a late joiner that asked
  // for such messages, joined.
  bool earlier() const noexcept;
  // Returns whether this is a copy of a message to another agent, a notice of what became of one,
  // or a gap marker.
  bool overheard() const noexcept { return has(detail::copy_flag) || has(detail::gap_flag); }
  // The number of copies that are missing at this point, or of notices (gap_reason); zero for
  // everything but a gap marker. The number is unknown_gap when a node that may have sent some has
  // died or is out of reach.
  std::uint64_t gap() const noexcept;
  // The number of missing copies, or whether any are missing, is unknown.
  static constexpr std::uint64_t unknown_gap = ~std::uint64_t{0};
  // The reason of a gap; without a gap, it means nothing.
  GapReason gap_reason() const noexcept;
  // Reports what has become of a message that was overheard before; nothing if this is no notice.
  std::optional<Notice> notice() const;
  // Of a copy or a notice: the incarnation in which its source sent the message. Otherwise it is
  // empty.
  Incarnation source_life() const noexcept;
  // The number of the Tap that overheard the message; zero if the message was not overheard.
  std::uint64_t tap() const noexcept;

 protected:
  friend struct detail::Access;
  MessageView() noexcept = default;
  explicit MessageView(detail::MessageRecord* record) noexcept : record_(record) {}
  // Returns whether the record has that flag.
  bool has(detail::MessageFlag flag) const noexcept { return (record_->flags & flag) != 0; }

  // The record; nullptr when empty.
  detail::MessageRecord* record_ = nullptr;

 private:
  // Throws the exception that is being handled, `failure`, with the sender's name before its
  // sentence.
  [[noreturn]] void cannot_be_read(const Error& failure) const;
};

// Owns one message that has no outcome yet. An envelope that is destroyed rather than passed on
// makes its message undeliverable: the message is counted and goes to the dead letters, so that no
// message is lost silently.
class Envelope : public MessageView {
 public:
  Envelope() noexcept = default;
  explicit Envelope(detail::MessageRecord* record) noexcept : MessageView(record) {}
  Envelope(Envelope&& other) noexcept : MessageView(std::exchange(other.record_, nullptr)) {}
  Envelope& operator=(Envelope&& other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~Envelope() {
    if (record_ != nullptr) abandon();
  }

  // Returns whether there is a message.
  explicit operator bool() const noexcept { return record_ != nullptr; }
  // The agent to which the message is to be delivered.
  Address destination() const noexcept { return Address(record_->target); }

 private:
  friend struct detail::Access;
  void abandon() noexcept;
};

}  // namespace coracle
