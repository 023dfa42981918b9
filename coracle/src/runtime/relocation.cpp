// Moving a name to another worker. New messages take the new way at once; what the other workers
// sent by the old way before is forwarded, and its end is marked by each of them. Until a worker's
// marker has come through the old home, what it sent by the new way is held back: so the order
// between any two agents is kept.
#include "runtime/node_core.hpp"

namespace coracle::detail {

bool Worker::may_move(Party& party) noexcept {
  if (party.home.load() != this || (party.mode_now() & (pinned | returns)) != 0) return false;
  const Extension* ext = party.extension.get();
  if (ext != nullptr && ext->remote && ext->remote->now.lease != 0) return false;
  if (ext != nullptr && (ext->moving || !ext->fenced.empty() || !ext->tickets.empty() ||
                         ext->waits_for != nullptr ||
                         (ext->kept_places && !ext->kept_places->empty()))) {
    return false;
  }
  if (party.agent == nullptr) return true;
  if (ext != nullptr && ext->expiry && ext->expiry->place != TimerNode::idle) return false;
  // Idle: each of its tasks waits for a message, without a deadline.
  std::size_t waiting = 0;
  for (Link* link = party.readers.next; link != &party.readers; link = link->next) {
    if (static_cast<Reader*>(link)->has_deadline) return false;
    ++waiting;
  }
  return waiting == 1 + (ext != nullptr ? ext->spawned : 0);
}

bool Worker::move_out(Party& party, Worker& to) noexcept {
  if (&to == this || !may_move(party)) return false;
  auto moving = std::make_unique<Moving>();
  const std::size_t workers = node_.worker_count();
  moving->held.resize(workers);
  moving->awaited.assign(workers, true);
  moving->awaited[index_] = false;  // what this worker sends goes behind what it forwards anyway
  moving->markers = static_cast<unsigned>(workers - 1);
  moving->old_home = this;
  Extension& ext = party.ext();
  ext.moving = std::move(moving);
  party.set_mode(moves);
  ext.expiry.reset();
  ext.kept_places.reset();
  ext.looking.reset();
  party.clear_mode(crowded);
  party.home.store(&to, std::memory_order_seq_cst);
  for (std::size_t other = 0; other < workers; ++other) {
    if (other == index_) continue;
    node_.worker(other).post(command(
        [&party, old_home = this](Worker& worker) { worker.send_marker(party, *old_home); }));
  }
  return true;
}

void Worker::send_marker(Party& party, Worker& old_home) noexcept {
  if (prepaid_for_ == &party) return_prepaid();  // and with it, the old way
  Parcel* const marker = new_parcel();
  marker->flags = marker_flag;
  marker->target = &party;
  marker->conversation = index_;
  forward(old_home, marker);
}

void Worker::on_marker(Party& party, Parcel* marker) noexcept {
  Worker& home = *party.home.load(std::memory_order_acquire);
  if (&home != this) return forward(home, marker);
  const auto from = static_cast<std::size_t>(marker->conversation);
  free_parcel(marker);
  Moving& moving = *party.extension->moving;
  moving.awaited[from] = false;
  const std::vector<Parcel*> held = std::exchange(moving.held[from], {});
  if (--moving.markers == 0) {
    party.extension->moving.reset();
    party.clear_mode(moves);
  }
  for (Parcel* parcel : held) {
    count_held(*parcel, -1);
    arrive_at(party, parcel);
  }
}

void Worker::count_held(const Parcel& parcel, int change) noexcept {
  const auto by = static_cast<std::uint64_t>(change);
  if (is_counted(parcel)) held_back_ += by;
  if ((parcel.flags & copy_flag) != 0) held_copies_ += by;
}

bool Worker::hold_back(Party& party, Parcel* parcel, unsigned from) noexcept {
  Moving& moving = *party.extension->moving;
  if (!moving.awaited[from]) return false;
  moving.held[from].push_back(parcel);
  count_held(*parcel, 1);
  return true;
}

// A worker that is overloaded while another one rests gives it agents that are idle, each together
// with the agent that it last heard from: those belong together. Whom a conversation keeps busy
// all the time is never idle here, so it stays.
void Worker::balance() noexcept {
  if (!tracks_) return;
  Worker* resting = nullptr;
  for (std::size_t other = 0; other < node_.worker_count(); ++other) {
    Worker& candidate = node_.worker(other);
    if (&candidate != this && candidate.is_resting()) resting = &candidate;
  }
  if (resting == nullptr) return;
  for (auto& [heard, from] : lately_) {
    if (heard == nullptr || heard->agent == nullptr || !may_move(*heard)) continue;
    const bool both = from != nullptr && from != heard && from->home.load() == this &&
                      from->agent != nullptr;
    if (both && !may_move(*from)) continue;
    move_out(*heard, *resting);
    if (both) move_out(*from, *resting);
    heard = from = nullptr;
  }
}

}  // namespace coracle::detail
