// A small society in the simulator whose clearinghouse, or whose nodes, apply a policy drawn at
// random. Its agents really send, ask, call, join, overhear, leave messages behind and look at
// queues; the results are compared with the oracle's.
#pragma once

#include "linked_hosts.hpp"
#include "oracle.hpp"
#include "random_policy.hpp"
#include "realizations/net/src/seeded_random.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::trust {

// The hosts of such a society. The node `storing` sends its messages to the message store on
// `store`.
enum Host : unsigned { first, second, storing, store, server, hosts };

// The names of its agents, and of their group.
inline constexpr const char* judged_names[] = {"lab/a", "lab/b", "den/a", "den/b", "zoo", "zoo/a"};
inline constexpr const char* judged_group = "teams/a";

class JudgedSociety {
 public:
  JudgedSociety(std::uint64_t seed, test::Linked kind);
  ~JudgedSociety();

  // Performs one act; returns the difference from the oracle's result.
  std::string act();
  const std::string& policy() const noexcept { return policy_; }
  // The number of results that were compared, and the number of refusals among them.
  std::uint64_t compared() const noexcept { return compared_; }
  std::uint64_t refused() const noexcept { return refused_; }

 private:
  // An agent, and the texts of the messages and of the copies that it received.
  struct Actor {
    std::string name;
    unsigned host = 0;
    std::deque<std::function<Task<>(Agent&)>> to_do;
    std::multiset<std::string> got, overheard;
    bool has_tap = false;
  };

  static std::string policy_of(Draw& draw);
  Realization node(unsigned host);
  std::shared_ptr<StoreBackend> make_backend();
  void begin(Actor& actor);
  // Has the agent perform `what`, and waits until the society is at rest.
  void have(Actor& actor, std::function<Task<>(Agent&)> what);
  // Has it adopt an agent, whose name its node may register.
  void adopt(Actor& owner, AgentSpec spec, const std::function<std::unique_ptr<Agent>()>& make);
  Actor& any() { return *draw_.of(actors_); }
  Actor& other_than(const Actor& one);
  const Oracle::Member& member(const Actor& actor) const { return members_[actor.host]; }
  bool may_send(const Actor& from, const std::string& to, unsigned host) const;
  std::string compare(const std::string& what, bool is_expected, bool is_so);
  std::string compare_copies(const Actor& from, const Actor* to, const std::string& target,
                             const std::string& text);

  std::string register_name();
  std::string send();
  std::string ask();
  std::string multicast();
  std::string join();
  std::string overhear();
  std::string redirect();
  std::string leave_behind();
  std::string use_tuples();
  std::string look();
  std::string call();
  std::string bury();

  const test::Linked kind_;
  net::SeededRandom random_;
  Draw draw_{random_};
  const std::string policy_;
  Oracle oracle_;
  Oracle::Member members_[4];
  sim::World world_;
  std::unique_ptr<test::LinkedDirectory> service_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Actor>> actors_;
  Actor letters_;  // reads the dead letters, and does nothing else
  std::set<Actor*> joined_;
  std::uint64_t texts_ = 0, compared_ = 0, refused_ = 0, late_ = 0;
};

}  // namespace coracle::trust
