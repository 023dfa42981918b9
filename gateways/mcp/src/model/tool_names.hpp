// Names of agents as names of tools. Assistants accept ASCII letters, digits, `_` and `-` only.
// Tests: gateways/mcp/tests/tool_names_test.cpp
#pragma once

#include "coracle/name.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::mcp {

// The longest name of a tool that clients need to accept.
inline constexpr std::size_t longest_tool_name = 128;

// Writes a text with letters that tools may have, so that no two texts become the same: `/` becomes
// `__`, and any other byte is written as `_xHH` if necessary. `lab/robot_1` becomes `lab__robot_1`.
std::string to_tool_text(std::string_view text);
// Reads it again; nothing if to_tool_text() does not write so.
std::optional<std::string> from_tool_text(std::string_view text);

// The tool by which an agent is asked: `ask_lab__robot_1`; nothing if that is too long.
std::optional<std::string> ask_tool(const Name& agent);
// The tool of one of its remote functions: `call_lab__robot_1__plan`. Fails with Errc::bad_options
// if that is too long.
std::string call_tool(const Name& agent, std::string_view function);

}  // namespace coracle::mcp
