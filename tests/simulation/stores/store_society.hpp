// A society whose message store is on a disk, and whose hosts lose their power, with a judgement of
// the numbers that bob reads there. Stored messages are delivered in order, and not twice without
// the redelivered mark.
#pragma once

#include "faulty_backend.hpp"
#include "linked/linked_hosts.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::test {

class StoreSociety : public Nodes {
 public:
  static constexpr unsigned writer = 0, reader = 1, store = 2, server = 3;

  std::size_t stored() const { return stored_.size(); }
  std::size_t again() const { return again_; }
  // The messages that the message store has by its own count, and their bytes.
  std::uint64_t kept() const { return parts_->backend->counts().messages(); }
  std::uint64_t kept_bytes() const { return parts_->backend->counts().bytes(); }
  // Returns the promises that were broken; empty when all were kept.
  std::string wrong() const;

 protected:
  struct Settings {
    std::uint64_t seed;
    BackendFault fault;
    NodeOptions nodes;  // with no limit on redeliveries
    bool stores;        // the writer's node sends to the store
    int group;          // the count of numbers whose order is checked
    Duration soon;      // the time within which doomed hosts lose power
  };
  explicit StoreSociety(const Settings& settings);

  // These hosts will lose their power soon.
  void doom(const std::vector<unsigned>& hosts);
  bool is_doomed(unsigned host) const { return doomed_.contains(host); }
  // Restarts the clearinghouse if it was doomed; the other doomed hosts are still to be restarted.
  void begin_to_recover();
  void forget_doomed() { doomed_.clear(); }

  void note_stored(int number) { stored_.insert(number); }
  void note_wrong(const std::string& what) { wrong_ += what + "; "; }
  void on(const Message& message);
  // Bob reads `most` messages, or until none comes for `patience`.
  Task<> hear(Agent& bob, int most, Duration patience);
  void check_ledger(unsigned host);
  bool is_complete() const;

 private:
  struct Parts {
    std::unique_ptr<LinkedDirectory> directory;
    std::shared_ptr<StoreBackend> backend;  // of the message store's last start
  };

  StoreSociety(const Settings& settings, const std::shared_ptr<Parts>& parts);
  static Realization node_of(Parts& parts, const Settings& settings, sim::World& world,
                             unsigned host);

  const int group_;
  const Duration soon_;
  const std::shared_ptr<Parts> parts_;
  std::set<unsigned> doomed_;
  int round_ = 0;
  std::set<int> stored_, seen_;
  std::map<int, int> last_;
  std::size_t again_ = 0;
  std::string wrong_;
};

}  // namespace coracle::test
