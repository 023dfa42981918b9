// The searches of a facilitator, and those that it passes on to others.
#include "coracle/fipa/facilitator.hpp"

#include "coracle/acl/ontology/frame.hpp"
#include "services/answers.hpp"
#include "services/shares.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace coracle::fipa {

namespace fm = acl::management;
using acl::CalendarTime;
using acl::Performative;

namespace {

// The identifiers of searches that are remembered, so that no search runs in a circle.
constexpr std::size_t most_served = 1000;

bool is_facilitator(const Facilitator::Description& entry) {
  return std::any_of(entry.services.begin(), entry.services.end(), [](const auto& service) {
    return service.type && lower(*service.type) == "fipa-df";
  });
}

}  // namespace

Messages Facilitator::find(const acl::Message& message, const std::string& text,
                           const fm::Search& search, CalendarTime now, const std::string& host) {
  const fm::SearchConstraints& limits = search.constraints;
  const std::string id = limits.search_id ? *limits.search_id : new_id_();
  if (std::find(served_.begin(), served_.end(), id) != served_.end())
    return {refuse(message, text, fm::reason(fm::internal_error, "search-id already served"))};
  served_.push_back(id);
  if (served_.size() > most_served) served_.pop_front();

  // As in JADE: one result if nothing is said, and as many as permitted for a negative number.
  const std::int64_t most = limits.max_results.value_or(1);
  Search begun;
  begun.host = host;
  begun.asked = message;
  begun.text = text;
  begun.wanted = most < 0 ? limits_.results
                          : std::min<std::size_t>(static_cast<std::size_t>(most), limits_.results);
  const Description& pattern = std::get<Description>(search.description);
  begun.found = this->search(pattern, begun.wanted, now);
  Messages out;
  const std::int64_t depth = limits.max_depth.value_or(0);
  const auto room = room_for(host, searches_, limits_.searches, limits_.searches_per_host);
  if (depth > 0 && begun.found.size() < begun.wanted && room.is_given) {
    const auto wanted =
        message.reply_by ? acl::calendar_time_of(*message.reply_by, now) : std::nullopt;
    begun.deadline = std::min(wanted.value_or(now + limits_.patience), now + limits_.patience);
    ask_children(begun, pattern, depth, id, out);
  }
  if (begun.waiting.empty()) {
    out.push_back(finished(begun));
    return out;
  }
  if (room.yields != searches_.end()) {
    out.push_back(finished(*room.yields));
    searches_.erase(room.yields);
  }
  searches_.push_back(std::move(begun));
  return out;
}

void Facilitator::ask_children(Search& search, const Description& pattern, std::int64_t depth,
                               const std::string& id, Messages& out) {
  for (const auto& [key, entry] : entries_.all()) {
    const acl::AgentId& child = *entry.description.name;
    if (entry.is_own || !is_facilitator(entry.description)) continue;
    if (acl::is_same_agent(child, search.asked.sender)) continue;
    if (search.waiting.size() >= limits_.children) break;
    fm::Search passed{pattern, {}};
    passed.constraints.max_depth = depth - 1;
    passed.constraints.max_results = static_cast<std::int64_t>(search.wanted - search.found.size());
    passed.constraints.search_id = id;
    acl::Message request = ask(child, acl::to_term(passed));
    request.reply_by = acl::date_time_of(search.deadline);
    search.waiting.emplace(request.reply_with, key);
    out.push_back(std::move(request));
  }
}

acl::Message Facilitator::finished(const Search& search) const {
  return answer(self_, search.asked, Performative::inform,
                acl::result_content(search.text, acl::to_term(search.found)));
}

// The answer of another facilitator, or the notice that it could not be reached.
void Facilitator::on_answer(const acl::Message& message, Messages& out) {
  if (message.performative == Performative::agree) return;
  for (auto each = searches_.begin(); each != searches_.end(); ++each) {
    const auto waiting = each->waiting.find(message.in_reply_to);
    if (waiting == each->waiting.end()) continue;
    const bool is_lost =
        message.performative == Performative::failure &&
        lower(message.sender.name) == "ams@" + lower(acl::platform_part(self_.name));
    if (lower(message.sender.name) != waiting->second && !is_lost) return;
    each->waiting.erase(waiting);
    const auto result = acl::read_result(acl::text_of(message));
    const auto* const elements = result ? acl::sl::elements_of(*result) : nullptr;
    if (message.performative == Performative::inform && elements != nullptr) {
      for (const auto& element : *elements) {
        Description entry;
        if (each->found.size() >= each->wanted) break;
        if (acl::from_term(element.value, entry) || !entry.name) continue;
        const bool is_known = std::any_of(
            each->found.begin(), each->found.end(),
            [&](const Description& other) { return acl::is_same_agent(*other.name, *entry.name); });
        if (!is_known) each->found.push_back(std::move(entry));
      }
    }
    if (!each->waiting.empty() && each->found.size() < each->wanted) return;
    out.push_back(finished(*each));
    searches_.erase(each);
    return;
  }
}

}  // namespace coracle::fipa
