// The arrangements of agents whose exchange the original paper measured: all connected with all,
// groups with a council of their councillors, trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

// The connections between agents. Agents are numbered from zero.
struct Graph {
  std::string shape;  // as requested: "6", "3-6"
  std::vector<std::vector<std::uint32_t>> neighbours;
  std::vector<bool> is_councillor;  // empty when there are none

  std::size_t agents() const noexcept { return neighbours.size(); }
  std::size_t connections() const noexcept;
};

// The kinds of connections, by whether the ends are councillors.
enum class Bond : std::uint8_t { among_peers, to_councillor, among_councillors };
inline constexpr std::size_t bonds = 3;

// "p-p", "c-p" or "c-c".
std::string_view to_string(Bond bond) noexcept;
// The kind of the connection of two agents. All agents of a graph without councillors are peers.
Bond bond_of(const Graph& graph, std::uint32_t one, std::uint32_t other);

// Returns the number from 1 on that `text` is; otherwise zero.
std::uint32_t count_of(std::string_view text) noexcept;

// Each of these functions reads a shape, and fails with BadRequest when the text is no shape.
// "6": six agents, all connected with each other.
Graph fully_connected(std::string_view shape);
// "3-6": three groups of six, each with its councillor among the six; the councillors are
// connected with each other.
Graph council_of_groups(std::string_view shape);
// "4-2": four levels, two children for each agent above the last.
Graph tree(std::string_view shape);

}  // namespace coracle::bench
