#include "received_names.hpp"

#include "coracle/support/mutations.hpp"
#include "memory/returning.hpp"
#include "runtime/node/node_core.hpp"

namespace coracle::detail {

ReceivedName* ReceivedNames::read(FrameReader& in, ReceivedName& passing) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return nullptr;
  if (number >= first_number) return find(number);
  const std::string_view name = in.text();
  if (!in.ok() || !Name::parse(name)) return nullptr;
  if (number == new_name && names_.size() >= names_sent_limit) return nullptr;
  ReceivedName& received = number == new_name ? names_.emplace_back() : passing;
  received.spelled = std::make_unique<const std::string>(name);
  return &received;
}

bool ReceivedNames::read(FrameReader& in, Mailbox*& mailbox) {
  ReceivedName passing;
  ReceivedName* const received = read(in, passing);
  if (received == nullptr) return false;
  mailbox = mailbox_of(*received);
  return true;
}

Mailbox* ReceivedNames::mailbox_of(ReceivedName& name) {
  if (name.mailbox != nullptr || !name.spelled) return name.mailbox;
  if (mutated(Mutation::mentioned_is_kept)) {
    Worker& at = *Worker::current();
    (void)at.node().mailbox(name.name(), at);
  }
  if (Mailbox* const found = mailboxes_.find(*name.spelled)) name.has_mailbox(*found);
  return name.mailbox;
}

void ReceivedNames::release() noexcept {
  const bool was_large = names_.size() >= received_names_worth_freeing;
  boost::container::stable_vector<ReceivedName>().swap(names_);  // clear() keeps the memory
  if (was_large) give_memory_back();
}

}  // namespace coracle::detail
