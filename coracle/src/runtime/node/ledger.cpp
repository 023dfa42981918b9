// Computes the ledger: of one name, or of a node while all its workers stand still.
#include "node_core.hpp"
#include "runtime/sending/flow.hpp"

namespace coracle::detail {

namespace {

void add(const Counters& counters, Ledger& sum) {
  sum.expired += counters.expired;
  sum.refused += counters.refused;
  sum.undeliverable += counters.undeliverable;
  for (std::size_t reason = 0; reason < counters.dropped.size(); ++reason) {
    sum.dropped[reason] += counters.dropped[reason];
  }
  sum.copies_consumed += counters.copies_consumed;
  sum.copies_missed += counters.copies_missed;
  sum.store_lost += counters.store_lost;
  sum.passed_on += counters.passed_on;
  sum.copies_passed_on += counters.copies_passed_on;
}

void count(const MessageRecord& record, std::uint64_t& messages, Ledger& sum) {
  if (is_counted(record)) ++messages;
  if (is_copy(record) && (record.flags & gap_flag) == 0) ++sum.copies_waiting;
}

void add_up(Mailbox& mailbox, Ledger& sum) {
  sum.sent += mailbox.sent;
  sum.consumed += mailbox.consumed;
  if (mailbox.extension) {
    if (mailbox.extension->counters) add(*mailbox.extension->counters, sum);
    if (const RemoteSide* const side = mailbox.extension->remote.get()) {
      side->under_way.each([&sum](const UnderWay&) { ++sum.in_flight; });
    }
  }
  mailbox.each_waiting([&](const MessageRecord& record) { count(record, sum.queued, sum); });
  for (const MessageRecord* record = mailbox.in_hand; record != nullptr; record = record->next) {
    count(*record, sum.in_hand, sum);
  }
}

}  // namespace

Ledger ledger_of(NodeCore& node) {
  Ledger sum;
  node.standstill().while_all_pause([&] {
    node.each_mailbox([&](Mailbox& mailbox) { add_up(mailbox, sum); });
    std::uint64_t out = 0;
    std::uint64_t in = 0;
    std::uint64_t copies_out = 0;
    std::uint64_t copies_in = 0;
    for (const auto& worker : node.workers()) {
      const Flow& flow = worker->flow;
      add(flow.counters, sum);
      sum.copies_made += flow.copies_made;
      sum.copies_missed += flow.copies_missed;
      sum.received += flow.received;
      sum.copies_received += flow.copies_received;
      out += flow.out + worker->relocation.held_back();
      in += flow.in;
      sum.copies_waiting += worker->relocation.held_copies();
      copies_out += flow.copies_out;
      copies_in += flow.copies_in;
    }
    sum.in_flight += out - in;
    sum.copies_waiting += copies_out - copies_in;
  });
  return sum;
}

Ledger ledger_of(NodeCore& node, Mailbox& mailbox) {
  Ledger sum;
  Mailbox* const at_message_store = node.storing_mailboxes().find(mailbox.name.view());
  node.standstill().while_all_pause([&] {
    add_up(mailbox, sum);
    if (at_message_store != nullptr) add_up(*at_message_store, sum);
  });
  return sum;
}

}  // namespace coracle::detail
