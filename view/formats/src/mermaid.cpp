// Mermaid's sequence diagrams have no quotes: every character that is no letter, digit, blank, or
// one of a few signs is written as an entity, as in #35;.
#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace coracle::formats {

namespace {

constexpr std::size_t fewest_characters = 1000;
// The room for the last note.
constexpr std::size_t note_characters = 200;
// The bytes of a content, or of an error, that are shown.
constexpr std::size_t label_bytes = 60;

bool is_plain(std::uint32_t code) noexcept {
  const bool is_letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  return is_letter || (code >= '0' && code <= '9') || code == '/' || code == '.' || code == ',' ||
         code == '_' || code == '?' || code == '!';
}

// Words that end a block or begin another one, wherever they are.
bool is_keyword(std::string_view word) noexcept {
  constexpr std::string_view end = "end";
  if (word.size() != end.size()) return false;
  for (std::size_t i = 0; i < end.size(); ++i) {
    if ((word[i] | 0x20) != end[i]) return false;
  }
  return true;
}

void add_word(std::string& out, std::string_view word) {
  const bool hides = is_keyword(word);
  for (std::size_t at = 0; at < word.size();) {
    const detail::Utf8Character each = detail::utf8_at(word, at);
    if (is_plain(each.code) && !(hides && at == 0)) out += static_cast<char>(each.code);
    else fmt::format_to(std::back_inserter(out), "#{};", each.code);
    at += each.bytes;
  }
}

// `text` as Mermaid shows it; never empty.
std::string escaped(std::string_view text) {
  const std::string shown = detail::shown(text);
  std::string out;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find(' ', at), shown.size());
    add_word(out, std::string_view(shown).substr(at, end - at));
    if (end < shown.size()) out += ' ';
    at = end + 1;
  }
  return out.find_first_not_of(' ') == std::string::npos ? "#160;" : out;
}

const char* arrow_of(const StoryMessage& message) noexcept {
  if (message.outcome && *message.outcome != Outcome::consumed) return "--x";
  switch (message.kind) {
    case Kind::plain:
      return "-)";
    case Kind::request:
      return "->>";
    case Kind::reply:
    case Kind::failure:
      return "-->>";
  }
  return "-)";
}

std::string words_of(const StoryMessage& message) {
  std::string words = summary(message, label_bytes);
  if (message.kind == Kind::failure) words = "failure: " + words;
  if (!message.group.empty()) words = "to " + message.group.str() + ": " + words;
  if (!message.outcome || *message.outcome != Outcome::consumed)
    words += " (" + outcome_text(message) + ")";
  else if (message.redelivered) words += " (redelivered)";
  return words;
}

// The agents that have a lifeline. They are declared where they first appear.
class Lifelines {
 public:
  // The identifier of an agent; `declaration` gets its line if it is new.
  std::string of(const Name& name, std::string& declaration) {
    const auto [at, is_new] = numbers_.try_emplace(name, numbers_.size());
    std::string id = "a" + std::to_string(at->second);
    if (is_new) declaration += fmt::format("  participant {} as {}\n", id, escaped(name.view()));
    return id;
  }

 private:
  std::unordered_map<Name, std::size_t> numbers_;
};

// A line beside a lifeline, about a life or a gap.
struct Note {
  Time at = never;
  bool is_before = false;  // before the messages of the same time
  Name agent;
  std::string words;
};

std::string words_of_end(const StoryLife& life) {
  const bool is_told = life.reason && *life.reason != EndReason::crashed;
  std::string words = !life.reason ? "ended" : is_told ? "ended: " : "crashed";
  if (is_told) words += to_string(*life.reason);
  if (life.text.empty()) return words;
  return words + ": " + cut(detail::shown(life.text), label_bytes);
}

// The notes in the order of their times. A life that began before the first message has none for
// its beginning, and the lives of agents without messages have none unless they crashed.
std::vector<Note> notes_of(const Story& story) {
  std::unordered_set<Name> busy;
  Time first = never;
  for (const StoryMessage& each : story.messages) {
    busy.insert(each.source);
    busy.insert(each.target);
    first = std::min(first, each.sent);
  }
  std::vector<Note> notes;
  for (const StoryLife& each : story.lives) {
    const bool has_crashed = each.reason && *each.reason == EndReason::crashed;
    if (!has_crashed && !busy.contains(each.agent)) continue;
    if (each.began != never && each.began > first)
      notes.push_back({each.began, true, each.agent, "began"});
    if (each.ended != never) notes.push_back({each.ended, false, each.agent, words_of_end(each)});
  }
  for (const StoryGap& each : story.gaps)
    notes.push_back({each.at, false, each.hearer, gap_text(each)});
  std::stable_sort(notes.begin(), notes.end(),
                   [](const Note& a, const Note& b) { return a.at < b.at; });
  return notes;
}

// Writes lines until the room is used up.
class Diagram {
 public:
  Diagram(const Sink& sink, std::size_t characters) : out_(sink) {
    const std::string first = "sequenceDiagram\n";
    left_ = characters - first.size() - note_characters;
    out_ << first;
  }

  bool add(const StoryMessage& message) {
    std::string line;
    const std::string from = lifelines_.of(message.source, line);
    const std::string to = lifelines_.of(message.target, line);
    line += fmt::format("  {}{}{}: {}\n", from, arrow_of(message), to, escaped(words_of(message)));
    return put(line);
  }
  bool add(const Note& note) {
    std::string line;
    const std::string over = lifelines_.of(note.agent, line);
    line += fmt::format("  Note over {}: {}\n", over, escaped(note.words));
    return put(line);
  }
  void finish(const std::string& left_out) {
    if (!left_out.empty()) {
      if (is_empty_) out_ << "  participant a0 as #160;\n";
      out_ << "  Note over a0: " + left_out + "\n";
    }
    out_.finish();
  }

 private:
  bool put(const std::string& line) {
    if (line.size() > left_) return false;
    left_ -= line.size();
    out_ << line;
    is_empty_ = false;
    return true;
  }

  Output out_;
  Lifelines lifelines_;
  std::size_t left_ = 0;
  bool is_empty_ = true;
};

}  // namespace

Written write_mermaid(const Story& story, const Sink& sink, std::size_t characters) {
  if (characters < fewest_characters)
    throw Error(Errc::bad_options,
                "a sequence diagram needs at least 1000 characters; allow more of them");
  Diagram diagram(sink, characters);
  const std::vector<Note> notes = notes_of(story);
  auto note = notes.begin();
  Written written;
  bool has_room = true;
  const auto notes_until = [&](Time at) {
    for (; note != notes.end() && (note->at < at || (note->is_before && note->at == at)); ++note)
      if (has_room = has_room && diagram.add(*note); !has_room) return;
  };
  for (const StoryMessage& message : story.messages) {
    notes_until(message.sent);
    if (has_room = has_room && diagram.add(message); !has_room) break;
    ++written.messages;
  }
  notes_until(never);
  written.left_out = story.messages.size() - written.messages;
  std::string left_out;
  if (written.left_out != 0)
    left_out = fmt::format("{} later messages are left out, since the limit is {} characters",
                           written.left_out, characters);
  else if (note != notes.end())
    left_out = fmt::format("{} later notes do not fit, since the limit is {} characters",
                           notes.end() - note, characters);
  diagram.finish(left_out);
  return written;
}

}  // namespace coracle::formats
