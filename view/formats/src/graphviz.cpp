#include "coracle/support/quote.hpp"
#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace coracle::formats {

namespace {

// The messages from one agent to another.
struct Arrow {
  Name source, target;
  std::uint64_t messages = 0, bytes = 0;
  std::uint64_t failed = 0;  // with another outcome than consumed
};

std::vector<Arrow> arrows_of(const Story& story) {
  std::map<std::pair<Name, Name>, Arrow> arrows;
  for (const StoryMessage& each : story.messages) {
    Arrow& arrow = arrows[{each.source, each.target}];
    arrow.source = each.source;
    arrow.target = each.target;
    ++arrow.messages;
    arrow.bytes += each.content.size();
    arrow.failed += each.outcome && *each.outcome != Outcome::consumed ? 1 : 0;
  }
  std::vector<Arrow> sorted;
  sorted.reserve(arrows.size());
  for (auto& [ends, arrow] : arrows) sorted.push_back(std::move(arrow));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Arrow& a, const Arrow& b) { return a.messages > b.messages; });
  return sorted;
}

// A quoted text of the language: backslashes begin escapes in it, and ampersands entities.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char each : detail::shown(text)) {
    if (each == '&') {
      out += "&amp;";
      continue;
    }
    if (each == '"' || each == '\\') out += '\\';
    out += each;
  }
  return out + "\"";
}

std::string line_of(const Arrow& arrow, std::size_t from, std::size_t to) {
  const double width = 1 + std::log10(static_cast<double>(arrow.messages)) * 1.5;
  const std::string failed =
      arrow.failed == 0 ? "" : fmt::format(", {} not consumed", arrow.failed);
  return fmt::format(
      "  a{} -> a{} [label=\"{}\", penwidth={:.2f}{}, tooltip=\"{} messages, {} bytes{}\"];\n",
      from, to, arrow.messages, width, arrow.failed == 0 ? "" : ", color=\"#b00020\"",
      arrow.messages, arrow.bytes, failed);
}

}  // namespace

Written write_graphviz(const Story& story, const Sink& sink, std::size_t arrows) {
  Output out(sink);
  out << "digraph society {\n"
         "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
         "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  const std::vector<Arrow> all = arrows_of(story);
  std::unordered_map<Name, std::size_t> numbers;
  const auto number_of = [&](const Name& name) {
    const auto [at, is_new] = numbers.try_emplace(name, numbers.size());
    if (is_new) out << fmt::format("  a{} [label={}];\n", at->second, quoted(name.view()));
    return at->second;
  };
  Written written;
  for (std::size_t i = 0; i < std::min(arrows, all.size()); ++i) {
    const std::size_t from = number_of(all[i].source);
    const std::size_t to = number_of(all[i].target);
    out << line_of(all[i], from, to);
    written.messages += all[i].messages;
  }
  written.left_out = story.messages.size() - written.messages;
  if (written.left_out != 0)
    out << fmt::format("  label=\"{} arrows with {} messages are left out\";\n",
                       all.size() - arrows, written.left_out);
  out << "}\n";
  out.finish();
  return written;
}

}  // namespace coracle::formats
