// Overhearing: each worker knows all patterns, matches the messages of its agents when they are
// accepted, and sends copies. An eavesdropper that does not keep up gets a marker with the number
// of copies that it missed; the conversation that it overhears never waits for it.
#include "overhearing.hpp"

#include "patterns/pattern_parts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/sending/delivery.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

// The most taps with missed copies that one mailbox on another node can have.
constexpr std::size_t most_gaps = 16384;

class RecordHeaders : public HeaderView {
 public:
  explicit RecordHeaders(const MessageRecord& record) noexcept : fields_(record.fields) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    if (fields_ == nullptr) return std::nullopt;
    for (const auto& [name, value] : fields_->headers) {
      if (name == key) return value;
    }
    return std::nullopt;
  }

 private:
  const OptionalFields* fields_;
};

// The headers of a message, as patterns see them that were registered for a role.
class RoleHeaders final : public RecordHeaders {
 public:
  RoleHeaders(const MessageRecord& record, std::string_view role) noexcept
      : RecordHeaders(record), role_(role) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    if (key == role_component) return role_;
    return RecordHeaders::find(key);
  }

 private:
  std::string_view role_;
};

const Name& addressed_to(const MessageRecord& record) noexcept {
  const bool renamed = record.fields != nullptr && !record.fields->target_name.empty();
  return renamed ? record.fields->target_name : record.target->name;
}

// Returns the text that patterns match; empty for a value that cannot be encoded.
std::string_view text_of(const MessageRecord& record) noexcept try {
  if (record.content == nullptr) return {};
  const auto bytes = record.content->is_typed()
                         ? record.content->bytes()
                         : std::span(record.content->inline_bytes(), record.content->size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
} catch (...) {
  return {};
}

// An unknown number stays unknown. A sum that a liar drives beyond all numbers becomes unknown.
void add_gap(std::uint64_t& missed, const MessageRecord& copy) noexcept {
  constexpr std::uint64_t unknown = MessageView::unknown_gap;
  const std::uint64_t more = (copy.flags & gap_flag) != 0 ? copy.fields->gap : 1;
  missed = more > unknown - missed ? unknown : missed + more;
}

bool can_hear(const Mailbox& eavesdropper) noexcept {
  if ((eavesdropper.mode_now() & elsewhere) == 0) return true;
  const RemoteSide& side = *eavesdropper.extension->remote;
  return side.now.lease != 0 && !side.parting && !side.blocked;
}

}  // namespace

void Overhearing::add(std::uint64_t id, Mailbox& eavesdropper, const Pattern& pattern,
                      std::uint64_t told) {
  if (registered.add(id, eavesdropper, pattern, told)) return;
  patterns_.add(id, pattern);
  eavesdroppers_[id] = {&eavesdropper, told};
  worker_.outgoing.note_whether_plain();
}

void Overhearing::remove(std::uint64_t id) {
  if (registered.remove(id)) return;
  patterns_.remove(id);
  eavesdroppers_.erase(id);
  worker_.outgoing.note_whether_plain();
}

bool is_for_role(const Pattern& pattern) {
  const PatternParts* const parts = pattern.parts();
  if (parts == nullptr) return false;
  const auto is_role = [](const auto& one) { return one.first == role_component; };
  return std::any_of(parts->components.begin(), parts->components.end(), is_role);
}

bool RegisteredPatterns::add(std::uint64_t id, Mailbox& whose, const Pattern& pattern,
                             std::uint64_t told) {
  if (!is_for_role(pattern)) return false;
  index_.add(id, pattern);
  whose_[id] = {&whose, told};
  return true;
}

bool RegisteredPatterns::remove(std::uint64_t id) {
  if (whose_.erase(id) == 0) return false;
  index_.remove(id);
  return true;
}

std::vector<Interested> RegisteredPatterns::who(const MessageRecord& record,
                                                std::string_view role) {
  std::vector<Interested> all;
  if (whose_.empty()) return all;
  std::unordered_map<Mailbox*, std::size_t> places;
  std::vector<Eavesdropper> eavesdroppers;
  for (const std::uint64_t id : index_.match(
           record.source->name, addressed_to(record), [&record] { return text_of(record); },
           RoleHeaders(record, role)))
    eavesdroppers.push_back(whose_.at(id));
  std::sort(eavesdroppers.begin(), eavesdroppers.end(),
            [](const Eavesdropper& a, const Eavesdropper& b) {
              return a.told != b.told ? a.told < b.told : a.who->name < b.who->name;
            });
  for (const Eavesdropper& eavesdropper : eavesdroppers) {
    const auto [place, is_new] = places.emplace(eavesdropper.who, all.size());
    if (is_new) all.push_back({eavesdropper.who, {}});
    all[place->second].ids.push_back(eavesdropper.told);
  }
  return all;
}

void Overhearing::let_overhear(Mailbox& source, MessageRecord& record) {
  if (!anybody_hears()) return;
  const std::vector<std::uint64_t> taps = who_hears(source, record);
  if (taps.empty()) return;
  record.set_sequence(source.sent);
  worker_.observing.meet(record);
  send_copies(record, taps);
}

const std::vector<std::uint64_t>& Overhearing::who_hears(const Mailbox& source,
                                                         const MessageRecord& record) {
  return patterns_.match(
      source.name, addressed_to(record), [&record] { return text_of(record); },
      RecordHeaders(record));
}

void Overhearing::send_copies(const MessageRecord& original,
                              const std::vector<std::uint64_t>& taps) {
  const Name& target = addressed_to(original);
  // The send was authorized for each target by itself; for the name of a group it was not.
  if (!worker_.node().authorize(Action::send, original.source->name, target)) return;
  for (const std::uint64_t id : taps) {
    const auto found = eavesdroppers_.find(id);
    if (found == eavesdroppers_.end()) continue;
    Mailbox& eavesdropper = *found->second.who;
    if (!worker_.node().authorize(Action::overhear, eavesdropper.name, original.source->name) ||
        !worker_.node().authorize(Action::overhear, eavesdropper.name, target)) {
      continue;
    }
    MessageRecord* const copy = clone_record(original);
    copy->flags = copy_flag;
    OptionalFields& fields = fields_of(*copy);
    fields.target_name = target;
    fields.tap = found->second.told;
    fields.receipt.reset();
    fields.heard.reset();
    fields.deadline = Time::max();
    copy->target = &eavesdropper;
    ++worker_.flow.copies_made;
    route(copy);
  }
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
  const bool is_behind_gap = gaps_.contains({copy->fields->tap, &eavesdropper});
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
  const bool is_behind_gap = side.gaps.contains(id);
  if (!can_hear(eavesdropper) || is_behind_gap) {
    if ((copy->flags & gap_flag) == 0) ++worker_.flow.copies_missed;
    if (is_behind_gap || side.gaps.size() < most_gaps) add_gap(side.gaps[id], *copy);
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
    const auto [id, missed] = *side.gaps.begin();
    side.gaps.erase(side.gaps.begin());
    deliver(eavesdropper, gap_marker(eavesdropper, id, missed));
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
    MessageRecord* const marker = gap_marker(who, tap, gap->second);
    gap = gaps_.erase(gap);
    is_far ? worker_.exchange.forward(home, marker) : deliver(*marker->target, marker);
  }
}

MessageRecord* gap_marker(Mailbox& eavesdropper, std::uint64_t tap, std::uint64_t missed) {
  MessageRecord* const marker = new_record();
  marker->flags = gap_flag;
  marker->source = marker->target = &eavesdropper;
  OptionalFields& fields = fields_of(*marker);
  fields.tap = tap;
  fields.gap = missed;
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
  if (state->missed == 0 && eavesdropper.readers.linked() &&
      hand_to_reader(worker_, eavesdropper, copy))
    return;
  if (state->queued >= state->limit) {
    add_gap(state->missed, *copy);
    if (!is_gap) ++eavesdropper.ext().count().copies_missed;
    return free_record(copy);
  }
  ++state->queued;
  worker_.observing.observe(Happening::kept, *copy);
  worker_.mailboxes.store(eavesdropper, copy);
}

void Overhearing::put_gap(Mailbox& eavesdropper, TapState& tap) noexcept {
  MessageRecord* const marker = gap_marker(eavesdropper, tap.id, std::exchange(tap.missed, 0));
  if (eavesdropper.readers.linked() && hand_to_reader(worker_, eavesdropper, marker)) return;
  ++tap.queued;
  worker_.observing.observe(Happening::kept, *marker);
  worker_.mailboxes.store(eavesdropper, marker);
}

void Overhearing::left_queue(Mailbox& eavesdropper, const MessageRecord& copy) noexcept {
  for (TapState& tap : eavesdropper.ext().taps) {
    if (tap.id != copy.fields->tap) continue;
    --tap.queued;
    if (tap.missed != 0 && tap.queued < tap.limit) put_gap(eavesdropper, tap);
  }
}

}  // namespace coracle::detail
