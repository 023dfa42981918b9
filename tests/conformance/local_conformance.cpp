// Runs the conformance suite on the Local realization, with one worker and with two.
#include "subjects/local_subject.hpp"

namespace coracle::conformance {

namespace {

const bool registered_local = run_conformance("local", {local_subject(1), local_subject(2)});

}  // namespace

}  // namespace coracle::conformance
