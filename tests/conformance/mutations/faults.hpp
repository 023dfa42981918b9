// Mutations for the tests of the tests: parts of a realization that break one promise each, and
// edits of a good trace.
#pragma once

#include "coracle/realization.hpp"
#include "model/trace.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coracle::conformance {

// A broken part. When `broken` is false, the same wrapper does everything right.
struct FaultyPart {
  std::string name;  // as in "a_transport_that_reorders"
  std::string sentence;  // the case of the suite that must fail
  std::string noticed;   // the text that its failure must contain
  std::function<void(Realization& realization, bool broken)> plant;
};

std::vector<FaultyPart> faulty_transports();
std::vector<FaultyPart> faulty_queues();
std::vector<FaultyPart> faulty_directories();

// An edit that makes a trace impossible.
struct FaultyEdit {
  std::string name;
  int promise = 0;      // the promise that the edit breaks
  std::string noticed;  // a part of the text that the model must return
  std::function<void(Trace& trace)> edit;
};

// A small trace that the model allows and in which every kind of event occurs.
Trace good_trace();
std::vector<FaultyEdit> faulty_edits();

}  // namespace coracle::conformance
