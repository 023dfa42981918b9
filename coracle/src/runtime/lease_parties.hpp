// Which names each lease has to do with: so its end concerns these, however many names the node
// knows. Safe to use from every thread.
#pragma once

#include "coracle/transport.hpp"

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

class Party;
class Worker;

class LeaseParties {
 public:
  // A party that was noted before is not noted twice for long.
  void note(LeaseId lease, Party& party);
  // In the order in which they were noted.
  std::vector<Party*> of(LeaseId lease);
  void forget(LeaseId lease);

 private:
  struct Noted {
    void drop_repeated();

    std::vector<Party*> parties;
    std::size_t longest = 64;  // before the repeated ones are dropped
  };

  std::mutex mutex_;  // guards everything
  std::unordered_map<LeaseId, Noted> noted_;
};

// The party names that lease from now on: as its holder's, as that of a node that has sent to it,
// knocks at it, or keeps messages of it. This is called at the party's home, before or after it
// does. When the lease is gone already, the party hears of that soon.
void note_lease(Worker& home, Party& party, LeaseId lease);

}  // namespace coracle::detail
