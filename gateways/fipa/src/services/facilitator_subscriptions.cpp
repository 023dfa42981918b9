// The subscriptions to a facilitator: searches that last.
#include "coracle/fipa/facilitator.hpp"

#include "coracle/acl/ontology/frame.hpp"
#include "services/answers.hpp"
#include "services/shares.hpp"

#include <algorithm>
#include <variant>

namespace coracle::fipa {

namespace fm = acl::management;
using acl::CalendarTime;
using acl::Performative;

// Returns whether there is room for a subscription from that host, if need be that of another one.
bool Facilitator::make_room_for_subscription(const acl::Message& message, const std::string& host,
                                             Messages& out) {
  const std::string platform = lower(acl::platform_part(message.sender.name));
  const auto of_platform =
      std::count_if(subscriptions_.begin(), subscriptions_.end(), [&](const Subscription& each) {
        return lower(acl::platform_part(each.asked.sender.name)) == platform;
      });
  if (static_cast<std::size_t>(of_platform) >= limits_.subscriptions_per_platform) return false;
  const auto room =
      room_for(host, subscriptions_, limits_.subscriptions, limits_.subscriptions_per_host);
  if (room.yields == subscriptions_.end()) return room.is_given;
  out.push_back(
      refuse(room.yields->asked, room.yields->text,
             fm::reason(fm::internal_error, "others need the room of this subscription")));
  subscriptions_.erase(room.yields);
  return true;
}

Messages Facilitator::on_subscribe(const acl::Message& message, CalendarTime now,
                                   const std::string& host) {
  if (const auto reason = wrong_language(message)) return {refuse(message, {}, *reason)};
  const auto asked = acl::read_subscription(acl::text_of(message));
  if (!asked) return {refuse(message, {}, fm::reason(fm::unrecognised_value, "content"))};
  fm::Search search;
  if (const auto mismatch = acl::from_term(asked->act, search))
    return {refuse(message, asked->text, fm::reason_for(*mismatch))};
  const Description* const pattern = std::get_if<Description>(&search.description);
  if (pattern == nullptr)
    return {refuse(
        message, asked->text,
        fm::reason(fm::unrecognised_parameter_value, "description", "ams-agent-description"))};
  std::erase_if(subscriptions_, [&](const Subscription& each) {
    return each.asked.conversation_id == message.conversation_id &&
           acl::is_same_agent(each.asked.sender, message.sender);
  });
  Messages out;
  if (!make_room_for_subscription(message, host, out))
    return {refuse(message, asked->text,
                   fm::reason(fm::internal_error,
                              "the facilitator has no room for more "
                              "subscriptions"))};
  subscriptions_.push_back({message, asked->text, *pattern, host});
  const std::vector<Description> there = this->search(*pattern, limits_.results, now);
  if (!there.empty())
    out.push_back(answer(self_, message, Performative::inform,
                         acl::notification_content(asked->text, acl::to_term(there))));
  return out;
}

Messages Facilitator::on_cancel(const acl::Message& message) {
  const auto inner = acl::read_cancel(acl::text_of(message));
  const std::string& conversation =
      inner && !inner->conversation_id.empty() ? inner->conversation_id : message.conversation_id;
  const auto asked = acl::read_request(acl::text_of(message));
  const std::string text = asked ? asked->text : std::string();
  const std::size_t ended = std::erase_if(subscriptions_, [&](const Subscription& each) {
    return each.asked.conversation_id == conversation &&
           acl::is_same_agent(each.asked.sender, message.sender);
  });
  if (ended == 0) return {refuse(message, text, fm::reason(fm::not_registered))};
  return {
      answer(self_, message, Performative::inform, text.empty() ? "" : acl::done_content(text))};
}

void Facilitator::notify(const Description* before, const Description& after, CalendarTime now,
                         Messages& out) const {
  for (const Subscription& each : subscriptions_) {
    const bool matches = fm::matches(each.pattern, after, now) ||
                         (before != nullptr && fm::matches(each.pattern, *before, now));
    if (!matches) continue;
    out.push_back(answer(self_, each.asked, Performative::inform,
                         acl::notification_content(each.text, acl::to_term(std::vector{after}))));
  }
}

}  // namespace coracle::fipa
