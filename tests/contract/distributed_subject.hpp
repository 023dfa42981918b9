// Societies of the Distributed realization, as subjects of the contract.
#pragma once

#include "subject.hpp"

namespace coracle::contract {

// The way that messages take between its nodes.
enum class Way : std::uint8_t { unix_socket, tcp };

// Agents on `nodes` nodes of one process, which speak over sockets of this machine, and a directory
// of their own.
Subject distributed_subject(Way way, unsigned nodes, unsigned workers);

}  // namespace coracle::contract
