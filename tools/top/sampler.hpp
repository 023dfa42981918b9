// Reads the counts of the agents of a society, for coracle top.
#pragma once

#include "commands.hpp"
#include "service_place.hpp"
#include "top/state.hpp"

#include "coracle/node.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coracle::command {

class Sampler {
 public:
  // The agents that a round inspects at most: a node replies to 16 inspections of another node in a
  // second.
  static constexpr std::size_t in_a_round = 14;

  // Opens the society. Fails as coracle queue does.
  explicit Sampler(const TopSettings& settings);

  // Takes a second, or less if `is_over` becomes true. Inspects the agents that handled most
  // messages since they were inspected before, and takes turns among the others. Of those that it
  // does not inspect, it has the former counts.
  std::vector<Measured> round(const std::function<bool()>& is_over);
  // The agents that were not inspected yet.
  std::size_t unseen() const;

 private:
  // An agent, and the messages that it handled between its last two inspections, in a second.
  struct Row {
    Measured counts;
    double rate = 0;
  };

  void list();
  std::vector<std::string> to_inspect();
  void measure(const std::string& name);

  const std::string prefix_;
  const ServicePlace service_;
  Node node_;
  std::map<std::string, Row> rows_;
  Time listed_ = {};
  std::string next_;  // the name at which the next turn among all agents goes on
};

}  // namespace coracle::command
