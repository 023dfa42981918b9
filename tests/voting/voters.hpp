// Peers and councils that do what a test specifies.
#pragma once

#include "coracle/caf/council.hpp"
#include "coracle/caf/peer.hpp"
#include "support/numbers.hpp"
#include "support/societies/grounds.hpp"

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
using coracle::test::on_every_ground;
using coracle::test::start;

// The decisions and refusals that each voter received, from any thread of its society.
class Received {
 public:
  void decision(const std::string& who, const Decision& decision);
  void refusal(const std::string& who, const Refusal& refusal);
  std::vector<std::pair<std::string, Decision>> decisions() const;
  std::vector<std::pair<std::string, Refusal>> refusals() const;

 private:
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::pair<std::string, Decision>> decisions_;
  std::vector<std::pair<std::string, Refusal>> refusals_;
};

// The behaviour of a voter.
struct Mind {
  std::vector<std::string> proposes;
  // Its preferences, best first; it ranks those of them that are on the agenda.
  std::vector<std::string> likes;
  // The ballot that it sends instead, if there is one.
  std::function<Ballot(const Agenda&)> votes;
  // The time that it takes for each answer; if it crashes, it ends in the middle of one.
  Duration takes{};
  bool crashes = false;
};

class Voter : public Peer {
 public:
  Voter(Mind mind, Received& received, Random& random)
      : Peer(random), mind_(std::move(mind)), received_(received) {}

 protected:
  Task<std::vector<std::string>> consider_call(const Call& call) override;
  Task<Ballot> consider_agenda(const Agenda& agenda) override;
  void on_decision(const Decision& decision) override {
    received_.decision(name().str(), decision);
  }
  void on_refusal(const Refusal& refusal) override { received_.refusal(name().str(), refusal); }

 private:
  Mind mind_;
  Received& received_;
};

// The members of that many voters: "peer/0", "peer/1" …
std::vector<Member> members(std::size_t count);
std::string peer_name(std::size_t number);

// A council "council" of voters, and a society for them.
class Assembly : public coracle::test::Place {
 public:
  using Place::Place;

  // Makes the voters and their council, and runs `body` as an agent beside them.
  void run(Charter charter, std::vector<Mind> minds, coracle::test::Body body);
  // The same, but the test makes its council itself.
  void run_voters(std::vector<Mind> minds, coracle::test::Body body);

  Received& received() noexcept { return received_; }
  Random& random() noexcept { return random_; }

 private:
  Received received_;
  coracle::test::Numbers random_;
};

// The record of a decision, from the council.
Task<Record> record_of(Agent& me, DecisionId id);

}  // namespace coracle::caf::test
