// Societies of the Distributed realization, as subjects of the conformance suite.
#pragma once

#include "served_subject.hpp"

namespace coracle::conformance {

// Each society has a directory of its own.
Subject distributed_subject(Way way, unsigned nodes, unsigned workers);

}  // namespace coracle::conformance
