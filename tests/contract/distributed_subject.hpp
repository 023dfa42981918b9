// Societies of the Distributed realization, as subjects of the contract.
#pragma once

#include "served_subject.hpp"

namespace coracle::contract {

// With a directory of their own.
Subject distributed_subject(Way way, unsigned nodes, unsigned workers);

}  // namespace coracle::contract
