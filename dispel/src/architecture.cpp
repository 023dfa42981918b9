#include "coracle/dispel/architecture.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace coracle::dispel {

namespace {

constexpr std::string_view prefix_of_roles = "role.";
constexpr std::string_view prefix_of_deeds = "does.";
constexpr std::size_t most_agents = 10'000;

// The shape of a role in a drawing, and the verb of its arrows.
struct Icon {
  const char* shape;
  const char* verb;
};

const Icon& icon_of(const std::string& role) {
  static const std::map<std::string, Icon> icons = {
      {"source", {"house", "supplies"}}, {"filter", {"trapezium", "supplies"}},
      {"sink", {"invhouse", ""}},        {"client", {"ellipse", "asks"}},
      {"server", {"box", ""}},           {"master", {"doubleoctagon", "commands"}},
      {"slave", {"octagon", ""}},        {"behaviour", {"component", "signals"}},
      {"keeper", {"note", "keeps"}}};
  static const Icon other = {"plaintext", "deals with"};
  const auto found = icons.find(role);
  return found == icons.end() ? other : found->second;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
  return text;
}

void draw(const Entry& entry, Architecture& drawing) {
  DrawnAgent agent;
  agent.name = entry.name.str();
  for (const auto& [key, value] : entry.properties.all()) {
    const auto* names = std::get_if<std::string>(&value);
    const bool is_role = key.starts_with(prefix_of_roles);
    if (names == nullptr || (!is_role && !key.starts_with(prefix_of_deeds))) continue;
    const std::string what = key.substr((is_role ? prefix_of_roles : prefix_of_deeds).size());
    if (is_role) agent.roles.push_back(what);
    const std::string verb = is_role ? icon_of(what).verb : what;
    std::size_t begin = 0;
    for (std::size_t end = names->find('\n'); end != std::string::npos;
         end = names->find('\n', begin)) {
      drawing.arrows.push_back({agent.name, names->substr(begin, end - begin), verb});
      begin = end + 1;
    }
  }
  drawing.agents.push_back(std::move(agent));
}

}  // namespace

std::string Architecture::to_text() const {
  std::map<std::string_view, std::string> beneath;  // by the agent from which the arrows go
  for (const DrawnArrow& arrow : arrows)
    beneath[arrow.from] += "  " + arrow.what + " " + arrow.to + "\n";
  std::string text;
  for (const DrawnAgent& agent : agents)
    text += agent.name + ": " + joined(agent.roles) + "\n" + beneath[agent.name];
  return text;
}

std::string Architecture::to_dot() const {
  std::string text = "digraph society {\n  rankdir=LR;\n";
  for (const DrawnAgent& agent : agents) {
    const std::string label = agent.name + "\n" + joined(agent.roles);
    std::string escaped;
    for (const char c : quoted(label)) {
      if (c == '\n') escaped += "\\n";
      else escaped += c;
    }
    text += "  " + quoted(agent.name) + " [shape=" +
            (agent.roles.size() == 1 ? icon_of(agent.roles.front()).shape : "Mrecord") +
            ", label=" + escaped + "];\n";
  }
  for (const DrawnArrow& arrow : arrows) {
    text += "  " + quoted(arrow.from) + " -> " + quoted(arrow.to) +
            " [label=" + quoted(arrow.what) + "];\n";
  }
  return text + "}\n";
}

Architecture drawn(std::vector<Entry> entries) {
  std::erase_if(entries, [](const Entry& each) { return each.properties.find("role") == nullptr; });
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  Architecture drawing;
  for (const Entry& entry : entries) draw(entry, drawing);
  return drawing;
}

Task<Architecture> describe(Agent& self, Name prefix) {
  Query playing = where("role").exists();
  playing.prefix = std::move(prefix);
  playing.limit = most_agents;
  std::vector<Entry> entries = co_await self.search(std::move(playing));
  co_return drawn(std::move(entries));
}

}  // namespace coracle::dispel
