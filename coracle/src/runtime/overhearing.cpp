// Eavesdropping: each worker knows all patterns, matches what its agents send when it is accepted,
// and sends copies. A hearer that does not keep up gets a marker with the number missed; the
// conversation it listens to never waits for it.
#include "pattern_parts.hpp"
#include "runtime/interested.hpp"
#include "runtime/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

class ParcelHeaders : public HeaderView {
 public:
  explicit ParcelHeaders(const Parcel& parcel) noexcept : extras_(parcel.extras) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    if (extras_ == nullptr) return std::nullopt;
    for (const auto& [name, value] : extras_->headers) {
      if (name == key) return value;
    }
    return std::nullopt;
  }

 private:
  const Extras* extras_;
};

// What a message has to say to patterns that were registered for a role.
class RoleHeaders final : public ParcelHeaders {
 public:
  RoleHeaders(const Parcel& parcel, std::string_view role) noexcept
      : ParcelHeaders(parcel), role_(role) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    if (key == role_component) return role_;
    return ParcelHeaders::find(key);
  }

 private:
  std::string_view role_;
};

const Name& addressed_to(const Parcel& parcel) noexcept {
  const bool renamed = parcel.extras != nullptr && !parcel.extras->target_name.empty();
  return renamed ? parcel.extras->target_name : parcel.target->name;
}

// What patterns on the text see; nothing of a value that cannot be encoded.
std::string_view text_of(const Parcel& parcel) noexcept try {
  if (parcel.content == nullptr) return {};
  const auto bytes = parcel.content->is_typed()
                         ? parcel.content->bytes()
                         : std::span(parcel.content->inline_bytes(), parcel.content->size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
} catch (...) {
  return {};
}

// What is unknown stays so, and so does what a liar adds up beyond all numbers.
void add_gap(std::uint64_t& missed, const Parcel& copy) noexcept {
  constexpr std::uint64_t unknown = MessageView::unknown_gap;
  const std::uint64_t more = (copy.flags & gap_flag) != 0 ? copy.extras->gap : 1;
  missed = more > unknown - missed ? unknown : missed + more;
}

bool can_hear(const Party& hearer) noexcept {
  if ((hearer.mode_now() & elsewhere) == 0) return true;
  const RemoteSide& side = *hearer.extension->remote;
  return side.now.lease != 0 && !side.parting && !side.blocked;
}

}  // namespace

void Worker::add_ear(std::uint64_t id, Party& hearer, const Pattern& pattern, std::uint64_t told) {
  if (registered.add(id, hearer, pattern, told)) return;
  patterns_.add(id, pattern);
  hearers_[id] = {&hearer, told};
  note_whether_plain();
}

void Worker::remove_ear(std::uint64_t id) {
  if (registered.remove(id)) return;
  patterns_.remove(id);
  hearers_.erase(id);
  note_whether_plain();
}

bool is_for_role(const Pattern& pattern) {
  const PatternParts* const parts = pattern.parts();
  if (parts == nullptr) return false;
  const auto is_role = [](const auto& one) { return one.first == role_component; };
  return std::any_of(parts->components.begin(), parts->components.end(), is_role);
}

bool RegisteredPatterns::add(std::uint64_t id, Party& whose, const Pattern& pattern,
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

std::vector<Interested> RegisteredPatterns::who(const Parcel& parcel, std::string_view role) {
  std::vector<Interested> all;
  if (whose_.empty()) return all;
  std::unordered_map<Party*, std::size_t> places;
  std::vector<Hearer> hearers;
  for (const std::uint64_t id : index_.match(
           parcel.source->name, addressed_to(parcel), [&parcel] { return text_of(parcel); },
           RoleHeaders(parcel, role)))
    hearers.push_back(whose_.at(id));
  std::sort(hearers.begin(), hearers.end(), [](const Hearer& a, const Hearer& b) {
    return a.told != b.told ? a.told < b.told : a.who->name < b.who->name;
  });
  for (const Hearer& hearer : hearers) {
    const auto [place, is_new] = places.emplace(hearer.who, all.size());
    if (is_new) all.push_back({hearer.who, {}});
    all[place->second].ids.push_back(hearer.told);
  }
  return all;
}

void Worker::let_overhear(Party& source, Parcel& parcel) {
  if (!anybody_hears()) return;
  const std::vector<std::uint64_t> ears = who_hears(source, parcel);
  if (ears.empty()) return;
  parcel.set_sequence(source.sent);
  meet(parcel);
  send_copies(parcel, ears);
}

void Worker::note_whether_plain() noexcept {
  plain_ = direct_ && !has_policy_ && !encodes_ && !anybody_hears() && !is_observed() &&
           !node_.entrusts();
}

const std::vector<std::uint64_t>& Worker::who_hears(const Party& source, const Parcel& parcel) {
  return patterns_.match(
      source.name, addressed_to(parcel), [&parcel] { return text_of(parcel); },
      ParcelHeaders(parcel));
}

void Worker::send_copies(const Parcel& original, const std::vector<std::uint64_t>& ears) {
  const Name& target = addressed_to(original);
  // Of each target of its own the sending has asked; of a group's name it has not.
  if (has_policy_ && !node_.authorize(Action::send, original.source->name, target)) return;
  for (const std::uint64_t id : ears) {
    const auto found = hearers_.find(id);
    if (found == hearers_.end()) continue;
    Party& hearer = *found->second.who;
    if (!node_.authorize(Action::overhear, hearer.name, original.source->name) ||
        !node_.authorize(Action::overhear, hearer.name, target)) {
      continue;
    }
    Parcel* const copy = clone_parcel(original);
    copy->flags = copy_flag;
    Extras& extras = extras_of(*copy);
    extras.target_name = target;
    extras.ear = id;
    extras.receipt.reset();
    extras.heard.reset();
    extras.deadline = Time::max();
    copy->target = &hearer;
    ++flow.copies_made;
    route_copy(copy);
  }
}

void Worker::route_copy(Parcel* copy) noexcept {
  Party& hearer = *copy->target;
  Worker& home = *hearer.home.load(std::memory_order_acquire);
  if (&home == this) {
    if ((hearer.mode_now() & moves) != 0 && hold_back(hearer, copy, index_)) return;
    return deliver_copy(hearer, copy);
  }
  const std::uint64_t ear = copy->extras->ear;
  const bool full = !backlog_[home.index()].empty() || !node_.ring(*this, home).has_room();
  if (full || gaps_.contains(ear)) return miss(copy);
  forward(home, copy);
}

// Its hearer will be told how many these were; a marker stands for those that it counts.
void Worker::miss(Parcel* copy) noexcept {
  const bool is_gap = (copy->flags & gap_flag) != 0;
  if (!is_gap) ++flow.copies_missed;
  add_gap(gaps_[copy->extras->ear], *copy);
  free_parcel(copy);
}

// A hearer on another node; its link's room is all that its copies get.
void Worker::send_copy_away(Party& hearer, Parcel* copy) noexcept {
  RemoteSide& side = *hearer.extension->remote;
  const std::uint64_t id = copy->extras->ear;
  const auto miss_it = [&] {
    if ((copy->flags & gap_flag) == 0) ++flow.copies_missed;
    add_gap(side.gaps[id], *copy);
    free_parcel(copy);
  };
  if (!can_hear(hearer) || side.gaps.contains(id)) return miss_it();
  const auto ear = hearers_.find(id);
  if (ear != hearers_.end()) copy->extras->ear = ear->second.told;
  try {
    side.blocked = !node_.remote()->send_message(side.now, *copy, 0);
  } catch (const std::exception&) {  // a value that cannot be encoded
    copy->extras->ear = id;
    return miss(copy);
  }
  if ((copy->flags & gap_flag) == 0) ++flow.counters.copies_passed_on;
  free_parcel(copy);
}

// It may have room again, or another holder.
void Worker::tell_gaps(Party& hearer) noexcept {
  RemoteSide& side = *hearer.extension->remote;
  while (!side.gaps.empty() && can_hear(hearer)) {
    const auto [id, missed] = *side.gaps.begin();
    side.gaps.erase(side.gaps.begin());
    if (hearers_.contains(id)) deliver_copy(hearer, gap_marker(hearer, id, missed));
  }
}

// Tells hearers what they missed on their way to another worker, once there is room to tell them.
void Worker::send_pending_gaps() noexcept {
  for (auto gap = gaps_.begin(); gap != gaps_.end();) {
    const auto hearer = hearers_.find(gap->first);
    if (hearer == hearers_.end()) {
      gap = gaps_.erase(gap);
      continue;
    }
    Party& who = *hearer->second.who;
    Worker& home = *who.home.load(std::memory_order_acquire);
    const bool is_far = &home != this;
    if (is_far && (!backlog_[home.index()].empty() || !node_.ring(*this, home).has_room())) {
      ++gap;
      continue;
    }
    Parcel* const marker = gap_marker(who, gap->first, gap->second);
    gap = gaps_.erase(gap);
    is_far ? forward(home, marker) : deliver_copy(*marker->target, marker);
  }
}

Parcel* Worker::gap_marker(Party& hearer, std::uint64_t ear, std::uint64_t missed) {
  Parcel* const marker = new_parcel();
  marker->flags = gap_flag;
  marker->source = marker->target = &hearer;
  Extras& extras = extras_of(*marker);
  extras.ear = ear;
  extras.gap = missed;
  return marker;
}

// On the hearer's worker: within its limit it is queued, beyond that it is counted.
void Worker::deliver_copy(Party& hearer, Parcel* copy) noexcept {
  touches(hearer);
  if ((hearer.mode_now() & elsewhere) != 0) return send_copy_away(hearer, copy);
  const std::uint64_t id = copy->extras->ear;
  EarState* state = nullptr;
  for (EarState& ear : hearer.ext().ears) {
    if (ear.id == id) state = &ear;
  }
  const bool is_gap = (copy->flags & gap_flag) != 0;
  if (state == nullptr) {  // its hearer has ended
    if (!is_gap) ++hearer.ext().counters.copies_consumed;
    return free_parcel(copy);
  }
  if (state->missed == 0 && hearer.readers.linked() && hand_to_reader(hearer, copy)) return;
  if (state->queued >= state->limit) {
    add_gap(state->missed, *copy);
    if (!is_gap) ++hearer.ext().counters.copies_missed;
    return free_parcel(copy);
  }
  ++state->queued;
  observe(Happening::kept, *copy);
  store(hearer, copy);
}

void Worker::put_gap(Party& hearer, EarState& ear) noexcept {
  Parcel* const marker = gap_marker(hearer, ear.id, std::exchange(ear.missed, 0));
  if (hearer.readers.linked() && hand_to_reader(hearer, marker)) return;
  ++ear.queued;
  observe(Happening::kept, *marker);
  store(hearer, marker);
}

void Worker::copy_left_queue(Party& hearer, const Parcel& copy) noexcept {
  for (EarState& ear : hearer.ext().ears) {
    if (ear.id != copy.extras->ear) continue;
    --ear.queued;
    if (ear.missed != 0 && ear.queued < ear.limit) put_gap(hearer, ear);
  }
}

}  // namespace coracle::detail
