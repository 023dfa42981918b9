// Accepts or refuses the messages that the agents of one worker send (outgoing.cpp).
#pragma once

#include "coracle/transport.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::detail {

enum class Sent : std::uint8_t { accepted, wait, failed };

class Outgoing {
 public:
  explicit Outgoing(Worker& worker) noexcept;

  // Takes the record when it is accepted.
  Sent try_send(Agent& sender, MessageRecord*& record, Errc& error);
  void refuse(Agent& sender, MessageRecord*& record) noexcept;  // it was not accepted

  // Returns whether a send needs no checks but of the message's size.
  bool is_plain() const noexcept { return plain_; }
  void note_whether_plain() noexcept;
  std::size_t content_limit() const noexcept { return content_limit_; }

 private:
  Errc refusal_of(const Agent& sender, const MessageRecord& record) const noexcept;
  Sent carry(Mailbox& source, MessageRecord*& record, Errc& error);
  Sent try_send_overheard(Mailbox& source, MessageRecord*& record, Errc& error);
  Sent try_send_observed(Mailbox& source, MessageRecord*& record, Errc& error);

  Worker& worker_;
  Transport& transport_;
  const std::size_t content_limit_;
  const bool has_policy_;
  const bool encodes_;  // typed content, too, travels as bytes
  const bool direct_;   // the transport only delivers
  bool plain_ = false;
};

}  // namespace coracle::detail
