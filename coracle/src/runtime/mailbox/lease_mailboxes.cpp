#include "lease_mailboxes.hpp"

#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

void LeaseMailboxes::note(LeaseId lease, Mailbox& mailbox) {
  const std::lock_guard lock(mutex_);
  Noted& noted = noted_[lease];
  if (!noted.mailboxes.empty() && noted.mailboxes.back() == &mailbox) return;
  if (noted.mailboxes.size() >= noted.longest) {
    noted.drop_repeated();
    noted.longest = std::max(noted.longest, 2 * noted.mailboxes.size());
  }
  noted.mailboxes.push_back(&mailbox);
}

std::vector<Mailbox*> LeaseMailboxes::of(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const auto found = noted_.find(lease);
  if (found == noted_.end()) return {};
  found->second.drop_repeated();
  return found->second.mailboxes;
}

void LeaseMailboxes::forget(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  noted_.erase(lease);
}

// The order is that of the first notes, not of the addresses, so that a run can be repeated.
void LeaseMailboxes::Noted::drop_repeated() {
  std::vector<std::pair<Mailbox*, std::size_t>> sorted;
  sorted.reserve(mailboxes.size());
  for (Mailbox* const mailbox : mailboxes) sorted.emplace_back(mailbox, sorted.size());
  std::sort(sorted.begin(), sorted.end());
  const auto is_same = [](const auto& a, const auto& b) { return a.first == b.first; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  const auto by_note = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::sort(sorted.begin(), sorted.end(), by_note);
  mailboxes.clear();
  for (const auto& [mailbox, note] : sorted) mailboxes.push_back(mailbox);
}

void note_lease(Worker& home, Mailbox& mailbox, LeaseId lease) {
  if (lease == 0) return;
  home.node().lease_mailboxes().note(lease, mailbox);
  // A thread that from now on considers the lease gone finds the note.
  if (!home.node().remote()->peers().is_gone(lease)) return;
  home.post(command([&mailbox, lease](Worker&) {
    at_home(mailbox, [lease](Worker& there, Mailbox& one) {
      // When the lease is back, the mailbox was looked at again, or will be.
      if (there.node().remote()->peers().is_gone(lease)) on_peer_gone(there, one, lease);
    });
  }));
}

}  // namespace coracle::detail
