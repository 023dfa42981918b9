// Adding up the account: of one name, or of a node while all its workers stand still.
#include "runtime/node_core.hpp"

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
  sum.custodian_lost += counters.custodian_lost;
  sum.passed_on += counters.passed_on;
  sum.copies_passed_on += counters.copies_passed_on;
}

void count(const Parcel& parcel, std::uint64_t& messages, Ledger& sum) {
  if (is_counted(parcel)) ++messages;
  if (is_copy(parcel) && (parcel.flags & gap_flag) == 0) ++sum.copies_waiting;
}

}  // namespace

void NodeCore::add_up(Party& party, Ledger& sum) {
  sum.sent += party.sent;
  sum.consumed += party.consumed;
  if (party.extension) {
    add(party.extension->counters, sum);
    if (const RemoteSide* const side = party.extension->remote.get()) {
      side->under_way.each([&sum](const UnderWay&) { ++sum.in_flight; });
    }
  }
  party.each_waiting([&](const Parcel& parcel) { count(parcel, sum.queued, sum); });
  for (const Parcel* parcel = party.in_hand; parcel != nullptr; parcel = parcel->next) {
    count(*parcel, sum.in_hand, sum);
  }
}

Ledger NodeCore::ledger() {
  Ledger sum;
  while_all_pause([&] {
    each_party([&](Party& party) { add_up(party, sum); });
    std::uint64_t out = 0;
    std::uint64_t in = 0;
    std::uint64_t copies_out = 0;
    std::uint64_t copies_in = 0;
    for (const auto& worker : workers_) {
      const Flow& flow = worker->flow;
      add(flow.counters, sum);
      sum.copies_made += flow.copies_made;
      sum.copies_missed += flow.copies_missed;
      sum.received += flow.received;
      sum.copies_received += flow.copies_received;
      out += flow.out + worker->held_back();
      in += flow.in;
      sum.copies_waiting += worker->held_copies();
      copies_out += flow.copies_out;
      copies_in += flow.copies_in;
    }
    sum.in_flight += out - in;
    sum.copies_waiting += copies_out - copies_in;
  });
  return sum;
}

Ledger NodeCore::ledger_of(Party& party) {
  Ledger sum;
  Party* const at_custodian = entrusting_.find(party.name.view());
  while_all_pause([&] {
    add_up(party, sum);
    if (at_custodian != nullptr) add_up(*at_custodian, sum);
  });
  return sum;
}

}  // namespace coracle::detail
