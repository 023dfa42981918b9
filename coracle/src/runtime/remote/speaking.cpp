// The names in which a member may send: those that its lease holds, or held lately, according to
// the directory. A redirected message keeps its source; it is accepted if the redirecting mailbox
// is the peer's, and redirects to the message's target. A message from the message store is
// accepted as it was when the store got it. News of a name may come after a message from its
// holder. Then the message waits until the directory has sent what it knows, and messages behind it
// with the same source wait, too.
#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/node/node_core.hpp"

#include <utility>

namespace coracle::detail {

namespace {

constexpr std::size_t most_unproven = 1024;  // messages of one peer

// Returns whether the mailbox that has allegedly redirected a message does redirect to that name.
bool redirects_to(Directory& directory, const Name& from, const Name& to) {
  const auto known = directory.try_look_up(from);
  return known && *known && (*known)->mailbox.overflow() == Overflow::redirect &&
         (*known)->mailbox.redirect() == to;
}

// The message goes no further, and its sender is notified that it may not send it.
void forbid(MessageRecord& record) {
  Content::adopt(std::exchange(record.content, nullptr));
  set_flag(record, forbidden_flag);
}

}  // namespace

Remote::Peer::Peer(LeaseId own, LeaseId other, bool has_several) noexcept
    : self(own), lease(other), mutex(has_several) {}

Remote::Peer::~Peer() = default;

// Returns the record of a name in which the peer sends; nullptr when the peer has its share of
// records, or when this node has no room for more. Then only the peer's message is refused.
Mailbox* Remote::record_of(Worker& at, Peer& from, const Name& name) {
  if (Mailbox* const known = node_.mailboxes().find(name.view())) return known;
  if (from.names_made >= names_sent_limit) return on_excess(from.lease), nullptr;
  try {
    Mailbox* const made = node_.mailbox(name, at);
    ++from.names_made;
    return made;
  } catch (const Error&) {
    return nullptr;
  }
}

// Sets the message's source if the peer may send in that name.
bool Remote::speaks_as(Worker& at, Peer& from, const Source& source, MessageRecord& record) {
  if (source.name.empty()) return true;
  ReceivedName* const heard = source.heard;
  if (heard != nullptr && heard->is_its_own) return record.source = heard->mailbox, true;
  if (from.unproven.contains(source.name)) return false;  // behind others that wait
  Directory& directory = node_.directory();
  const bool is_its_own = mutated(Mutation::any_source) || from.lease == 0 ||
                          directory.is_message_store(from.lease) ||
                          directory.may_speak_as(from.lease, source.name);
  if (!is_its_own) {
    const OptionalFields& fields = *record.fields;
    const bool is_redirected = fields.redirects != 0 && !fields.redirected_by.empty() &&
                               directory.may_speak_as(from.lease, fields.redirected_by) &&
                               redirects_to(directory, fields.redirected_by, source.target);
    if (!is_redirected) return false;
  }
  record.source = record_of(at, from, source.name);
  if (record.source == nullptr) return false;
  if (heard == nullptr || !is_its_own) return true;
  heard->has_mailbox(*record.source);
  heard->is_its_own = true;
  return true;
}

void Remote::when_proven(Worker& at, Peer& from, Source source, MessageRecord* record,
                         Proven then) {
  if (from.unproven_count >= most_unproven) {
    on_excess(from.lease);
    forbid(*record);
    return then(at, record);
  }
  ++from.unproven_count;
  const Name name = source.name;
  auto& waiting = from.unproven[name];
  waiting.push_back(
      {std::move(source), std::unique_ptr<MessageRecord, FreeRecord>(record), std::move(then)});
  if (waiting.size() > 1) return;
  run_detached(at, [](Remote& self, LeaseId own, LeaseId lease, Name which) -> Task<> {
    Task<bool> asking = self.node_.directory().find_speaker(lease, which);
    (void)co_await asking;
    if (own == self.self()) self.judge(*Worker::current(), self.peer(lease), which);
  }(*this, from.self, from.lease, name));
}

// This node now knows all that the directory knew.
void Remote::judge(Worker& at, Peer& from, const Name& name) {
  auto waiting = from.unproven.extract(name);
  if (waiting.empty()) return;
  from.unproven_count -= waiting.mapped().size();
  for (Unproven& each : waiting.mapped()) {
    MessageRecord* const record = each.record.release();
    if (!speaks_as(at, from, each.source, *record)) forbid(*record);
    each.then(at, record);
  }
}

}  // namespace coracle::detail
