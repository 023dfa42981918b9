// The honest agents of a society with a liar; the seed draws their actions.
#pragma once

#include "coracle/node.hpp"
#include "witness.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::test::lying {

// The state that all citizens share.
struct Town {
  Town(Witness& by, Random& of) : witness(by), random(of) {}

  Witness& witness;
  Random& random;
  std::vector<std::string> everybody;  // honest agents that are there from the beginning
  std::vector<std::string> absent;     // agents that start at the end
  unsigned busy = 0;                   // the number of agents that have not finished
  std::multiset<std::string> doing;    // the operations for which they wait
  bool is_over = false;                // the agents end now, which is no failure
};

// Reads all its messages, and replies.
class Citizen final : public Agent {
 public:
  // Performs `things` actions, one after the other.
  Citizen(Town& town, unsigned things) : town_(town), things_(things) {}
  ~Citizen() override;
  Task<> run() override;

 private:
  Task<> read();
  Task<> live();
  Task<> answer(Message request);
  Task<> act();
  Task<> begin(std::uint64_t what);
  Task<> send(std::string to);
  Task<> follow(std::string to);
  Task<> ask_one(std::string to);
  Task<> send_to_team();
  Task<> join_team();
  Task<> listen();

  std::string somebody();
  std::string anybody();

  Town& town_;
  const unsigned things_;
  bool lives_ = false;
};

}  // namespace coracle::test::lying
