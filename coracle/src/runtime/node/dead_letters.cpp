#include "dead_letters.hpp"

#include "node_core.hpp"
#include "runtime/sending/delivery.hpp"

namespace coracle::detail {

void restore_dead_letters(Mailbox& mailbox) noexcept {
  static const Name name = Node::dead_letters();
  if (mailbox.name != name) return;
  const auto letters = MailboxOptions().messages(1024).overflow(Overflow::drop_oldest);
  mailbox.ext().mailbox = letters;
  mailbox.limit.store(letters.messages());
  mailbox.clear_mode(policy_mask);
  mailbox.set_mode(present | own_mailbox | static_cast<std::uint32_t>(letters.overflow()));
}

void bury(Worker& worker, const MessageRecord& record, const char* reason) noexcept {
  if (!is_counted(record)) return;
  MessageRecord* const letter = clone_record(record);
  letter->flags = letter_flag;
  OptionalFields& fields = fields_of(*letter);
  fields.receipt.reset();
  fields.kept = 0;
  fields.deadline = fields.absent_until = Time::max();
  fields.headers.emplace_back("reason", reason);
  fields.headers.emplace_back("from", record.source != nullptr ? record.source->name.str() : "");
  fields.headers.emplace_back("to", record.target->name.str());
  letter->target = worker.node().mailbox(Node::dead_letters(), worker);
  Worker& home = *letter->target->home.load();
  worker.touches(*letter->target);
  if (&home == &worker) return arrive_at(worker, *letter->target, letter);
  worker.exchange.forward(home, letter);
}

}  // namespace coracle::detail
