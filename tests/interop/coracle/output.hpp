// The lines that the player prints: answers to commands, and events. Any thread may print.
#pragma once

#include "json.hpp"

#include <cstdint>
#include <string_view>

namespace coracle::player {

void print(const json::object& line);
void print_answer(std::int64_t id, json::object fields);
void print_refusal(std::int64_t id, std::string_view reason);

}  // namespace coracle::player
