// A message under way: who sent it, to whom, its content, and what was said about it.
// Transports and queues hold Envelopes; a receiver gets a Message (message.hpp).
#pragma once

#include "coracle/address.hpp"
#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/detail/parcel.hpp"
#include "coracle/errors.hpp"
#include "coracle/outcome.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle {

// Links the messages of one exchange; zero is none.
using Conversation = std::uint64_t;

// Where a message belongs in a trace that may cross systems (W3C trace context).
struct TraceContext {
  std::uint64_t trace_high = 0;
  std::uint64_t trace_low = 0;
  std::uint64_t span = 0;

  bool operator==(const TraceContext&) const = default;
};

// What can be asked of a message, whoever holds it.
class MessageView {
 public:
  // Who sent it.
  Address source() const noexcept { return Address(parcel_->source); }
  // To whom it was sent: an agent, or the group it was sent to.
  const Name& target() const noexcept;
  // Its content.
  Content content() const noexcept;
  // The content as text; valid while the message is.
  std::string_view text() const;
  // The content as a T (see Content::as). Fails with Errc::wrong_type or Errc::bad_encoding; the
  // sentence names the sender, the type, and the place in the value.
  template <class T>
  T as() const {
    try {
      return content().template as<T>();
    } catch (const Error& failure) {
      cannot_be_read(failure);
    }
  }
  // The exchange that it belongs to.
  Conversation conversation() const noexcept { return parcel_->conversation; }
  // Its number among all messages of its source's incarnation.
  std::uint64_t sequence() const noexcept { return parcel_->sequence(); }
  // Where answers go: what the sender asked for, or the sender.
  Address reply_to() const noexcept;
  // The value of a header.
  std::optional<std::string_view> header(std::string_view key) const noexcept;
  // All headers, in the order in which they were given.
  const std::vector<std::pair<std::string, std::string>>& headers() const noexcept;
  // When it expires; Time::max() if never.
  Time deadline() const noexcept;
  // The trace that it belongs to.
  TraceContext trace() const noexcept;

  // Whether its sender waits for a reply.
  bool is_request() const noexcept { return has(detail::request_flag); }
  // Whether it was handed out before without being acknowledged.
  bool redelivered() const noexcept { return has(detail::redelivered_flag); }
  // Whether it was sent to a group before its receiver joined that, which has asked for it.
  bool earlier() const noexcept;
  // Whether it is a copy of something that was sent to somebody else, or a gap marker.
  bool overheard() const noexcept { return has(detail::copy_flag) || has(detail::gap_flag); }
  // How many copies are missing at this place; zero for everything but a gap marker. It is
  // unknown_gap when a node has died, or is out of reach, that may have sent some.
  std::uint64_t gap() const noexcept;
  // Nobody can know how many are missing, or whether any are.
  static constexpr std::uint64_t unknown_gap = ~std::uint64_t{0};
  // Which Ear heard it; zero if it was not overheard.
  std::uint64_t ear() const noexcept;

  // The library's own record; nullptr when empty.
  detail::Parcel* parcel() const noexcept { return parcel_; }

 protected:
  MessageView() noexcept = default;
  explicit MessageView(detail::Parcel* parcel) noexcept : parcel_(parcel) {}
  // Whether the record has that flag.
  bool has(detail::ParcelFlag flag) const noexcept { return (parcel_->flags & flag) != 0; }

  // The record; nullptr when empty.
  detail::Parcel* parcel_ = nullptr;

 private:
  // Throws what is being handled, `failure`, with the sender's name before its sentence.
  [[noreturn]] void cannot_be_read(const Error& failure) const;
};

// Owns one message that has no outcome yet. One that is destroyed rather than passed on is
// undeliverable, counted, and goes to the dead letters: nothing is lost silently.
class Envelope : public MessageView {
 public:
  Envelope() noexcept = default;
  explicit Envelope(detail::Parcel* parcel) noexcept : MessageView(parcel) {}
  Envelope(Envelope&& other) noexcept : MessageView(std::exchange(other.parcel_, nullptr)) {}
  Envelope& operator=(Envelope&& other) noexcept {
    std::swap(parcel_, other.parcel_);
    return *this;
  }
  ~Envelope() {
    if (parcel_ != nullptr) abandon();
  }

  // Whether there is one.
  explicit operator bool() const noexcept { return parcel_ != nullptr; }
  // The agent that it is for.
  Address destination() const noexcept { return Address(parcel_->target); }
  // Gives the record away; private to the library.
  detail::Parcel* release() noexcept { return std::exchange(parcel_, nullptr); }

 private:
  void abandon() noexcept;
};

}  // namespace coracle
