// Recognizes the structures of caf and dispel in the messages of a society: councils, contract
// nets, markets, game trees, layers and pipelines. It is pure: messages go in, records of the feed
// come out. Contents of strangers that cannot be decoded are left out.
// Tests: view/live/tests/decisions_test.cpp
#pragma once

#include "model/seen.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace coracle::view {

// A record of something that a structure did.
struct DecisionRecord {
  std::string kind;  // "council", "contract", "market", "game", "layers" or "pipeline"
  std::string id;  // of the decision, the contract, …: records with the same one belong together
  Time at{};
  std::string what;
  boost::json::object more;  // further members, by kind
};

class Decisions {
 public:
  // Keeps the last `records` records, and the state of at most `open` things of each kind.
  explicit Decisions(std::size_t records = 2000, std::size_t open = 200)
      : most_records_(records), most_open_(open) {}

  // Looks at a message.
  void see(const Seen& message);
  // Connects two agents by a wire of a subsumption architecture: "signals", "suppresses" or
  // "inhibits".
  void connect(const Name& from, const Name& to, std::string effect);
  void clear();

  // The records that are kept, the oldest first; its serial is first().
  const std::deque<DecisionRecord>& records() const noexcept { return records_; }
  std::uint64_t first() const noexcept { return first_; }

 private:
  // The votes of a decision so far.
  struct Ballots {
    std::vector<std::string> alternatives;
    std::map<std::string, std::vector<std::string>> votes;  // by voter, the best first
    std::uint32_t round = 0;
  };
  // The items between two stages of a pipeline.
  struct Pipe {
    std::uint64_t sent = 0, done = 0, batches = 0;  // units, and messages with some
  };

  void council(const Seen& message, std::string_view type);
  void contract(const Seen& message, std::string_view type);
  void market(const Seen& message, std::string_view type);
  void game(const Seen& message, std::string_view type);
  void pipeline(const Seen& message, std::string_view type);
  void layer(const Seen& message);
  void record(const Seen& message, std::string_view kind, std::string id, std::string_view what,
              boost::json::object more = {});
  template <class State>
  State& state_of(std::map<std::string, State>& states, const std::string& id) {
    const auto found = states.find(id);
    if (found != states.end()) return found->second;
    if (states.size() >= most_open_) states.erase(states.begin());
    return states[id];
  }

  const std::size_t most_records_, most_open_;
  std::deque<DecisionRecord> records_;
  std::uint64_t first_ = 0;
  std::map<std::string, Ballots> ballots_;
  std::map<std::string, Pipe> pipes_;
  std::map<std::pair<Name, Name>, std::string> wires_;
};

}  // namespace coracle::view
