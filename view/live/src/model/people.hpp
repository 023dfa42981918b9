// The agents, the groups and the nodes of a society, in bounded memory.
// Tests: view/live/tests/people_test.cpp
#pragma once

#include "model/choice.hpp"
#include "model/seen.hpp"

#include "coracle/inspection.hpp"
#include "coracle/view/viewer.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::view {

struct AgentRow {
  Name name;
  std::uint64_t node = 0;  // its lease
  std::vector<std::string> roles, groups;
  Properties properties;
  std::uint64_t sent = 0, received = 0, errors = 0;
  double rate = 0;  // messages that it sends per second
  // As it was seen at the last look, at `looked`.
  std::uint64_t queue = 0;      // messages in its mailbox
  std::uint64_t room = 0;       // the messages that its mailbox holds at most; 0: not known
  std::vector<Name> waits_for;  // the agents for which it waits
  Time waits_since{};           // since then, it waits for the first of these
  std::string waits_what;
  Time looked{};
  std::uint64_t open = 0;  // its requests without a reply
  RunTime running;
  std::optional<double> cpu;  // its share of a processor, between the last two looks
  Time since{};
  bool is_known = false;  // the directory has it; else it was only seen in messages
  std::uint64_t change = 0;
  std::uint64_t sent_before = 0;  // at the last call of measure()
};

// The state of an agent that was inspected.
struct Look {
  std::uint64_t queue = 0, room = 0, open = 0;
  RunTime running = {};
  std::vector<Name> waits_for = {};
  Time waits_since{};
  std::string waits_what = {};
};

class People {
 public:
  // Agents that the directory does not have are left out beyond `strangers`, all beyond `agents`.
  explicit People(std::size_t agents = 50'000, std::size_t strangers = 5'000)
      : most_(agents), most_strangers_(strangers) {}

  // An agent has arrived or has described itself.
  void arrive(const Name& name, std::uint64_t node, std::vector<std::string> roles,
              Properties properties, Time at);
  void leave(const Name& name);
  // Counts a message.
  void count(const Seen& message);
  // Counts an outcome that is an error, for its sender.
  void count_error(const Name& from);
  // An agent was inspected.
  void look(const Name& name, Look look, Time at);
  // The agents that are to be inspected next, at most `most`: first those that wait, or have sent
  // requests, then those on a screen, then all others, of each kind those first that nobody has
  // inspected for the longest time. Each kind gets a share. Agents of the framework are left out.
  std::vector<Name> to_look_at(const std::vector<const Choice*>& screens, std::size_t most) const;
  // Replaces the groups and the nodes; returns whether they have changed.
  bool survey(const Survey& survey);
  // Computes the rates over the time since the last call.
  void measure(Time now);
  void clear();

  const std::map<Name, AgentRow>& agents() const noexcept { return agents_; }
  const AgentRow* find(const Name& name) const noexcept;
  const std::vector<NodeRow>& nodes() const noexcept { return nodes_; }
  const std::vector<std::pair<std::string, std::vector<std::string>>>& groups() const noexcept {
    return groups_;
  }

  // The number of changes so far; a row with a larger `change` is new since then.
  std::uint64_t changes() const noexcept { return changes_; }
  // The names that went after that change; nothing is left out if is_complete_since() it.
  std::vector<Name> gone_since(std::uint64_t change) const;
  bool is_complete_since(std::uint64_t change) const noexcept { return change >= forgotten_; }
  // The change that groups and nodes had last.
  std::uint64_t surveyed() const noexcept { return surveyed_; }

 private:
  AgentRow* row_of(const Name& name, Time at);
  void set_groups(AgentRow& row);

  const std::size_t most_, most_strangers_;
  std::map<Name, AgentRow> agents_;
  std::size_t strangers_ = 0;
  std::vector<NodeRow> nodes_;
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
  std::uint64_t changes_ = 1, surveyed_ = 0, forgotten_ = 0;
  std::map<std::string, std::vector<std::string>> memberships_;  // the groups of each agent
  std::deque<std::pair<std::uint64_t, Name>> gone_;
  Time measured_{};
};

}  // namespace coracle::view
