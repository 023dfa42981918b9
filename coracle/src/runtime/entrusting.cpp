// What is entrusted to the society's custodian, on the node that sends it. See entrusting.hpp.
#include "runtime/entrusting.hpp"

#include "runtime/fast_path.hpp"
#include "runtime/receipt_state.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint32_t entrusted_at_once = 256;  // for one name, a quarter of what is kept for it
constexpr Duration first_pause = std::chrono::milliseconds(2), longest_pause = 32 * first_pause;

Incarnation next_round(const RemoteSide& side) {
  Incarnation round = std::max(side.now.life, side.next.life);
  ++round.counter;
  return round;
}

// A second party begins to stand for its name.
void begin_entrusting(Worker& home, Party& party, Party& of) {
  party.ext().remote = std::make_unique<RemoteSide>();
  party.extension->remote->stands_for = &of;
  party.set_mode(entrusting | elsewhere);
  home.set_mailbox(party, MailboxOptions().messages(entrusted_at_once));
  on_keeper(home, party, home.node().remote()->keeper());
}

// Whether somebody here waits for what becomes of it.
bool is_awaited_here(const Parcel& parcel) noexcept {
  if ((parcel.flags & request_flag) != 0) return true;
  const Extras* const extras = parcel.extras;
  return extras != nullptr && extras->receipt && extras->receipt.use_count() > 1;
}

// Its custody has gone over.
void settle_kept(Worker& home, UnderWay& message) {
  const Parcel& parcel = *message.parcel;
  const bool has_receipt = parcel.extras != nullptr && parcel.extras->receipt;
  if (has_receipt && home.node().remote()->custodian() == Stage::stored)
    home.report(parcel, Stage::stored);
  message.kept = is_awaited_here(parcel);
  if (message.kept) return;
  ++home.flow.counters.passed_on;
  free_parcel(std::exchange(message.parcel, nullptr));
}

bool is_told(Worker& worker, const Parcel& parcel) {
  return is_awaited_elsewhere(parcel) && !worker.node().remote()->is_gone(parcel.extras->origin);
}

}  // namespace

// Answers end with who asked, and dead letters stay what they are.
void entrust(Worker& worker, Parcel& parcel) {
  static const Name letters = Node::dead_letters();
  Party& target = *parcel.target;
  if ((parcel.flags & reply_flag) != 0 || is_entrusting(target) || target.name == letters) return;
  NodeCore& node = worker.node();
  bool is_new = false;
  Party* const party = node.entrusting_parties().find_or_add(target.name, worker, is_new);
  if (is_new) begin_entrusting(worker, *party, target);
  parcel.target = party;
}

Party& spoken_of(Party& party) noexcept {
  return is_entrusting(party) ? *party.extension->remote->stands_for : party;
}

void on_keeper(Worker& home, Party& party, LeaseId keeper) {
  RemoteSide& side = *party.extension->remote;
  if (side.next.lease == keeper) return;
  side.next = Holder{keeper, next_round(side), {}};
  note_lease(home, party, keeper);
  side.refusal = keeps_nothing;
  home.look_again(party);
}

void on_kept(Worker& home, Party& party, RemoteSide& side, UnderWay& message) {
  if (message.kept) return;
  home.free_place(party, message);
  --side.open;
  side.pause_length = Duration::zero();
  side.refusal = keeps_nothing;
  const bool was_probing = std::exchange(side.is_probing, false);
  settle_kept(home, message);
  if (was_probing) home.pump(party);
}

void note_refusal(Party& party, std::uint8_t why) noexcept {
  if (is_entrusting(party)) known_side(party)->refusal = why;
}

void on_turned_down(RemoteSide& side, UnderWay& message, bool may_be_stored) {
  if (message.kept) return;
  message.came_back = true;
  message.was_read = may_be_stored;
  --side.open;
  side.turned_down = true;
}

void begin_round(Worker& home, Party& party, RemoteSide& side) {
  if (side.next.lease == side.now.lease && side.next.life == side.now.life)
    side.next = Holder{side.now.lease, next_round(side), {}};
  side.closed = true;
  home.look_again(party);
}

void leave_kept(Worker& home, UnderWay& message) noexcept {
  Parcel* const parcel = std::exchange(message.parcel, nullptr);
  ++home.flow.counters.passed_on;
  report_out_of_sight(*parcel);
  free_parcel(parcel);
}

void enter_round(Worker& home, Party& party, RemoteSide& side) {
  if (!std::exchange(side.turned_down, false)) return home.pump(party);
  side.is_probing = side.blocked = true;
  side.pause_length = std::clamp(2 * side.pause_length, first_pause, longest_pause);
  if (!side.pause) side.pause = std::make_unique<RemoteSide::Pause>(home, party);
  side.pause->arm(home, home.now() + side.pause_length);
}

void tell_askers(NodeCore& node, Party& spoken_of, const Ending& ending) {
  Party* const party = node.entrusting_parties().find(spoken_of.name.view());
  if (party == nullptr) return;
  at_home(*party, [&node, ending](Worker& home, Party& there) {
    const RemoteSide& side = *there.extension->remote;
    node.tell_requesters(home, *side.stands_for, ending.reason, ending.text,
                         requests_left(there, ending.reason));
  });
}

void RemoteSide::Pause::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Pause&>(timer);
  self.worker.unblock(self.party);
}

// ── as the custodian ────────────────────────────────────────────────────────────────────────────

void tell_sender(Worker& worker, const Parcel& parcel, Outcome outcome, DropReason reason) {
  if (!is_told(worker, parcel)) return;
  worker.mark(parcel, outcome, reason);
}

void tell_sender(Worker& worker, const Parcel& parcel, std::uint8_t said) {
  if (!is_told(worker, parcel)) return;
  worker.mark(parcel, static_cast<Mark>(said));
}

void note_asker(Worker& home, Party& target, const Parcel& parcel) {
  if ((parcel.flags & request_flag) == 0) return;
  auto& askers = target.ext().correspondents;
  const LeaseId origin = parcel.extras->origin;
  if (std::find(askers.begin(), askers.end(), origin) != askers.end()) return;
  askers.push_back(origin);
  note_lease(home, target, origin);
}

void tell_of_end(NodeCore& node, Party& party, const RemoteSide& side) {
  const Ending ending(party.name, side.now.life, side.reason, side.text);
  for (const LeaseId asker : party.extension->correspondents)
    node.remote()->send_closed(asker, party, ending);
}

}  // namespace coracle::detail
