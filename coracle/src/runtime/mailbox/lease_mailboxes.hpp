// The names that each lease concerns. The end of a lease affects only these, however many names the
// node knows. Safe to use from every thread.
#pragma once

#include "coracle/transport.hpp"

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

class Mailbox;
class Worker;

class LeaseMailboxes {
 public:
  // Notes a mailbox; one that was noted before is not listed twice for long.
  void note(LeaseId lease, Mailbox& mailbox);
  // Returns the mailboxes in the order in which they were noted.
  std::vector<Mailbox*> of(LeaseId lease);
  void forget(LeaseId lease);

 private:
  struct Noted {
    void drop_repeated();

    std::vector<Mailbox*> mailboxes;
    std::size_t longest = 64;  // before the repeated ones are dropped
  };

  std::mutex mutex_;  // guards everything
  std::unordered_map<LeaseId, Noted> noted_;
};

// From now on the mailbox refers to that lease: as its holder's, or as that of a node that has sent
// to it, requests a slot in it, or keeps messages of it. Called at the mailbox's home, before or
// after it begins to refer to the lease. When the lease is already gone, the mailbox is notified
// soon.
void note_lease(Worker& home, Mailbox& mailbox, LeaseId lease);

}  // namespace coracle::detail
