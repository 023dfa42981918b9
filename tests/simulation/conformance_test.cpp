// Runs the whole conformance suite in the simulator, in virtual time: every promise that holds on
// threads holds there, too.
#include "subjects.hpp"

namespace coracle::conformance {

namespace {

const bool registered = run_conformance(
    "conformance",
    {simulated_subject(1), simulated_subject(2), simulated_subject(2, 2, false),
     spread_subject(2, 1), spread_subject(3, 2), linked_subject(2, 1), linked_subject(3, 2)});

}  // namespace

}  // namespace coracle::conformance
