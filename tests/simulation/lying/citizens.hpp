// The honest agents of a society with a liar: what they do is drawn by the seed.
#pragma once

#include "coracle/node.hpp"
#include "witness.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::test::lying {

// What all of them share.
struct Town {
  Town(Witness& by, Random& of) : witness(by), random(of) {}

  Witness& witness;
  Random& random;
  std::vector<std::string> everybody;  // honest agents that are there from the beginning
  std::vector<std::string> absent;     // that come at the end
  unsigned busy = 0;                   // that have not done what they wanted to
  std::multiset<std::string> doing;    // what they wait for
  bool is_over = false;                // they end now, and nobody is to wonder
};

// Reads all that comes, and answers.
class Citizen final : public Agent {
 public:
  // Does so many things, one after the other.
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
  Task<> tell_team();
  Task<> join_team();
  Task<> listen();

  std::string somebody();
  std::string anybody();

  Town& town_;
  const unsigned things_;
  bool lives_ = false;
};

}  // namespace coracle::test::lying
