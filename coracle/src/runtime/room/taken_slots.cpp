// Slots in the mailboxes of other workers. A worker takes several slots beforehand, by one atomic
// addition for many messages. It gives back the slots that it does not need before it sleeps, when
// it sends elsewhere, and when a sender waits for room there.
#include "taken_slots.hpp"

#include "runtime/node/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr std::uint32_t claims_at_once = 32;

}  // namespace

void TakenSlots::release() noexcept {
  if (releases_ != 0) releasing_->claimed.fetch_sub(std::exchange(releases_, 0));
  releasing_ = nullptr;
}

// Takes a slot in a mailbox of another worker: one of those that were taken together for an earlier
// message to that mailbox, or one of a new handful. While a sender waits for room there, no worker
// takes more slots than it needs.
bool TakenSlots::take(Mailbox& target, std::uint32_t mode, Worker& home) noexcept {
  if (prepaid_for_ == &target && prepaid_ != 0) return --prepaid_, true;
  return_prepaid();
  if ((mode & (bytes_full | few_bytes)) != 0) return false;  // its home decides
  const std::uint32_t limit = (mode & held) != 0 ? target.limit.load(std::memory_order_relaxed)
                                                 : worker_.node().options().absent_limit;
  const std::uint32_t wanted =
      (mode & crowded) != 0 ? 1 : std::clamp<std::uint32_t>(limit / 8, 1, claims_at_once);
  const std::uint64_t taken =
      std::uint64_t{target.claimed.fetch_add(wanted)} + target.queued.load();
  const auto got = static_cast<std::uint32_t>(
      taken >= limit ? 0 : std::min<std::uint64_t>(wanted, limit - taken));
  prepaid_for_ = &target;
  prepaid_home_ = &home;
  prepaid_ = wanted;
  give_back(wanted - got);
  if (got == 0) return false;
  --prepaid_;
  return true;
}

void TakenSlots::return_prepaid_of(const Mailbox& mailbox) noexcept {
  if (prepaid_for_ == &mailbox) return_prepaid();
}

void TakenSlots::return_prepaid() noexcept {
  give_back(prepaid_);
  prepaid_for_ = nullptr;
}

// A sender waits for room in this mailbox: all other workers give back the slots that they took
// beforehand.
void TakenSlots::call_in(Mailbox& mailbox) {
  for (std::size_t other = 0; other < worker_.node().worker_count(); ++other) {
    if (other == worker_.index()) continue;
    worker_.node().worker(other).post(
        command([&mailbox](Worker& worker) { worker.slots.return_prepaid_of(mailbox); }));
  }
}

// A sender that waits for these slots is notified that they are free.
void TakenSlots::give_back(std::uint32_t places) noexcept {
  if (places == 0) return;
  prepaid_ -= places;
  Mailbox* const mailbox = prepaid_for_;
  mailbox->claimed.fetch_sub(places, std::memory_order_seq_cst);
  if ((mailbox->mode.load(std::memory_order_seq_cst) & crowded) == 0) return;
  mailbox->home.load()->post(command([mailbox](Worker& home) {
    if (mailbox->home.load() == &home) home.room.grant(*mailbox, true);
  }));
}

}  // namespace coracle::detail
