// Societies of the Central realization, as subjects of the conformance suite.
#pragma once

#include "coracle/realizations/central.hpp"
#include "served_subject.hpp"

namespace coracle::conformance {

// Each society has a server of its own.
Subject central_subject(Way way, unsigned nodes, unsigned workers);
// The server has a folder for the messages that it takes over.
Subject durable_central_subject(Way way, unsigned nodes, unsigned workers);

// Its nodes receive and match messages as `study` says. No other option of `study` has an effect.
Subject studied_central_subject(const std::string& name, const central::Options& study, Way way,
                                unsigned nodes, unsigned workers);

}  // namespace coracle::conformance
