#include "sources.hpp"

#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"

#include <utility>

namespace coracle::detail {

namespace {

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

Mailbox* Sources::record_of(Worker& at, Peer& from, const Name& name) {
  if (Mailbox* const known = node_.mailboxes().find(name.view())) return known;
  if (from.names_made >= names_sent_limit) return peers_.on_excess(from.lease), nullptr;
  try {
    Mailbox* const made = node_.mailbox(name, at);
    ++from.names_made;
    return made;
  } catch (const Error&) {
    return nullptr;
  }
}

bool Sources::speaks_as(Worker& at, Peer& from, const Source& source, MessageRecord& record) {
  if (source.name.empty()) return true;
  ReceivedName* const received = source.received;
  if (received != nullptr && received->is_its_own) return record.source = received->mailbox, true;
  if (from.unproven.has(source.name)) return false;  // behind others that wait
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
  if (received == nullptr || !is_its_own) return true;
  received->has_mailbox(*record.source);
  received->is_its_own = true;
  return true;
}

void Sources::when_proven(Worker& at, Peer& from, Source source, MessageRecord* record,
                          Proven then) {
  if (from.unproven.is_full()) {
    peers_.on_excess(from.lease);
    forbid(*record);
    return then(at, record);
  }
  const Name name = source.name;
  std::unique_ptr<MessageRecord, FreeRecord> owned(record);
  if (!from.unproven.add({std::move(source), std::move(owned), std::move(then)})) return;
  run_detached(at, [](Sources& self, LeaseId own, LeaseId lease, Name which) -> Task<> {
    Task<bool> asking = self.node_.directory().find_speaker(lease, which);
    (void)co_await asking;
    if (own == self.peers_.self()) self.judge(*Worker::current(), self.peers_.of(lease), which);
  }(*this, from.self, from.lease, name));
}

// This node now knows all that the directory knew.
void Sources::judge(Worker& at, Peer& from, const Name& name) {
  for (Unproven& each : from.unproven.take(name)) {
    MessageRecord* const record = each.record.release();
    if (!speaks_as(at, from, each.source, *record)) forbid(*record);
    each.then(at, record);
  }
}

}  // namespace coracle::detail
