#include "server/inspections.hpp"

#include "coracle/agent.hpp"
#include "coracle/errors.hpp"
#include "coracle/operating.hpp"
#include "coracle/why_waits.hpp"
#include "server/looks.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::view {

namespace {

using namespace std::chrono_literals;

std::string_view text_of(Activity activity) noexcept {
  switch (activity) {
    case Activity::absent:
      return "absent";
    case Activity::waits:
      return "waits";
    case Activity::runs:
      return "runs";
    case Activity::silent:
      return "its node does not reply";
  }
  return "unknown";
}

}  // namespace

Task<json::value> Inspections::agent(Agent& me, Name name) {
  Task<Inspection> inspecting = look(me, std::move(name));
  const Inspection found = co_await inspecting;
  if (!found.is_allowed)
    throw Error(Errc::not_permitted,
                "the society's policy does not allow that this view inspects '" + found.name.str() +
                    "'; ask its operator for the right inspect");
  co_return json_of(found, me.now());
}

// A node replies to 16 inspections of one peer in a second, and 4 are those of the round (Looks).
// So these wait for their pace; some may come at once.
Task<Inspection> Inspections::look(Agent& me, Name name) {
  constexpr Duration pace = 166ms, at_once = 6 * pace;
  next_ = std::max(next_, me.now()) + pace;
  if (next_ - me.now() > at_once) co_await me.pause(Deadline(next_ - at_once));
  Task<Inspection> inspecting = coracle::inspect(me, std::move(name));
  co_return co_await inspecting;
}

json::object Inspections::wait_of(const Wait& wait, Time now) const {
  json::object object{{"what", phrase(wait.what)}};
  json::array whom;
  if (!wait.whom.empty()) whom.emplace_back(wait.whom.view());
  object["for"] = std::move(whom);
  if (wait.since) object["since"] = times_.seconds(now - *wait.since);
  return object;
}

json::object Inspections::json_of(const Inspection& found, Time now) const {
  json::object object{{"name", found.name.view()},
                      {"node", std::to_string(found.lease)},
                      {"life", found.life.counter},
                      {"state", text_of(found.activity)}};
  json::array waits, requests, first, errors;
  for (const Wait& each : found.waits) {
    waits.push_back(wait_of(each, now));
    if (each.what != WaitFor::reply) continue;
    json::object request{{"to", each.whom.view()}, {"what", "request"}};
    if (each.since) request["since"] = times_.seconds(now - *each.since);
    requests.push_back(std::move(request));
  }
  constexpr std::size_t most_messages = 100;
  for (const WaitingMessage& each : found.messages) {
    if (first.size() == most_messages) break;
    first.push_back(
        json::object{{"from", utf8(each.source)}, {"text", utf8(each.text)}, {"size", each.size}});
  }
  for (const InspectedError& each : found.errors)
    errors.push_back(
        json::object{{"at", times_.seconds(now - each.ago)}, {"text", utf8(each.text)}});
  object["waits"] = std::move(waits);
  object["requests"] = std::move(requests);
  object["mailbox"] = json::object{{"count", found.queued},
                                   {"bytes", found.queued_bytes},
                                   {"limit", found.mailbox.messages()},
                                   {"first", std::move(first)}};
  if (!found.supervisor.empty())
    object["supervisor"] =
        json::object{{"name", found.supervisor.view()}, {"restarts", found.restarts}};
  object["errors"] = std::move(errors);
  if (!found.state.empty()) object["shown"] = utf8(found.state);
  return object;
}

Task<json::value> Inspections::why(Agent& me, Name name) {
  WhyChain following(std::move(name));
  while (!following.next().empty()) {
    Task<Inspection> looking = look(me, following.next());
    const Inspection found = co_await looking;
    following.add(found);
  }
  const WhyWaits why = std::move(following).result();
  json::array chain;
  for (const WhyStep& step : why.chain) {
    json::object link = step.wait ? wait_of(*step.wait, me.now()) : json::object();
    if (!step.wait) link["what"] = text_of(step.activity);
    link["name"] = step.name.view();
    link["node"] = utf8(step.node);
    chain.push_back(std::move(link));
  }
  json::object told{{"chain", std::move(chain)},
                    {"circle", why.end == WhyEnd::circle},
                    {"deadlock", why.is_deadlock},
                    {"sentence", utf8(why.sentence)}};
  co_return told;
}

Task<> Inspections::act(Agent& me, std::string_view what, const json::object& request) {
  const OperatorAct act = what == "end"       ? OperatorAct::end
                          : what == "restart" ? OperatorAct::restart
                                              : OperatorAct::record;
  Task<> acting = operate(me, act, Name(text_in(request, "name")));
  co_await acting;
}

}  // namespace coracle::view
