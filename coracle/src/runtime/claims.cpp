// Places in the mailboxes of other workers. A worker takes some beforehand, by one atomic addition
// for many messages; what it does not need it gives back before it sleeps, when it sends elsewhere,
// and when somebody waits for room there.
#include "runtime/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr std::uint32_t claims_at_once = 32;

}  // namespace

void Worker::release_claims() noexcept {
  if (releases_ != 0) releasing_->claimed.fetch_sub(std::exchange(releases_, 0));
  releasing_ = nullptr;
}

// Takes a place in a mailbox of another worker: from those that were taken together for an earlier
// message to it, or a new handful. Where somebody waits for room, nobody takes more than he needs.
bool Worker::claim_place(Party& target, std::uint32_t mode, Worker& home) noexcept {
  if (prepaid_for_ == &target && prepaid_ != 0) return --prepaid_, true;
  return_prepaid();
  if ((mode & (bytes_full | few_bytes)) != 0) return false;  // its home judges
  const std::uint32_t limit = (mode & held) != 0 ? target.limit.load(std::memory_order_relaxed)
                                                    : node_.options().absent_limit;
  const std::uint32_t wanted =
      (mode & crowded) != 0 ? 1 : std::clamp<std::uint32_t>(limit / 8, 1, claims_at_once);
  const std::uint64_t taken =
      std::uint64_t{target.claimed.fetch_add(wanted)} + target.queued.load();
  const auto got = static_cast<std::uint32_t>(
      taken >= limit ? 0 : std::min<std::uint64_t>(wanted, limit - taken));
  prepaid_for_ = &target;
  prepaid_home_ = &home;
  prepaid_ = wanted;
  give_back_places(wanted - got);
  if (got == 0) return false;
  --prepaid_;
  return true;
}

void Worker::return_prepaid() noexcept {
  give_back_places(prepaid_);
  prepaid_for_ = nullptr;
}

// Somebody waits for room there: on all workers, places that were taken beforehand are given back.
void Worker::call_in_places(Party& party) {
  for (std::size_t other = 0; other < node_.worker_count(); ++other) {
    if (other == index_) continue;
    node_.worker(other).post(command([&party](Worker& worker) {
      if (worker.prepaid_for_ == &party) worker.return_prepaid();
    }));
  }
}

// Whoever waits for these places learns that they are free.
void Worker::give_back_places(std::uint32_t places) noexcept {
  if (places == 0) return;
  prepaid_ -= places;
  Party* const party = prepaid_for_;
  party->claimed.fetch_sub(places, std::memory_order_seq_cst);
  if ((party->mode.load(std::memory_order_seq_cst) & crowded) == 0) return;
  party->home.load()->post(command([party](Worker& home) {
    if (party->home.load() == &home) home.grant_room(*party, true);
  }));
}

}  // namespace coracle::detail
