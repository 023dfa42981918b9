// Overhearing: each worker knows all patterns, matches the messages of its agents when they are
// accepted, and sends copies. An eavesdropper that does not keep up gets a marker with the number
// of copies that it missed; the conversation that it overhears never waits for it.
#include "overhearing.hpp"

#include "coracle/support/mutations.hpp"
#include "notes.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/sending/delivery.hpp"
#include "seen_by_patterns.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

// The most taps with missed copies that one mailbox on another node can have.
constexpr std::size_t most_gaps = 16384;
// A tap whose rate is exceeded gets a gap so often.
constexpr Duration rate_gap_every = std::chrono::milliseconds(250);

// An unknown number stays unknown. A sum that a liar drives beyond all numbers becomes unknown.
void add_gap(Missed& all, const MessageRecord& copy) noexcept {
  constexpr std::uint64_t unknown = MessageView::unknown_gap;
  std::uint64_t& missed = all.of(reason_of(copy));
  const std::uint64_t more = (copy.flags & gap_flag) != 0 ? copy.fields->gap : 1;
  const bool is_beyond_numbers = more > unknown - missed && !mutated(Mutation::gap_wraps);
  missed = is_beyond_numbers ? unknown : missed + more;
}

// Returns whether others of its kind are missing before it, so that it is to be missing, too: then
// the gap stands where they are missing.
bool is_behind(Missed missed, const MessageRecord& copy) noexcept {
  return missed.of(reason_of(copy)) != 0;
}

bool has_no_room(TapState& tap, GapReason what) noexcept {
  const bool is_of_notices = what == GapReason::notices;
  if (mutated(is_of_notices ? Mutation::notices_uncounted : Mutation::copies_uncounted))
    return false;
  return tap.is_full(what);
}

bool can_hear(const Mailbox& eavesdropper) noexcept {
  if ((eavesdropper.mode_now() & elsewhere) == 0) return true;
  const RemoteSide& side = *eavesdropper.extension->remote;
  return side.now.lease != 0 && !side.parting && !side.blocked;
}

}  // namespace

Overhearing::Overhearing(Worker& worker, Matching matching)
    : registered(matching), worker_(worker), patterns_(matching), rate_gaps_(*this) {}

void Overhearing::add(std::uint64_t id, Mailbox& eavesdropper, const Pattern& pattern,
                      std::uint64_t told, const TapOptions& options) {
  if (registered.add(id, eavesdropper, pattern, told)) return;
  patterns_.add(id, pattern);
  OneTap& tap = eavesdroppers_[id];
  tap.who = &eavesdropper;
  tap.told = told;
  tap.rate = TapRate(options.rate);
  tap.wants_notices = options.outcomes || mutated(Mutation::notices_unasked);
  worker_.outgoing.note_whether_plain();
}

void Overhearing::remove(std::uint64_t id) {
  if (registered.remove(id)) return;
  patterns_.remove(id);
  const auto found = eavesdroppers_.find(id);
  if (found != eavesdroppers_.end() && !mutated(Mutation::end_hides_beyond))
    send_rate_gap(found->second);
  eavesdroppers_.erase(id);
  worker_.outgoing.note_whether_plain();
}

void Overhearing::let_overhear(Mailbox& source, MessageRecord& record) {
  if (!anybody_hears()) return;
  ChosenTaps chosen = choose(record, who_hears(source, record));
  if (!chosen.copied.empty()) {
    record.set_sequence(source.sent);
    worker_.observing.meet(record);
  }
  send_copies(chosen, &record, nullptr);
  reuse(std::move(chosen));
}

const std::vector<std::uint64_t>& Overhearing::who_hears(const Mailbox& source,
                                                         const MessageRecord& record) {
  return patterns_.match(
      source.name, addressed_to(record), [&record] { return text_of(record); },
      RecordHeaders(record));
}

ChosenTaps Overhearing::choose(const MessageRecord& record,
                               const std::vector<std::uint64_t>& hearing) {
  ChosenTaps chosen = std::move(spare_);
  chosen.copied.clear();
  chosen.beyond.clear();
  chosen.noticed.clear();
  chosen.wants_notices = false;
  const auto* const met = record.fields != nullptr ? record.fields->heard.get() : nullptr;
  for (const std::uint64_t id : hearing) {
    const auto tap = eavesdroppers_.find(id);
    if (tap == eavesdroppers_.end()) continue;
    const bool wants_notices = tap->second.wants_notices;
    if (met != nullptr && !mutated(Mutation::copied_by_receiver)) {
      const auto before = std::find_if(met->begin(), met->end(),
                                       [id](const MetTap& each) { return each.id == id; });
      if (before != met->end()) {
        const bool is_copied = before->copied || mutated(Mutation::notices_uncopied);
        if (!wants_notices || !is_copied) continue;
        chosen.noticed.push_back({id, before->copied.value_or(0)});
        chosen.wants_notices = true;
        continue;
      }
    }
    if (!tap->second.rate.lets([this] { return worker_.now(); }) &&
        !mutated(Mutation::rate_ignored)) {
      chosen.beyond.push_back(id);
      continue;
    }
    chosen.copied.push_back(id);
    chosen.wants_notices |= wants_notices;
  }
  return chosen;
}

void Overhearing::send_copies(ChosenTaps& chosen, const MessageRecord* original,
                              const OverheardBy& met) {
  for (const std::uint64_t id : chosen.beyond) {
    const auto tap = eavesdroppers_.find(id);
    if (tap != eavesdroppers_.end()) miss_by_rate(tap->second);
    if (met && !mutated(Mutation::beyond_by_receiver)) met->push_back({id});
  }
  if (chosen.copied.empty()) return;
  // The send was authorized for each target by itself; for the name of a group it was not.
  const bool may_be_copied =
      worker_.node().authorize(Action::send, original->source->name, addressed_to(*original));
  for (const std::uint64_t id : chosen.copied) {
    const auto tap = eavesdroppers_.find(id);
    if (tap == eavesdroppers_.end()) continue;
    const bool is_copied = may_be_copied && send_copy(*original, tap->second);
    MetTap now{id};
    if (is_copied) {
      tap->second.rate.count();
      now.copied = original->sequence();
      if (tap->second.wants_notices) chosen.noticed.push_back({id, *now.copied});
    }
    if (met) met->push_back(now);
  }
}

bool Overhearing::send_copy(const MessageRecord& original, const OneTap& tap) {
  const Name& target = addressed_to(original);
  Mailbox& eavesdropper = *tap.who;
  if (!worker_.node().authorize(Action::overhear, eavesdropper.name, original.source->name) ||
      !worker_.node().authorize(Action::overhear, eavesdropper.name, target)) {
    return false;
  }
  MessageRecord* const copy = clone_record(original);
  copy->flags = copy_flag;
  OptionalFields& fields = fields_of(*copy);
  fields.target_name = target;
  fields.note = note_of_copied(original.flags);
  fields.tap = tap.told;
  fields.life = original.source->incarnation;
  fields.receipt.reset();
  fields.heard.reset();
  fields.deadline = Time::max();
  copy->target = &eavesdropper;
  ++worker_.flow.copies_made;
  route(copy);
  return true;
}

// A tap that has been closed gets no further notices.
void Overhearing::send_notice(std::uint64_t id, MessageRecord* notice) {
  const auto tap = eavesdroppers_.find(id);
  if (tap == eavesdroppers_.end()) return free_record(notice);
  notice->target = tap->second.who;
  notice->fields->tap = tap->second.told;
  ++worker_.flow.copies_made;
  route(notice);
}

void Overhearing::miss_notices(const ChosenTaps& chosen) {
  if (mutated(Mutation::unfollowed_untold)) return;
  for (const NoticedTap& noticed : chosen.noticed) {
    const auto tap = eavesdroppers_.find(noticed.id);
    if (tap == eavesdroppers_.end()) continue;
    route(gap_marker(*tap->second.who, tap->second.told, 1, GapReason::notices));
  }
}

void Overhearing::miss_by_rate(OneTap& tap) {
  if (mutated(Mutation::beyond_uncounted)) return;
  ++tap.rate.missed;
  if (rate_gaps_.place == TimerNode::idle) rate_gaps_.arm(worker_, worker_.now() + rate_gap_every);
}

void Overhearing::send_rate_gap(OneTap& tap) {
  const std::uint64_t missed = std::exchange(tap.rate.missed, 0);
  if (missed != 0) route(gap_marker(*tap.who, tap.told, missed, GapReason::rate));
}

void Overhearing::RateGaps::on_time(TimerNode& timer) noexcept {
  static_cast<RateGaps&>(timer).overhearing.send_rate_gaps();
}

void Overhearing::send_rate_gaps() noexcept {
  for (auto& [id, tap] : eavesdroppers_) send_rate_gap(tap);
}

void Overhearing::route(MessageRecord* copy) noexcept {
  Mailbox& eavesdropper = *copy->target;
  Worker& home = *eavesdropper.home.load(std::memory_order_acquire);
  if (&home == &worker_) {
    if ((eavesdropper.mode_now() & moves) != 0 &&
        worker_.relocation.hold_back(eavesdropper, copy, worker_.index()))
      return;
    return deliver(eavesdropper, copy);
  }
  const auto gap = gaps_.empty() ? gaps_.end() : gaps_.find({copy->fields->tap, &eavesdropper});
  const bool is_behind_gap = gap != gaps_.end() && is_behind(gap->second, *copy);
  if (worker_.exchange.is_full_to(eavesdropper) || is_behind_gap) return miss(copy);
  worker_.exchange.forward(home, copy);
}

// The eavesdropper will be notified of the number of missed copies; a marker stands for the copies
// that it counts.
void Overhearing::miss(MessageRecord* copy) noexcept {
  const bool is_gap = (copy->flags & gap_flag) != 0;
  if (!is_gap) ++worker_.flow.copies_missed;
  add_gap(gaps_[{copy->fields->tap, copy->target}], *copy);
  free_record(copy);
}

// For an eavesdropper on another node; its copies get only the room of its link.
void Overhearing::send_away(Mailbox& eavesdropper, MessageRecord* copy) noexcept {
  RemoteSide& side = *eavesdropper.extension->remote;
  const std::uint64_t id = copy->fields->tap;
  const auto gap = side.gaps.find(id);
  const bool has_gap = gap != side.gaps.end();
  if (!can_hear(eavesdropper) || (has_gap && is_behind(gap->second, *copy))) {
    if ((copy->flags & gap_flag) == 0) ++worker_.flow.copies_missed;
    const bool has_room = side.gaps.size() < most_gaps || mutated(Mutation::gaps_uncounted);
    if (has_gap || has_room) add_gap(side.gaps[id], *copy);
    return free_record(copy);
  }
  try {
    side.blocked = !worker_.node().remote()->send_message(side.now, *copy, 0);
  } catch (const std::exception&) {  // a value that cannot be encoded
    return miss(copy);
  }
  if ((copy->flags & gap_flag) == 0) ++worker_.flow.counters.copies_passed_on;
  free_record(copy);
}

void Overhearing::report_unknown_gap(Mailbox& eavesdropper, std::uint64_t tap) {
  deliver(eavesdropper, gap_marker(eavesdropper, tap, MessageView::unknown_gap));
}

// The eavesdropper's link may have room again, or its name another holder. A tap that was closed
// meanwhile still learns what it missed before.
void Overhearing::tell_gaps(Mailbox& eavesdropper) noexcept {
  RemoteSide& side = *eavesdropper.extension->remote;
  while (!side.gaps.empty() && can_hear(eavesdropper)) {
    auto [id, missed] = *side.gaps.begin();
    side.gaps.erase(side.gaps.begin());
    for (const GapReason reason : known_gap_reasons) {
      if (missed.of(reason) != 0)
        deliver(eavesdropper, gap_marker(eavesdropper, id, missed.of(reason), reason));
    }
  }
}

// Notifies eavesdroppers of the copies that they missed on the way to another worker, once there is
// room for the notice.
void Overhearing::send_pending_gaps() noexcept {
  for (auto gap = gaps_.begin(); gap != gaps_.end();) {
    const auto [tap, eavesdropper] = gap->first;
    Mailbox& who = *eavesdropper;
    Worker& home = *who.home.load(std::memory_order_acquire);
    const bool is_far = &home != &worker_;
    if (worker_.exchange.is_full_to(who)) {
      ++gap;
      continue;
    }
    Missed missed = gap->second;
    gap = gaps_.erase(gap);
    for (const GapReason reason : known_gap_reasons) {
      if (missed.of(reason) == 0) continue;
      MessageRecord* const marker = gap_marker(who, tap, missed.of(reason), reason);
      is_far ? worker_.exchange.forward(home, marker) : deliver(who, marker);
    }
  }
}

MessageRecord* gap_marker(Mailbox& eavesdropper, std::uint64_t tap, std::uint64_t missed,
                          GapReason reason) {
  MessageRecord* const marker = new_record();
  marker->flags = gap_flag;
  marker->source = marker->target = &eavesdropper;
  OptionalFields& fields = fields_of(*marker);
  fields.tap = tap;
  fields.gap = missed;
  fields.note = static_cast<std::uint8_t>(reason);
  return marker;
}

// On the eavesdropper's worker: a copy within the tap's limit is queued, a copy beyond it is
// counted.
void Overhearing::deliver(Mailbox& eavesdropper, MessageRecord* copy) noexcept {
  worker_.touches(eavesdropper);
  if ((eavesdropper.mode_now() & elsewhere) != 0) return send_away(eavesdropper, copy);
  const std::uint64_t id = copy->fields->tap;
  TapState* state = nullptr;
  for (TapState& tap : eavesdropper.ext().taps) {
    if (tap.id == id) state = &tap;
  }
  const bool is_gap = (copy->flags & gap_flag) != 0;
  if (state == nullptr) {  // its eavesdropper has ended
    if (!is_gap) ++eavesdropper.ext().count().copies_consumed;
    return free_record(copy);
  }
  const GapReason what = reason_of(*copy);
  if (state->missed.of(what) == 0 && eavesdropper.readers.linked() &&
      hand_to_reader(worker_, eavesdropper, copy))
    return;
  if (has_no_room(*state, what)) {
    add_gap(state->missed, *copy);
    if (!is_gap) ++eavesdropper.ext().count().copies_missed;
    return free_record(copy);
  }
  ++state->waiting(what);
  worker_.observing.observe(Happening::kept, *copy);
  worker_.mailboxes.store(eavesdropper, copy);
}

void Overhearing::put_gap(Mailbox& eavesdropper, TapState& tap, GapReason reason) noexcept {
  MessageRecord* const marker =
      gap_marker(eavesdropper, tap.id, std::exchange(tap.missed.of(reason), 0), reason);
  if (eavesdropper.readers.linked() && hand_to_reader(worker_, eavesdropper, marker)) return;
  ++tap.waiting(reason);
  worker_.observing.observe(Happening::kept, *marker);
  worker_.mailboxes.store(eavesdropper, marker);
}

void Overhearing::left_queue(Mailbox& eavesdropper, const MessageRecord& copy) noexcept {
  for (TapState& tap : eavesdropper.ext().taps) {
    if (tap.id != copy.fields->tap) continue;
    --tap.waiting(reason_of(copy));
    for (const GapReason reason : known_gap_reasons) {
      if (tap.missed.of(reason) == 0 || has_no_room(tap, reason)) continue;
      put_gap(eavesdropper, tap, reason);
    }
  }
}

}  // namespace coracle::detail
