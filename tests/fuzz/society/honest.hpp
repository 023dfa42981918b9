// The honest agents of the society that is attacked. What one of them says to another begins with
// "secret:", what it says to anybody else with "open:".
#pragma once

#include "coracle/coracle.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::fuzzed {

// Told what went wrong.
using Complain = std::function<void(const std::string& what)>;

// Makes those of the first node, and those of the second. Lab/ann does one thing for each of
// `acts`, which outlives the node.
void begin_north(Node& node, const Complain& complain, unsigned& acts);
void begin_south(Node& node, const Complain& complain);

// Asks lab/echo until it answers, and then sets `done`; a few times at most.
void ping(Node& node, bool& done);

}  // namespace coracle::fuzzed
