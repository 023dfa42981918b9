#include "architectures/graph.hpp"

#include "harness/run/failures.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace coracle::bench {

namespace {

constexpr std::size_t most_agents = 1000;

std::pair<std::uint32_t, std::uint32_t> two_numbers(std::string_view shape, const char* what) {
  const std::size_t dash = shape.find('-');
  const std::uint32_t first = count_of(shape.substr(0, dash));
  const std::uint32_t second =
      dash == std::string_view::npos ? 0 : count_of(shape.substr(dash + 1));
  if (first == 0 || second == 0) {
    throw BadRequest(fmt::format("'{}' is none of {}, such as 3-2", shape, what));
  }
  return {first, second};
}

void refuse_size(std::string_view shape, std::size_t agents) {
  if (agents >= 2 && agents <= most_agents) return;
  throw BadRequest(
      fmt::format("'{}' has {} agents; there have to be 2 to {}", shape, agents, most_agents));
}

Graph with_agents(std::string_view shape, std::size_t agents) {
  refuse_size(shape, agents);
  Graph graph;
  graph.shape = shape;
  graph.neighbours.resize(agents);
  return graph;
}

void connect(Graph& graph, std::size_t one, std::size_t other) {
  graph.neighbours[one].push_back(static_cast<std::uint32_t>(other));
  graph.neighbours[other].push_back(static_cast<std::uint32_t>(one));
}

}  // namespace

std::uint32_t count_of(std::string_view text) noexcept {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

std::size_t Graph::connections() const noexcept {
  std::size_t ends = 0;
  for (const auto& each : neighbours) ends += each.size();
  return ends / 2;
}

std::string_view to_string(Bond bond) noexcept {
  if (bond == Bond::among_councillors) return "c-c";
  return bond == Bond::to_councillor ? "c-p" : "p-p";
}

Bond bond_of(const Graph& graph, std::uint32_t one, std::uint32_t other) {
  if (graph.is_councillor.empty()) return Bond::among_peers;
  const int councillors = int{graph.is_councillor[one]} + int{graph.is_councillor[other]};
  return static_cast<Bond>(councillors);
}

Graph fully_connected(std::string_view shape) {
  if (count_of(shape) == 0) {
    throw BadRequest(fmt::format("'{}' is no number of agents, such as 6", shape));
  }
  Graph graph = with_agents(shape, count_of(shape));
  for (std::size_t one = 0; one < graph.agents(); ++one) {
    for (std::size_t other = 0; other < one; ++other) connect(graph, one, other);
  }
  return graph;
}

Graph council_of_groups(std::string_view shape) {
  const auto [groups, members] = two_numbers(shape, "GROUPS-MEMBERS");
  Graph graph = with_agents(shape, std::size_t{groups} * members);
  graph.is_councillor.resize(graph.agents());
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t first = group * members;
    graph.is_councillor[first] = true;
    for (std::size_t before = 0; before < first; before += members) connect(graph, first, before);
    for (std::size_t one = first; one < first + members; ++one) {
      for (std::size_t other = first; other < one; ++other) connect(graph, one, other);
    }
  }
  return graph;
}

Graph tree(std::string_view shape) {
  const auto [levels, children] = two_numbers(shape, "LEVELS-CHILDREN");
  std::size_t agents = 0;
  std::size_t on_level = 1;
  for (std::uint32_t level = 0; level < levels && agents <= most_agents; ++level) {
    agents += on_level;
    on_level *= children;
  }
  Graph graph = with_agents(shape, agents);
  for (std::size_t child = 1; child < agents; ++child) {
    connect(graph, child, (child - 1) / children);
  }
  return graph;
}

}  // namespace coracle::bench
