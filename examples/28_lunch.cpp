// Three friends and a council that decides where they eat: everyone offers alternatives, all see
// the complete list, all vote.
#include <coracle/caf/council.hpp>
#include <coracle/caf/peer.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;

class Friend : public caf::Peer {
 public:
  explicit Friend(std::vector<std::string> likes) : likes_(std::move(likes)) {}

 protected:
  std::vector<std::string> propose(const caf::Call&) override { return {likes_.front()}; }

  caf::Ballot vote(const caf::Agenda& agenda) override {
    caf::Ballot ballot;
    for (const std::string& each : likes_) {
      const caf::Candidate place = agenda.find(each);
      if (place != caf::nobody) ballot.ranking.push_back(place);
    }
    return ballot;
  }

  void on_decision(const caf::Decision&) override { retire(); }

 private:
  std::vector<std::string> likes_;  // best first
};

class Hungry : public Agent {
 public:
  Task<> run() override {
    caf::Motion motion;
    motion.subject = "Where do we eat?";
    const caf::Decision decision = co_await caf::decide(*this, "council", motion);
    std::cout << motion.subject << ' ' << (decision.decided ? decision.winner : decision.why)
              << '\n';
  }
};

// A council that checks its own count by counting again.
class CarefulCouncil : public caf::Council {
 public:
  using caf::Council::Council;

 protected:
  void on_record(const caf::Record& record) override {
    for (const caf::CastBallot& cast : record.polls.front().ballots) {
      std::cout << record.roll->members()[cast.member].name << ':';
      for (const caf::Candidate place : cast.ballot.ranking)
        std::cout << ' ' << record.alternatives[place].text;
      std::cout << '\n';
    }
    const caf::Recount again = caf::recount(record);
    std::cout << "counted again: " << again.decision.winner << '\n';
  }
};

int main() {
  Node node(open());
  std::vector<caf::Member> members;
  for (const char* name : {"ann", "bob", "cy"}) members.push_back({name, 1, {}});
  caf::Charter charter;
  charter.rule = caf::schulze();
  charter.ties = caf::Ties({caf::second_rule(caf::borda()), caf::random()});
  auto council = std::make_unique<CarefulCouncil>(charter, members);
  council->adjourn_after(1);
  using Likes = std::vector<std::string>;
  node.create<Friend>("ann", Likes{"noodles", "soup", "pizza"});
  node.create<Friend>("bob", Likes{"pizza", "soup", "noodles"});
  node.create<Friend>("cy", Likes{"soup", "pizza", "noodles"});
  node.adopt("council", std::move(council));
  node.create<Hungry>("dan");
  node.wait();
}
