#include "coracle/grants.hpp"

#include "coracle/support/glob.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace coracle {

namespace {

constexpr std::string_view blanks = " \t\r";

struct Rule {
  bool allows = false;
  Action action = Action::send;
  std::string who, what;
};

class Grants final : public Policy {
 public:
  explicit Grants(std::vector<Rule> rules) : rules_(std::move(rules)) {}

  bool allows(std::string_view identity, Action action, const Name& from,
              const Name& to) const noexcept override {
    const bool is_node = action == Action::claim || action == Action::audit ||
                         action == Action::inspect || action == Action::operate;
    const std::string_view who = is_node ? identity : from.view();
    for (const Rule& rule : rules_) {
      if (rule.action != action || !detail::fits(rule.who, who)) continue;
      // For overhearing and audit the target may not be known yet. The agent may do it if a rule
      // allows it for any target.
      if (to.empty() && (action == Action::overhear || action == Action::audit)) {
        if (rule.allows) return true;
        if (rule.what == "**") return false;
        continue;
      }
      if (detail::fits(rule.what, to.view())) return rule.allows;
    }
    return false;
  }

 private:
  const std::vector<Rule> rules_;
};

// Removes the first word from `line` and returns it; returns an empty text when there is none.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<Action> action_of(std::string_view word) {
  if (word == "register") return Action::claim;
  if (word == "send") return Action::send;
  if (word == "overhear") return Action::overhear;
  if (word == "join") return Action::join;
  if (word == "redirect") return Action::redirect;
  if (word == "inspect") return Action::inspect;
  if (word == "operate") return Action::operate;
  if (word == "audit") return Action::audit;
  return std::nullopt;
}

// Parses a line that is not empty; returns the text of the error, empty if there is none.
std::string read_rule(std::string_view line, Rule& rule) {
  const std::string_view verb = take_word(line);
  const std::string_view who = take_word(line);
  const std::string_view doing = take_word(line);
  const std::string_view what = take_word(line);
  if (verb != "allow" && verb != "deny")
    return "a rule begins with allow or deny, not with " + detail::quoted(verb);
  if (what.empty()) return "a rule has four words, as in: allow lab/** send lab/**";
  if (!take_word(line).empty())
    return "there is text after the four words of the rule; a comment begins with #";
  const std::optional<Action> action = action_of(doing);
  if (!action)
    return "there is no right " + detail::quoted(doing) +
           "; use register, send, overhear, join, redirect, inspect, operate or audit";
  for (const std::string_view pattern : {who, what}) {
    if (pattern.size() > detail::longest_glob) return "a pattern has at most 255 bytes; shorten it";
    if (pattern.find("***") != pattern.npos)
      return "a pattern has at most two * in a row; write * or **";
  }
  rule = {verb == "allow", *action, std::string(who), std::string(what)};
  return {};
}

Error wrong(std::size_t line, const std::string& why) {
  return Error(Errc::bad_options, "line " + std::to_string(line) + ": " + why);
}

}  // namespace

Result<std::shared_ptr<const Policy>> parse_policy(std::string_view text) {
  if (text.size() > policy_text_limit)
    return Error(Errc::bad_options,
                 "line 1: a policy has at most 1 MiB; grant by patterns, and leave comments out");
  std::vector<Rule> rules;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(blanks) == line.npos) continue;
    Rule rule;
    if (const std::string why = read_rule(line, rule); !why.empty()) return wrong(number, why);
    if (rules.size() == policy_rules_limit)
      return wrong(number, "a policy has at most 10000 rules; grant by patterns");
    rules.push_back(std::move(rule));
  }
  return std::shared_ptr<const Policy>(std::make_shared<Grants>(std::move(rules)));
}

Result<std::shared_ptr<const Policy>> read_policy(const std::string& file) {
  std::string text;
  return read_policy(file, &text);
}

Result<std::shared_ptr<const Policy>> read_policy(const std::string& file, std::string* into) {
  std::ifstream in(file, std::ios::binary);
  std::string& text = *into;
  if (in) {
    // One byte more than the limit, so that a longer text is noticed.
    text.resize(policy_text_limit + 1);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
  }
  if (!in.is_open() || in.bad() || (text.empty() && !in.eof()))
    return Error(Errc::no_such_file,
                 file +
                     ": the file cannot be read; write a policy there, or give the path of an "
                     "existing one");
  auto policy = parse_policy(text);
  if (policy) return policy;
  return Error(policy.error().errc(), file + ": " + policy.error().sentence());
}

}  // namespace coracle
