#include "coracle/fipa/management_system.hpp"

#include "coracle/acl/ontology/frame.hpp"

#include "services/answers.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace coracle::fipa {

namespace fm = acl::management;
using acl::CalendarTime;
using acl::Performative;

namespace {

const ManagementSystem::Description* ams_description(const fm::AgentDescription& description) {
  return std::get_if<ManagementSystem::Description>(&description);
}

}  // namespace

ManagementSystem::ManagementSystem(acl::AgentId self, ManagementLimits limits)
    : self_(std::move(self)),
      limits_(limits),
      entries_({limits.entries, limits.entries_per_platform, limits.entries_per_host}) {
  put_own(self_);
}

void ManagementSystem::set_self(acl::AgentId self) {
  self_ = std::move(self);
  put_own(self_);
}

void ManagementSystem::put_own(const acl::AgentId& agent) {
  Description entry;
  entry.name = agent;
  entry.state = "active";
  entries_.put(lower(agent.name), {std::move(entry), true, std::nullopt});
}

void ManagementSystem::remove_own(const std::string& name) {
  const auto* const entry = entries_.find(lower(name));
  if (entry != nullptr && entry->is_own) entries_.erase(lower(name));
}

std::vector<acl::Message> ManagementSystem::on_message(const acl::Message& message,
                                                       CalendarTime now, const std::string& host) {
  switch (message.performative) {
    case Performative::request:
      break;
    case Performative::agree:
    case Performative::inform:
    case Performative::failure:
    case Performative::refuse:
    case Performative::not_understood:
      return {};  // no answer to an answer
    default:
      return {refusal(self_, message, {},
                      fm::reason(fm::unsupported_act, acl::to_text(message.performative)))};
  }
  if (const auto reason = wrong_language(message)) return {refusal(self_, message, {}, *reason)};
  const auto asked = acl::read_request(acl::text_of(message));
  if (!asked) return {refusal(self_, message, {}, fm::reason(fm::unrecognised_value, "content"))};
  return {act(message, *asked, now, host)};
}

acl::Message ManagementSystem::act(const acl::Message& message, const acl::AskedAction& asked,
                                   CalendarTime now, const std::string& host) {
  const auto refuse = [&](const fm::Reason& reason) {
    return refusal(self_, message, asked.text, reason);
  };
  fm::Action action;
  if (const auto mismatch = acl::from_term(asked.act, action))
    return refuse(fm::reason_for(*mismatch));
  if (std::holds_alternative<fm::GetDescription>(action)) {
    // JADE gives the result as a sequence of one.
    const std::vector<fm::ApDescription> platform = {platform_};
    return answer(self_, message, Performative::inform,
                  acl::result_content(asked.text, acl::to_term(platform)));
  }
  const auto* const search = std::get_if<fm::Search>(&action);
  const fm::AgentDescription& given = search ? search->description : *changed_by(action);
  if (ams_description(given) == nullptr)
    return refuse(
        fm::reason(fm::unrecognised_parameter_value, "description", "df-agent-description"));
  if (search == nullptr) return change(message, asked.text, action, host);
  const Description& pattern = *ams_description(given);
  const std::int64_t most = search->constraints.max_results.value_or(-1);
  const std::size_t wanted =
      most < 0 ? limits_.results : std::min<std::size_t>(std::size_t(most), limits_.results);
  const auto found = entries_.search(
      wanted, now, [&](const Description& entry) { return fm::matches(pattern, entry); });
  return answer(self_, message, Performative::inform,
                acl::result_content(asked.text, acl::to_term(found)));
}

acl::Message ManagementSystem::change(const acl::Message& message, const std::string& text,
                                      const fm::Action& action, const std::string& host) {
  const Description& entry = *ams_description(*changed_by(action));
  if (const auto reason = objection(message, entry.name, "ams-agent-description"))
    return refusal(self_, message, text, *reason);
  if (lower(acl::platform_part(entry.name->name)) == lower(acl::platform_part(self_.name)))
    return refusal(self_, message, text, fm::reason(fm::unauthorised));
  const std::string key = lower(entry.name->name);
  const bool is_new = std::holds_alternative<fm::Register>(action);
  const bool is_there = entries_.find(key) != nullptr;
  if (is_new == is_there)
    return refusal(self_, message, text,
                   fm::reason(is_new ? fm::already_registered : fm::not_registered));
  const auto full = is_new ? entries_.no_room_for(key, host) : std::nullopt;
  if (full) return refusal(self_, message, text, *full);
  if (std::holds_alternative<fm::Deregister>(action)) entries_.erase(key);
  else put(key, entry, is_new ? host : entries_.find(key)->host);
  return answer(self_, message, Performative::inform, acl::done_content(text));
}

// Room was found for it, if need be that of another entry.
void ManagementSystem::put(const std::string& key, const Description& entry,
                           const std::string& host) {
  if (entries_.find(key) == nullptr && entries_.is_full()) {
    const std::string gone = *entries_.key_that_yields_to(host);
    entries_.erase(gone);
  }
  entries_.put(key, {entry, false, std::nullopt, host});
}

}  // namespace coracle::fipa
