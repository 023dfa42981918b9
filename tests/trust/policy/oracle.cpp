#include "oracle.hpp"

#include <sstream>

namespace coracle::trust {

namespace {

// A simple matcher: it tries every length of a star.
bool stands_for(const std::string& pattern, std::size_t at, const std::string& name,
                std::size_t from) {
  if (at == pattern.size()) return from == name.size();
  if (pattern[at] != '*')
    return from < name.size() && name[from] == pattern[at] &&
           stands_for(pattern, at + 1, name, from + 1);
  const bool is_double = pattern.compare(at, 2, "**") == 0;
  const std::size_t behind = at + (is_double ? 2 : 1);
  for (std::size_t to = from;; ++to) {
    if (stands_for(pattern, behind, name, to)) return true;
    if (to == name.size() || (!is_double && name[to] == '/')) return false;
  }
}

}  // namespace

bool stands_for(const std::string& pattern, const std::string& name) {
  return stands_for(pattern, 0, name, 0);
}

Oracle::Oracle(const std::string& policy) {
  std::istringstream all(policy);
  for (std::string line; std::getline(all, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string verb;
    Line rule{};
    if (!(words >> verb >> rule.who >> rule.word >> rule.what)) continue;
    rule.allows = verb == "allow";
    lines_.push_back(rule);
  }
}

bool Oracle::lets(const std::string& word, const std::string& who, const std::string& what) const {
  for (const Line& line : lines_) {
    const bool fits = line.word == word && stands_for(line.who, who) && stands_for(line.what, what);
    if (fits) return line.allows;
  }
  return false;
}

bool Oracle::may_speak_as(const Member& member, const std::string& name) const {
  if (member.is_servers || member.registered.contains(name)) return true;
  return !taken_.contains(name) && may_register(member, name);
}

bool Oracle::may_send(const Member& member, const std::string& source,
                      const std::string& target) const {
  return (source.empty() || may_speak_as(member, source)) && lets("send", source, target);
}

bool Oracle::may_redirect(const Member& member, const std::string& mailbox,
                          const std::string& source, const std::string& target) const {
  return !mailbox.empty() && may_speak_as(member, mailbox) && lets("send", source, mailbox) &&
         lets("redirect", mailbox, target);
}

bool Oracle::may_copy(const Member& member, const std::string& eavesdropper,
                      const std::string& source, const std::string& target) const {
  return may_send(member, source, target) && lets("overhear", eavesdropper, source) &&
         lets("overhear", eavesdropper, target);
}

// A line that allows to overhear any agent suffices, unless an earlier line forbids all
// overhearing.
bool Oracle::may_listen(const Member& member, const std::string& eavesdropper) const {
  if (!may_speak_as(member, eavesdropper)) return false;
  for (const Line& line : lines_) {
    if (line.word != "overhear" || !stands_for(line.who, eavesdropper)) continue;
    if (line.allows) return true;
    if (line.what == "**") return false;
  }
  return false;
}

bool Oracle::may_join(const Member& member, const std::string& agent,
                      const std::string& group) const {
  return may_speak_as(member, agent) && lets("join", agent, group);
}

}  // namespace coracle::trust
