// The queues of the mailboxes that are at home on one worker, with their counts and limits, and the
// mailboxes of the names that its agents use.
#pragma once

#include "mailbox.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace coracle::detail {

class LocalMailboxes {
 public:
  LocalMailboxes(Worker& worker, std::size_t default_bytes, bool own_queues) noexcept
      : worker_(worker), default_bytes_(default_bytes), own_queues_(own_queues) {}

  // Returns the mailbox of a name; makes it when there is none.
  Mailbox* resolve(std::string_view name);
  void set(Mailbox& target, const MailboxOptions& options);
  std::size_t bytes_limit(const Mailbox& target) const noexcept;
  // Returns whether the society has queues of its own for mailboxes.
  bool own_queues() const noexcept { return own_queues_; }

  // --- without counting ---
  void store(Mailbox& target, MessageRecord* record) noexcept;
  void store_first(Mailbox& target, MessageRecord* record) noexcept;
  // --- only counting ---
  void count_in(Mailbox& target, const MessageRecord& record) noexcept;
  void count_bytes(Mailbox& target, const MessageRecord& record) noexcept;
  // A message has left the mailbox, for any reason.
  void left(Mailbox& target, MessageRecord& record) noexcept;
  // --- both ---
  void put_in(Mailbox& target, MessageRecord* record) noexcept;
  // Takes the oldest message that fits, and hands it out.
  MessageRecord* take(Mailbox& target, const Match& match) noexcept;
  void make_room(Mailbox& target, const MessageRecord& newcomer) noexcept;

 private:
  Queue& queue_of(Mailbox& target);
  MessageRecord* take_by(Mailbox& target, const Match& match) noexcept;

  Worker& worker_;
  const std::size_t default_bytes_;
  const bool own_queues_;
  static constexpr std::size_t cache_size = 1024;
  std::array<Mailbox*, cache_size> name_cache_{};
};

}  // namespace coracle::detail
