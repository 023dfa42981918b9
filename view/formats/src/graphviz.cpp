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

// The knowledge of an agent beside its messages.
struct Record {
  std::uint64_t lives = 0, crashes = 0;
  bool has_ended = false;
  std::string error;         // of the last crash
  std::uint64_t missed = 0;  // by its taps
  bool missed_more = false;  // and further ones, whose number is not known
};

std::map<Name, Record> records_of(const Story& story) {
  std::map<Name, Record> records;
  for (const StoryLife& each : story.lives) {
    Record& record = records[each.agent];
    ++record.lives;
    record.has_ended = each.ended != never;
    if (!each.reason || *each.reason != EndReason::crashed) continue;
    ++record.crashes;
    record.error = each.text;
  }
  for (const StoryGap& each : story.gaps) {
    Record& record = records[each.hearer];
    if (each.missed == MessageView::unknown_gap) record.missed_more = true;
    else record.missed += each.missed;
  }
  return records;
}

// A text within quotes of the language: backslashes begin escapes in it, and ampersands entities.
std::string inside(std::string_view text) {
  std::string out;
  for (const char each : detail::shown(text)) {
    if (each == '&') {
      out += "&amp;";
      continue;
    }
    if (each == '"' || each == '\\') out += '\\';
    out += each;
  }
  return out;
}

std::string crashes_of(const Record& record) {
  return record.crashes == 1 ? "crashed" : fmt::format("crashed {} times", record.crashes);
}

std::string misses_of(const Record& record) {
  if (record.missed_more)
    return record.missed == 0 ? "missed some messages"
                              : fmt::format("missed more than {} messages", record.missed);
  return fmt::format("missed {} messages", record.missed);
}

// The box of an agent: red after a crash, dashed when it has ended.
std::string line_of(std::size_t number, const Name& name, const Record& record) {
  constexpr std::size_t error_bytes = 200;
  const bool has_missed = record.missed != 0 || record.missed_more;
  std::string label = inside(name.view());
  if (record.crashes != 0) label += "\\n" + crashes_of(record);
  if (has_missed) label += "\\n" + misses_of(record);
  std::string more = record.crashes != 0 ? ", color=\"#b00020\", fontcolor=\"#b00020\"" : "";
  if (record.has_ended) more += ", style=\"rounded,dashed\"";
  if (record.lives != 0) {
    std::string tip = record.lives == 1 ? "1 life" : fmt::format("{} lives", record.lives);
    tip += record.has_ended ? ", ended" : "";
    if (!record.error.empty())
      tip += ", last crash: " + cut(detail::shown(record.error), error_bytes);
    more += ", tooltip=\"" + inside(tip) + "\"";
  }
  return fmt::format("  a{} [label=\"{}\"{}];\n", number, label, more);
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
  const std::map<Name, Record> records = records_of(story);
  std::unordered_map<Name, std::size_t> numbers;
  const auto number_of = [&](const Name& name) {
    const auto [at, is_new] = numbers.try_emplace(name, numbers.size());
    if (!is_new) return at->second;
    const auto record = records.find(name);
    out << line_of(at->second, name, record == records.end() ? Record() : record->second);
    return at->second;
  };
  Written written;
  for (std::size_t i = 0; i < std::min(arrows, all.size()); ++i) {
    const std::size_t from = number_of(all[i].source);
    const std::size_t to = number_of(all[i].target);
    out << line_of(all[i], from, to);
    written.messages += all[i].messages;
  }
  std::size_t alone = 0;  // agents with a crash or a gap, and without an arrow
  for (const auto& [name, record] : records) {
    const bool has_news = record.crashes != 0 || record.missed != 0 || record.missed_more;
    if (has_news && !numbers.contains(name) && ++alone <= arrows) number_of(name);
  }
  written.left_out = story.messages.size() - written.messages;
  std::string left_out;
  if (written.left_out != 0)
    left_out = fmt::format("{} arrows with {} messages are left out", all.size() - arrows,
                           written.left_out);
  if (alone > arrows)
    left_out += fmt::format("{}{} agents without an arrow do not fit", left_out.empty() ? "" : "; ",
                            alone - arrows);
  if (!left_out.empty()) out << "  label=\"" + left_out + "\";\n";
  out << "}\n";
  out.finish();
  return written;
}

}  // namespace coracle::formats
