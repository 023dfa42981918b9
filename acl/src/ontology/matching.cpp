#include "coracle/acl/ontology/management.hpp"

#include "folded.hpp"

#include "coracle/acl/sl/text.hpp"

#include <algorithm>

namespace coracle::acl::management {

namespace {

using sl::is_same_symbol;

using Texts = std::vector<std::string>;

bool matches_text(const std::optional<std::string>& pattern,
                  const std::optional<std::string>& entry) noexcept {
  return !pattern || (entry && is_same_symbol(*pattern, *entry));
}

// Sorted, so that long sets of strangers cost little.
Texts sorted(const Texts& texts) {
  Texts all;
  all.reserve(texts.size());
  for (const std::string& each : texts) all.push_back(folded(each));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool includes(const Texts& entry, const Texts& pattern) {
  if (pattern.empty()) return true;
  if (pattern.size() == 1) {
    return std::ranges::any_of(
        entry, [&](const std::string& each) { return is_same_symbol(each, pattern[0]); });
  }
  return std::ranges::includes(sorted(entry), sorted(pattern));
}

// Each element of the pattern matches some element of the entry.
template <class T, class Test>
bool matches_set(const std::vector<T>& pattern, const std::vector<T>& entry, const Test& test) {
  return std::ranges::all_of(pattern, [&](const T& wanted) {
    return std::ranges::any_of(entry, [&](const T& each) { return test(wanted, each); });
  });
}

// The same, in the order of the pattern.
template <class T, class Test>
bool matches_sequence(const std::vector<T>& pattern, const std::vector<T>& entry,
                      const Test& test) {
  auto next = entry.begin();
  for (const T& wanted : pattern) {
    next = std::find_if(next, entry.end(), [&](const T& each) { return test(wanted, each); });
    if (next == entry.end()) return false;
    ++next;
  }
  return true;
}

// A text matches a number that is written in the same way.
bool matches_value(const sl::Term& pattern, const sl::Term& entry) {
  const auto* wanted = pattern.as<std::string>();
  if (wanted == nullptr) return pattern == entry;
  const auto* text = entry.as<std::string>();
  return is_same_symbol(*wanted, text != nullptr ? *text : sl::to_text(entry));
}

bool matches_property(const Property& pattern, const Property& entry) {
  return is_same_symbol(pattern.name, entry.name) &&
         (!pattern.value || (entry.value && matches_value(*pattern.value, *entry.value)));
}

bool matches_name(const std::optional<AgentId>& pattern, const std::optional<AgentId>& entry) {
  return !pattern || (entry && matches(*pattern, *entry));
}

bool has_ended(const std::optional<DateTime>& lease, CalendarTime now) {
  if (!lease) return false;
  const auto end = calendar_time_of(*lease, now);
  return !end || *end <= now;
}

}  // namespace

bool matches(const AgentId& pattern, const AgentId& entry) {
  const bool is_named = pattern.name.empty() || is_same_agent(pattern, entry);
  return is_named && matches_sequence(pattern.addresses, entry.addresses, is_same_symbol) &&
         matches_sequence(pattern.resolvers, entry.resolvers,
                          [](const AgentId& a, const AgentId& b) { return matches(a, b); });
}

bool matches(const ServiceDescription& pattern, const ServiceDescription& entry) {
  return matches_text(pattern.name, entry.name) && matches_text(pattern.type, entry.type) &&
         matches_text(pattern.ownership, entry.ownership) &&
         includes(entry.protocols, pattern.protocols) &&
         includes(entry.languages, pattern.languages) &&
         includes(entry.ontologies, pattern.ontologies) &&
         matches_set(pattern.properties, entry.properties, matches_property);
}

bool matches(const DfAgentDescription& pattern, const DfAgentDescription& entry, CalendarTime now) {
  return !has_ended(entry.lease_time, now) && matches_name(pattern.name, entry.name) &&
         includes(entry.protocols, pattern.protocols) &&
         includes(entry.languages, pattern.languages) &&
         includes(entry.ontologies, pattern.ontologies) &&
         matches_set(pattern.services, entry.services,
                     [](const ServiceDescription& a, const ServiceDescription& b) {
                       return matches(a, b);
                     });
}

bool matches(const AmsAgentDescription& pattern, const AmsAgentDescription& entry) {
  return matches_name(pattern.name, entry.name) &&
         matches_text(pattern.ownership, entry.ownership) &&
         matches_text(pattern.state, entry.state);
}

}  // namespace coracle::acl::management
