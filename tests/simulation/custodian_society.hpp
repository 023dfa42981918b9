// A society whose custodian keeps its messages on a disk, and whose hosts lose their power; and
// what is to be said of the numbers that bob reads there. What was stored is given, in order, and
// not twice without a mark.
#pragma once

#include "linked_hosts.hpp"
#include "slipping_custody.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::test {

class CustodianSociety : public Nodes {
 public:
  static constexpr unsigned writer = 0, reader = 1, keeper = 2, server = 3;

  std::size_t stored() const { return stored_.size(); }
  std::size_t again() const { return again_; }
  // What is not as it was promised.
  std::string wrong() const;

 protected:
  struct Settings {
    std::uint64_t seed;
    Slip slip;
    NodeOptions nodes;  // where a message is given again however often it is given back
    bool entrusts;      // the writer's node does
    int group;          // so many numbers have an order
    Duration soon;      // within which who is doomed loses its power
  };
  explicit CustodianSociety(const Settings& settings);

  // These are to lose their power soon.
  void doom(const std::vector<unsigned>& hosts);
  bool is_doomed(unsigned host) const { return doomed_.contains(host); }
  // The clearinghouse begins again if it was doomed; who else was is still to.
  void begin_to_recover();
  void forget_doomed() { doomed_.clear(); }

  void note_stored(int number) { stored_.insert(number); }
  void on(const Message& message);
  // Bob reads so many, or until none comes for `patience`.
  Task<> hear(Agent& bob, int most, Duration patience);
  void check_ledger(unsigned host);
  bool is_complete() const;

 private:
  using Service = std::shared_ptr<std::unique_ptr<LinkedDirectory>>;

  CustodianSociety(const Settings& settings, const Service& service);

  const int group_;
  const Duration soon_;
  const Service service_;
  std::set<unsigned> doomed_;
  int round_ = 0;
  std::set<int> stored_, seen_;
  std::map<int, int> last_;
  std::size_t again_ = 0;
  std::string wrong_;
};

}  // namespace coracle::test
