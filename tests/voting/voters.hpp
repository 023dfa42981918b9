// Peers and councils that do what a test tells them, and the realizations that they are tested on.
#pragma once

#include "coracle/caf/council.hpp"
#include "coracle/caf/peer.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/society.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf::test {

using namespace std::chrono_literals;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::Society;
using coracle::test::start;

// What each voter heard of decisions and refusals, by any thread of its society.
class Heard {
 public:
  void decision(const std::string& who, const Decision& decision);
  void refusal(const std::string& who, const Refusal& refusal);
  std::vector<std::pair<std::string, Decision>> decisions() const;
  std::vector<std::pair<std::string, Refusal>> refusals() const;

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::pair<std::string, Decision>> decisions_;
  std::vector<std::pair<std::string, Refusal>> refusals_;
};

// How a voter is.
struct Mind {
  std::vector<std::string> proposes;
  // What it likes, best first; it ranks those of them that are on the agenda.
  std::vector<std::string> likes;
  // What it does instead, if anything.
  std::function<Ballot(const Agenda&)> votes;
  // How long it takes for each answer; it ends in the middle of one instead.
  Duration takes{};
  bool crashes = false;
};

class Voter : public Peer {
 public:
  Voter(Mind mind, Heard& heard, Random& random)
      : Peer(random), mind_(std::move(mind)), heard_(heard) {}

 protected:
  Task<std::vector<std::string>> consider_call(const Call& call) override;
  Task<Ballot> consider_agenda(const Agenda& agenda) override;
  void on_decision(const Decision& decision) override { heard_.decision(name().str(), decision); }
  void on_refusal(const Refusal& refusal) override { heard_.refusal(name().str(), refusal); }

 private:
  Mind mind_;
  Heard& heard_;
};

// The members of that many voters: "peer/0", "peer/1" …
std::vector<Member> members(std::size_t count);
std::string peer_name(std::size_t number);

// A council "council" of voters, and a node for them. Random numbers are the same in each run.
class Assembly {
 public:
  explicit Assembly(Realization realization, unsigned workers = 1);

  // Makes the voters and their council, and runs `body` as an agent beside them.
  void run(Charter charter, std::vector<Mind> minds, coracle::test::Body body);
  // The same, where the test makes its council itself.
  void run_voters(std::vector<Mind> minds, coracle::test::Body body);

  Heard& heard() noexcept { return heard_; }
  Random& random() noexcept { return random_; }
  Node& node() noexcept { return society_.node(); }

 private:
  class Numbers final : public Random {
   public:
    std::uint64_t next() override { return state_ += 0x9e3779b97f4a7c15U; }

   private:
    std::atomic<std::uint64_t> state_{1};
  };

  Heard heard_;
  Numbers random_;
  Society society_;
};

// One way to be a society.
struct Ground {
  std::string name;
  std::function<Realization()> open;
  unsigned workers = 1;
};

// All that voting is tested on. A realization is added here, in one line.
const std::vector<Ground>& grounds();

// Registers `cases` for each ground as test cases of `suite`.
struct Case {
  std::string sentence;
  void (*prove)(Assembly& assembly);
};
bool on_every_ground(const std::string& suite, std::vector<Case> cases);

// The record of a decision, from the council.
Task<Record> record_of(Agent& me, DecisionId id);

}  // namespace coracle::caf::test
