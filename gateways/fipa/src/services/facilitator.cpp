#include "coracle/fipa/facilitator.hpp"

#include "coracle/acl/ontology/frame.hpp"
#include "coracle/errors.hpp"

#include "services/answers.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace coracle::fipa {

namespace fm = acl::management;
using acl::CalendarTime;
using acl::Performative;

namespace {

const Facilitator::Description* df_description(const fm::AgentDescription& description) {
  return std::get_if<Facilitator::Description>(&description);
}

}  // namespace

Facilitator::Facilitator(acl::AgentId self, std::function<std::string()> new_id,
                         FacilitatorLimits limits)
    : self_(std::move(self)),
      new_id_(std::move(new_id)),
      limits_(limits),
      entries_({limits.entries, limits.entries_per_platform, limits.entries_per_host}) {}

// --- entries ---

Messages Facilitator::put_own(Description entry, CalendarTime now) {
  if (!entry.name || entry.name->name.empty())
    throw Error(Errc::bad_options, "an entry of a facilitator needs the agent's name; set it");
  Messages out;
  const std::string key = lower(entry.name->name);
  const auto* const before = entries_.find(key);
  if (before != nullptr && (!before->is_own || before->description == entry)) return out;
  notify(before == nullptr ? nullptr : &before->description, entry, now, out);
  entries_.put(key, {std::move(entry), true, std::nullopt, {}});
  return out;
}

Messages Facilitator::remove_own(const std::string& name, CalendarTime now) {
  Messages out;
  const auto* const entry = entries_.find(lower(name));
  if (entry != nullptr && entry->is_own) take_out(lower(name), now, out);
  return out;
}

Messages Facilitator::end_own(const std::string& name, CalendarTime now) {
  Messages out;
  if (entries_.find(lower(name)) != nullptr) take_out(lower(name), now, out);
  return out;
}

// Removes an entry, and notifies those who wait for it.
void Facilitator::take_out(const std::string& key, CalendarTime now, Messages& out) {
  if (!entries_.find(key)->is_own) changed_.push_back(key);
  Description before = entries_.find(key)->description;
  before.lease_time.reset();  // it matches also when its lease has ended
  Description gone;
  gone.name = before.name;
  entries_.erase(key);
  notify(&before, gone, now, out);
}

std::vector<Facilitator::Description> Facilitator::search(const Description& pattern,
                                                          std::size_t most,
                                                          CalendarTime now) const {
  return entries_.search(
      most, now, [&](const Description& entry) { return fm::matches(pattern, entry, now); });
}

const Facilitator::Description* Facilitator::entry(const std::string& name) const {
  const auto* const found = entries_.find(lower(name));
  return found == nullptr ? nullptr : &found->description;
}

// --- messages ---

acl::Message Facilitator::refuse(const acl::Message& to, const std::string& text,
                                 const fm::Reason& reason) const {
  return refusal(self_, to, text, reason);
}

Messages Facilitator::on_message(const acl::Message& message, CalendarTime now,
                                 const std::string& host) {
  switch (message.performative) {
    case Performative::request:
      return on_request(message, now, host);
    case Performative::subscribe:
      return on_subscribe(message, now, host);
    case Performative::cancel:
      return on_cancel(message);
    case Performative::agree:
    case Performative::inform:
    case Performative::failure:
    case Performative::refuse:
    case Performative::not_understood: {
      Messages out;
      on_answer(message, out);
      return out;
    }
    default:
      break;
  }
  const fm::Reason reason =
      fm::reason(fm::unsupported_act, std::string(acl::to_text(message.performative)));
  return {refuse(message, {}, reason)};
}

Messages Facilitator::on_request(const acl::Message& message, CalendarTime now,
                                 const std::string& host) {
  if (const auto reason = wrong_language(message)) return {refuse(message, {}, *reason)};
  const auto asked = acl::read_request(acl::text_of(message));
  if (!asked) return {refuse(message, {}, fm::reason(fm::unrecognised_value, "content"))};
  return act(message, *asked, now, host);
}

Messages Facilitator::act(const acl::Message& message, const acl::AskedAction& asked,
                          CalendarTime now, const std::string& host) {
  fm::Action action;
  if (const auto mismatch = acl::from_term(asked.act, action))
    return {refuse(message, asked.text, fm::reason_for(*mismatch))};
  const auto wrong = [&] {
    return Messages{refuse(
        message, asked.text,
        fm::reason(fm::unrecognised_parameter_value, "description", "ams-agent-description"))};
  };
  if (const auto* search = std::get_if<fm::Search>(&action))
    return df_description(search->description) == nullptr
               ? wrong()
               : find(message, asked.text, *search, now, host);
  if (std::holds_alternative<fm::GetDescription>(action))
    return {refuse(message, asked.text, fm::reason(fm::unsupported_function, "get-description"))};
  const fm::AgentDescription* const given = changed_by(action);
  const Description* const entry = given == nullptr ? nullptr : df_description(*given);
  if (entry == nullptr) return wrong();
  if (const auto reason = objection(message, entry->name, "df-agent-description"))
    return {refuse(message, asked.text, *reason)};
  if (acl::is_same_agent(*entry->name, self_))
    return {refuse(message, asked.text, fm::reason(fm::unauthorised))};
  if (std::holds_alternative<fm::Deregister>(action))
    return remove(message, asked.text, *entry, now);
  const bool is_new = std::holds_alternative<fm::Register>(action);
  return enter(message, asked, *entry, is_new, now, host);
}

// Sets the end of the lease that an entry asks for. The entry shows its lease if that is shorter
// than the wanted one. Returns why there is no such lease.
std::optional<fm::Reason> Facilitator::limit_lease(Description& entry, CalendarTime& end,
                                                   CalendarTime now) const {
  const CalendarTime latest = now + limits_.lease;
  end = latest;
  if (!entry.lease_time) return std::nullopt;
  const auto wanted = acl::calendar_time_of(*entry.lease_time, now);
  if (!wanted || *wanted <= now)
    return fm::reason(fm::unrecognised_parameter_value, "lease-time",
                      acl::to_text(*entry.lease_time));
  end = std::min(*wanted, latest);
  if (end == latest) entry.lease_time = acl::date_time_of(end);
  return std::nullopt;
}

Messages Facilitator::enter(const acl::Message& message, const acl::AskedAction& asked,
                            Description entry, bool is_new, CalendarTime now,
                            const std::string& host) {
  for (const fm::ServiceDescription& service : entry.services) {
    for (const auto& [value, name] : {std::pair(&service.name, "name"), {&service.type, "type"}}) {
      if (*value) continue;
      return {refuse(message, asked.text,
                     fm::reason(fm::missing_parameter, "service-description", name))};
    }
  }
  const std::string key = lower(entry.name->name);
  const auto* const before = entries_.find(key);
  const bool is_there = before != nullptr && !before->is_own;
  if (is_there == is_new)
    return {refuse(message, asked.text,
                   fm::reason(is_new ? fm::already_registered : fm::not_registered))};
  const auto full = is_new ? entries_.no_room_for(key, host) : std::nullopt;
  if (full) return {refuse(message, asked.text, *full)};

  CalendarTime end;
  if (const auto wrong = limit_lease(entry, end, now)) return {refuse(message, asked.text, *wrong)};
  std::string text = asked.text;
  if (entry.lease_time && end == now + limits_.lease) {
    const acl::sl::Term act =
        is_new ? acl::to_term(fm::Register{entry}) : acl::to_term(fm::Modify{entry});
    text = acl::request_content(asked.actor, act);
    text = text.substr(1, text.size() - 2);
  }
  Messages out;
  const std::string from = is_new ? host : before->host;
  if (before == nullptr && entries_.is_full()) {
    const std::string gone = *entries_.key_that_yields_to(host);
    take_out(gone, now, out);
  }
  notify(before != nullptr ? &before->description : nullptr, entry, now, out);
  entries_.put(key, {std::move(entry), false, end, from});
  changed_.push_back(key);
  out.push_back(answer(self_, message, Performative::inform, acl::done_content(text)));
  return out;
}

Messages Facilitator::remove(const acl::Message& message, const std::string& text,
                             const Description& entry, CalendarTime now) {
  const std::string key = lower(entry.name->name);
  const auto* const there = entries_.find(key);
  if (there == nullptr || there->is_own)
    return {refuse(message, text, fm::reason(fm::not_registered))};
  Messages out;
  take_out(key, now, out);
  out.push_back(answer(self_, message, Performative::inform, acl::done_content(text)));
  return out;
}

// --- time ---

Messages Facilitator::on_time(CalendarTime now) {
  Messages out;
  for (const auto* end = entries_.first_end(); end != nullptr && end->first <= now;
       end = entries_.first_end()) {
    const std::string key = end->second;
    take_out(key, now, out);
  }
  for (auto each = searches_.begin(); each != searches_.end();) {
    if (each->deadline > now) {
      ++each;
      continue;
    }
    out.push_back(finished(*each));
    each = searches_.erase(each);
  }
  return out;
}

std::optional<CalendarTime> Facilitator::next_time() const {
  std::optional<CalendarTime> next;
  if (const auto* const end = entries_.first_end()) next = end->first;
  for (const Search& each : searches_) next = std::min(next.value_or(each.deadline), each.deadline);
  return next;
}

acl::Message Facilitator::join(const acl::AgentId& parent) {
  Description me;
  me.name = self_;
  fm::ServiceDescription service;
  service.name = "df-service";
  service.type = "fipa-df";
  me.services = {service};
  return ask(parent, acl::to_term(fm::Register{me}));
}

acl::Message Facilitator::leave(const acl::AgentId& parent) {
  Description me;
  me.name = self_;
  return ask(parent, acl::to_term(fm::Deregister{me}));
}

acl::Message Facilitator::ask(const acl::AgentId& whom, const acl::sl::Term& act) {
  acl::Message request;
  request.performative = Performative::request;
  request.sender = self_;
  request.receivers = {whom};
  request.content = acl::request_content(whom, act);
  request.language = "fipa-sl0";
  request.ontology = fm::ontology;
  request.protocol = "fipa-request";
  request.conversation_id = new_id_();
  request.reply_with = new_id_();
  return request;
}

}  // namespace coracle::fipa
