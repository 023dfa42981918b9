// Presents a trace in the words of the test's author.
#include "coracle/testing/seeds.hpp"
#include "watch.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <deque>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::testing {

namespace {

// "manager sends #3 of manager to ann "build!": carried"
class Teller {
 public:
  // The story of one line, without its time; nothing when the line concerns only the library
  // itself.
  std::optional<std::string> told(std::string_view line) {
    if (line.starts_with("- host ")) return std::string(line.substr(2));
    if (auto sent = told_of_sending(line)) return sent;
    for (const auto& [verb, said] : deeds) {
      const std::size_t at = line.find(verb);
      if (at == line.npos || at == 0) continue;
      return std::string(line.substr(0, at)) + said + what_of(line.substr(at + verb.size()));
    }
    for (const std::string_view verb : as_they_are) {
      const std::size_t at = line.find(verb);
      if (at != line.npos && at != 0) return std::string(line);
    }
    for (const auto& [verb, said] : states) {
      if (line.ends_with(verb) && line.size() > verb.size())
        return std::string(line.substr(0, line.size() - verb.size())) + said;
    }
    return std::nullopt;
  }

 private:
  struct Words {
    std::string_view verb;
    const char* said;
  };
  static constexpr std::array<Words, 3> deeds = {
      {{" keeps #", " gets "}, {" takes #", " reads "}, {" puts back #", " gives back "}}};
  static constexpr std::array<Words, 3> states = {{{" is claimed", " begins"},
                                                   {" is taken over", " takes the name over"},
                                                   {" leaves", " ends"}}};
  static constexpr std::array<std::string_view, 4> as_they_are = {
      " ends by an exception: ", " waits for room at ", " joins ", " leaves "};

  // "3 of ann": the key of the message.
  static std::string key_of(std::string_view number_and_sender) {
    return std::string(number_and_sender.substr(0, number_and_sender.find(',')));
  }

  std::optional<std::string> told_of_sending(std::string_view line) {
    constexpr std::string_view verb = " sends #";
    const std::size_t at = line.find(verb);
    if (at == line.npos || at == 0) return std::nullopt;
    const std::string sender(line.substr(0, at));
    std::string_view rest = line.substr(at + verb.size());
    const std::size_t of = rest.find(" of " + sender);
    const std::size_t to = rest.find(" to ", of == rest.npos ? 0 : of + 4 + sender.size());
    const std::size_t verdict = rest.rfind(": ");
    if (of == rest.npos || to == rest.npos || verdict == rest.npos || verdict < to)
      return std::nullopt;
    const std::string_view message = rest.substr(0, to);
    const std::string_view what = rest.substr(to + 4, verdict - to - 4);
    const std::size_t quote = what.find(" \"");
    const std::string target(what.substr(0, quote));
    const std::string text(quote == what.npos ? std::string_view("something")
                                              : what.substr(quote + 1));
    texts_[key_of(message)] = text + " from " + sender;
    const bool asks = message.find(", a request") != message.npos;
    const std::string_view how = rest.substr(verdict + 2);
    std::string said = sender + (asks ? " asks " : " sends ") + target + " " + text;
    if (message.find(", again") != message.npos) said += " again";
    if (how == "no credit") said += ", and waits: there is no room";
    if (how == "full") said += ", in vain: there is no room";
    return said;
  }

  std::string what_of(std::string_view message) const {
    const auto known = texts_.find(key_of(message));
    const std::size_t of = message.find(" of ");
    std::string what = "something";
    if (known != texts_.end()) what = known->second;
    else if (of != message.npos) what += " from " + key_of(message.substr(of + 4));
    if (message.find(", overheard") != message.npos) what += " (overheard)";
    if (message.find(", again") != message.npos) what += " again";
    return what;
  }

  std::map<std::string, std::string> texts_;
};

// "1.005012 s", from nanoseconds.
std::string shown_time(std::string_view digits) {
  long long count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.6f s", static_cast<double>(count) / 1e9);
  return text.data();
}

}  // namespace

// Within one host a message is received, and may be read, while it is sent, which is noted
// afterwards. People expect the opposite order.
static std::vector<std::string> in_order(const std::string& trace) {
  constexpr std::string_view sends = " sends #";
  constexpr std::size_t looked_at = 4;
  std::vector<std::string> lines;
  std::istringstream all(trace);
  for (std::string line; std::getline(all, line);) {
    const std::size_t at = line.find(sends);
    const std::size_t begin = at + sends.size();
    const std::string rest = at == line.npos ? "" : line.substr(begin);
    const std::string got =
        " keeps #" + rest.substr(0, std::min(rest.find(','), rest.find(" to ")));
    auto place = lines.end();
    for (std::size_t back = 1; !rest.empty() && back <= std::min(looked_at, lines.size()); ++back) {
      if (lines[lines.size() - back].find(got) == line.npos) continue;
      place = lines.end() - static_cast<std::ptrdiff_t>(back);
    }
    lines.insert(place, std::move(line));
  }
  return lines;
}

// A line is "TIME wWORKER who what", or "TIME - who what" for an event of no worker.
std::string story_of(const std::string& trace, std::size_t lines) {
  Teller teller;
  std::deque<std::string> last;
  for (const std::string& line : in_order(trace)) {
    const std::size_t where = line.find(' ');
    const std::size_t who = where == line.npos ? line.npos : line.find(' ', where + 1);
    if (who == line.npos) continue;
    const std::string_view rest = line;
    if (rest.ends_with(detail::test_is_over) && rest.substr(who + 1).starts_with("- ")) break;
    const auto told = teller.told(rest.substr(who + 1));
    if (!told) continue;
    last.push_back("  " + shown_time(rest.substr(0, where)) + "  " + *told + "\n");
    if (last.size() > lines) last.pop_front();
  }
  std::string text;
  for (const std::string& line : last) text += line;
  return text;
}

}  // namespace coracle::testing
