#include "runtime/lease_parties.hpp"

#include "runtime/node_core.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

void LeaseParties::note(LeaseId lease, Party& party) {
  const std::lock_guard lock(mutex_);
  Noted& noted = noted_[lease];
  if (!noted.parties.empty() && noted.parties.back() == &party) return;
  if (noted.parties.size() >= noted.longest) {
    noted.drop_repeated();
    noted.longest = std::max(noted.longest, 2 * noted.parties.size());
  }
  noted.parties.push_back(&party);
}

std::vector<Party*> LeaseParties::of(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const auto found = noted_.find(lease);
  if (found == noted_.end()) return {};
  found->second.drop_repeated();
  return found->second.parties;
}

void LeaseParties::forget(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  noted_.erase(lease);
}

// The order is that of their first notes, not of where they lie, so that a run can be repeated.
void LeaseParties::Noted::drop_repeated() {
  std::vector<std::pair<Party*, std::size_t>> sorted;
  sorted.reserve(parties.size());
  for (Party* const party : parties) sorted.emplace_back(party, sorted.size());
  std::sort(sorted.begin(), sorted.end());
  const auto is_same = [](const auto& a, const auto& b) { return a.first == b.first; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  const auto by_note = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::sort(sorted.begin(), sorted.end(), by_note);
  parties.clear();
  for (const auto& [party, note] : sorted) parties.push_back(party);
}

void note_lease(Worker& home, Party& party, LeaseId lease) {
  if (lease == 0) return;
  home.node().lease_parties().note(lease, party);
  // A thread that takes the lease for gone from now on finds the note.
  if (!home.node().remote()->is_gone(lease)) return;
  home.post(command([&party, lease](Worker&) {
    at_home(party, [lease](Worker& there, Party& one) {
      // When it is back, the party was looked at again, or will be.
      if (there.node().remote()->is_gone(lease)) there.on_peer_gone(one, lease);
    });
  }));
}

}  // namespace coracle::detail
