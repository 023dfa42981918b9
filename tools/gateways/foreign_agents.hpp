// The agents of other systems that coracle gateway a2a brings into the society.
#pragma once

#include "commands.hpp"

#include "coracle/http/client.hpp"
#include "coracle/node.hpp"

#include <deque>

namespace coracle::command {

// Makes an agent of the society for each NAME=ADDRESS, with its proofs. Each has a client of its
// own, so that a server that takes its time holds up no agent of another one. `clients` outlives
// the node. Fails with Errc::bad_options, and as web::read_secret_file() does.
void create_foreign_agents(Node& node, http::Loop& loop, std::deque<http::Client>& clients,
                           const A2aSettings& settings);

}  // namespace coracle::command
