// Mermaid's sequence diagrams have no quotes: every character that is no letter, digit, blank, or
// one of a few signs is written as an entity, as in #35;.
#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "output.hpp"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

namespace coracle::formats {

namespace {

constexpr std::size_t fewest_characters = 1000;
// The room for the last note.
constexpr std::size_t note_characters = 200;
// The bytes of a content that are shown.
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

}  // namespace

Written write_mermaid(const Story& story, const Sink& sink, std::size_t characters) {
  if (characters < fewest_characters)
    throw Error(Errc::bad_options,
                "a sequence diagram needs at least 1000 characters; allow more of them");
  Output out(sink);
  Lifelines lifelines;
  Written written;
  std::string first = "sequenceDiagram\n";
  std::size_t left = characters - first.size() - note_characters;
  out << first;
  for (const StoryMessage& message : story.messages) {
    std::string line;
    const std::string from = lifelines.of(message.source, line);
    const std::string to = lifelines.of(message.target, line);
    line += fmt::format("  {}{}{}: {}\n", from, arrow_of(message), to, escaped(words_of(message)));
    if (line.size() > left) break;
    left -= line.size();
    out << line;
    ++written.messages;
  }
  written.left_out = story.messages.size() - written.messages;
  if (written.left_out != 0) {
    if (written.messages == 0) out << "  participant a0 as #160;\n";
    out << fmt::format(
        "  Note over a0: {} later messages are left out, since the limit is {} "
        "characters\n",
        written.left_out, characters);
  }
  out.finish();
  return written;
}

}  // namespace coracle::formats
