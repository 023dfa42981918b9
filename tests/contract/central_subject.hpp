// Societies of the Central realization, as subjects of the contract.
#pragma once

#include "coracle/realizations/central.hpp"
#include "served_subject.hpp"

namespace coracle::contract {

// With a server of their own.
Subject central_subject(Way way, unsigned nodes, unsigned workers);
// The server has a folder for what it takes over.
Subject durable_central_subject(Way way, unsigned nodes, unsigned workers);

// Its nodes are given and match messages as `study` says, of which nothing else counts.
Subject studied_central_subject(const std::string& name, const central::Options& study, Way way,
                                unsigned nodes, unsigned workers);

}  // namespace coracle::contract
