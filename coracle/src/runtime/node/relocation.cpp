// Moves a name to another worker. New messages go directly to the new home at once. Messages that
// other workers sent to the old home before are forwarded, and each of these workers sends a marker
// behind its last one. Until a worker's marker has come through the old home, the new home holds
// back what that worker sent directly. So the order between any two agents is kept.
#include "relocation.hpp"

#include "node_core.hpp"
#include "runtime/sending/delivery.hpp"

namespace coracle::detail {

bool Relocation::may_move(Mailbox& mailbox) noexcept {
  if (mailbox.home.load() != &worker_ || (mailbox.mode_now() & (pinned | returns)) != 0)
    return false;
  const Extension* ext = mailbox.extension.get();
  if (ext != nullptr && ext->remote && ext->remote->now.lease != 0) return false;
  if (ext != nullptr &&
      (ext->moving || !ext->fenced.empty() || !ext->tickets.empty() || ext->waits_for != nullptr ||
       (ext->reserved_slots && !ext->reserved_slots->empty()))) {
    return false;
  }
  if (mailbox.agent == nullptr) return true;
  if (ext != nullptr && ext->expiry && ext->expiry->place != TimerNode::idle) return false;
  // The agent is idle when each of its tasks waits for a message without a deadline.
  std::size_t waiting = 0;
  for (Link* link = mailbox.readers.next; link != &mailbox.readers; link = link->next) {
    if (static_cast<Reader*>(link)->has_deadline) return false;
    ++waiting;
  }
  return waiting == 1 + (ext != nullptr ? ext->spawned : 0);
}

bool Relocation::move_out(Mailbox& mailbox, Worker& to) noexcept {
  if (&to == &worker_ || !may_move(mailbox)) return false;
  auto moving = std::make_unique<Moving>();
  const std::size_t workers = worker_.node().worker_count();
  moving->held.resize(workers);
  moving->awaited.assign(workers, true);
  moving->awaited[worker_.index()] = false;  // its own messages go behind those that it forwards
  moving->markers = static_cast<unsigned>(workers - 1);
  moving->old_home = &worker_;
  Extension& ext = mailbox.ext();
  ext.moving = std::move(moving);
  mailbox.set_mode(moves);
  ext.expiry.reset();
  ext.reserved_slots.reset();
  ext.looking.reset();
  mailbox.clear_mode(crowded);
  mailbox.home.store(&to, std::memory_order_seq_cst);
  for (std::size_t other = 0; other < workers; ++other) {
    if (other == worker_.index()) continue;
    worker_.node().worker(other).post(command([&mailbox, old_home = &worker_](Worker& worker) {
      worker.relocation.send_marker(mailbox, *old_home);
    }));
  }
  return true;
}

void Relocation::send_marker(Mailbox& mailbox, Worker& old_home) noexcept {
  worker_.slots.return_prepaid_of(mailbox);  // and with it, the path to the old home
  MessageRecord* const marker = new_record();
  marker->flags = marker_flag;
  marker->target = &mailbox;
  marker->conversation = worker_.index();
  worker_.exchange.forward(old_home, marker);
}

void Relocation::on_marker(Mailbox& mailbox, MessageRecord* marker) noexcept {
  Worker& home = *mailbox.home.load(std::memory_order_acquire);
  if (&home != &worker_) return worker_.exchange.forward(home, marker);
  const auto from = static_cast<std::size_t>(marker->conversation);
  free_record(marker);
  Moving& moving = *mailbox.extension->moving;
  moving.awaited[from] = false;
  const std::vector<MessageRecord*> held = std::exchange(moving.held[from], {});
  if (--moving.markers == 0) {
    mailbox.extension->moving.reset();
    mailbox.clear_mode(moves);
  }
  for (MessageRecord* record : held) {
    count_held(*record, -1);
    arrive_at(worker_, mailbox, record);
  }
}

void Relocation::count_held(const MessageRecord& record, int change) noexcept {
  const auto by = static_cast<std::uint64_t>(change);
  if (is_counted(record)) held_back_ += by;
  if ((record.flags & copy_flag) != 0) held_copies_ += by;
}

bool Relocation::hold_back(Mailbox& mailbox, MessageRecord* record, unsigned from) noexcept {
  Moving& moving = *mailbox.extension->moving;
  if (!moving.awaited[from]) return false;
  moving.held[from].push_back(record);
  count_held(*record, 1);
  return true;
}

// A worker that had work left at the end of many turns in a row gives some away.
void Relocation::note_load(bool is_left) noexcept {
  saturated_ = is_left ? saturated_ + 1 : 0;
  if (saturated_ < 64) return;
  balance();
  saturated_ = 0;
}

// A worker that is overloaded while another one rests gives idle agents to that worker. Each goes
// together with the agent that last sent to it, since the two belong together. An agent that a
// conversation keeps busy all the time is never idle here, so it stays.
void Relocation::balance() noexcept {
  if (!tracks_) return;
  Worker* resting = nullptr;
  for (std::size_t other = 0; other < worker_.node().worker_count(); ++other) {
    Worker& candidate = worker_.node().worker(other);
    if (&candidate != &worker_ && candidate.relocation.is_resting()) resting = &candidate;
  }
  if (resting == nullptr) return;
  for (auto& [heard, from] : lately_) {
    if (heard == nullptr || heard->agent == nullptr || !may_move(*heard)) continue;
    const bool both =
        from != nullptr && from != heard && from->home.load() == &worker_ && from->agent != nullptr;
    if (both && !may_move(*from)) continue;
    move_out(*heard, *resting);
    if (both) move_out(*from, *resting);
    heard = from = nullptr;
  }
}

}  // namespace coracle::detail
