// The Local realization as a subject of the conformance suite.
#pragma once

#include "subject.hpp"

namespace coracle::conformance {

// `workers` is the number of its workers; with 0, a loop takes the turns of its node.
Subject local_subject(unsigned workers);

}  // namespace coracle::conformance
