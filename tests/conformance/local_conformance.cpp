// Runs the conformance suite on the Local realization, with one worker, with two, and without
// threads.
#include "subjects/local_subject.hpp"

namespace coracle::conformance {

namespace {

const bool registered_local =
    run_conformance("local", {local_subject(1), local_subject(2), local_subject(0)});

}  // namespace

}  // namespace coracle::conformance
