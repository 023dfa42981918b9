// Faults to plant: parts of a realization that break one promise each, and edits of a good trace.
#pragma once

#include "coracle/realization.hpp"
#include "trace.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coracle::contract {

// A part that is broken, or, when not `broken`, the same wrapper that does everything right.
struct PlantedPart {
  std::string name;  // as in "a_transport_that_reorders"
  std::string sentence;  // the case of the contract that must notice
  std::string noticed;   // what it must say, or part of it
  std::function<void(Realization& realization, bool broken)> plant;
};

std::vector<PlantedPart> planted_transports();
std::vector<PlantedPart> planted_queues();
std::vector<PlantedPart> planted_directories();

// An edit that makes a trace impossible.
struct PlantedEdit {
  std::string name;
  int promise = 0;      // that is broken by it
  std::string noticed;  // part of what the model must say
  std::function<void(Trace& trace)> edit;
};

// A small trace in which everything happens that the model knows, and rightly so.
Trace good_trace();
std::vector<PlantedEdit> planted_edits();

}  // namespace coracle::contract
