// The honest agents of the society under attack. A message from one of them to another begins with
// "secret:", a message to anybody else with "open:".
#pragma once

#include "coracle/coracle.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::fuzzed {

// Receives the description of a failure.
using Complain = std::function<void(const std::string& what)>;

// Make the agents of the first node, and of the second. Lab/ann performs one act for each of
// `acts`, which outlives the node.
void begin_north(Node& node, const Complain& complain, unsigned& acts);
void begin_south(Node& node, const Complain& complain);

// Sends requests to lab/echo until it replies, a few times at most; then sets `done`.
void ping(Node& node, bool& done);

}  // namespace coracle::fuzzed
