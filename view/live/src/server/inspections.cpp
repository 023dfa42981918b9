#include "server/inspections.hpp"

#include "coracle/agent.hpp"
#include "coracle/errors.hpp"

#if __has_include("coracle/inspection.hpp")
#include "coracle/inspection.hpp"
#define CORACLE_VIEW_HAS_INSPECTION
#endif

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::view {

#ifdef CORACLE_VIEW_HAS_INSPECTION

namespace {

std::string_view phrase(WaitFor what) noexcept {
  switch (what) {
    case WaitFor::message:
      return "a message";
    case WaitFor::reply:
      return "a reply";
    case WaitFor::room:
      return "room in a mailbox";
    case WaitFor::pause:
      return "time to pass";
    case WaitFor::computation:
      return "a computation";
  }
  return "something";
}

std::string_view phrase(Activity activity) noexcept {
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

class Inspections final : public Operations {
 public:
  explicit Inspections(const Times& times) : times_(times) {}

  std::optional<std::string> objection_to_inspect() const override { return std::nullopt; }
  std::optional<std::string> objection_to_operate() const override {
    return "this view cannot act on agents";
  }
  Task<std::string> inspect(Agent& me, Name name) override {
    Task<Inspection> inspecting = look(me, std::move(name));
    const Inspection found = co_await inspecting;
    co_return json::serialize(json_of(found, me.now()));
  }
  Task<std::string> why(Agent& me, Name name) override;
  Task<std::string> act(Agent&, std::string, std::string) override {
    throw Error(Errc::not_permitted, *objection_to_operate());
  }

 private:
  static Task<Inspection> look(Agent& me, Name name);
  json::object json_of(const Inspection& found, Time now) const;
  json::object wait_of(const Wait& wait, Time now) const;

  const Times& times_;
};

Task<Inspection> Inspections::look(Agent& me, Name name) {
  Task<Inspection> inspecting = coracle::inspect(me, name);
  Inspection found = co_await inspecting;
  if (!found.is_allowed)
    throw Error(Errc::not_permitted,
                "the society's policy does not allow that this view inspects '" + name.str() +
                    "'; ask its operator");
  co_return found;
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
                      {"node", found.lease},
                      {"life", found.life.counter},
                      {"state", phrase(found.activity)}};
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

// From each agent to the first that it waits for, until one waits for nobody, or was met before.
Task<std::string> Inspections::why(Agent& me, Name name) {
  constexpr std::size_t longest = 32;
  json::array chain;
  std::vector<Name> met;
  bool is_circle = false;
  for (Name next = name; !next.empty() && chain.size() < longest;) {
    if (std::find(met.begin(), met.end(), next) != met.end()) {
      is_circle = true;
      break;
    }
    met.push_back(next);
    Task<Inspection> looking = look(me, next);
    const Inspection found = co_await looking;
    const auto wait = std::find_if(found.waits.begin(), found.waits.end(),
                                   [](const Wait& each) { return !each.whom.empty(); });
    const Wait* const shown = wait != found.waits.end() ? &*wait
                              : found.waits.empty()     ? nullptr
                                                        : &found.waits.front();
    json::object link = shown != nullptr ? wait_of(*shown, me.now()) : json::object();
    if (shown == nullptr) link["what"] = phrase(found.activity);
    link["name"] = next.view();
    link["node"] = found.lease;
    chain.push_back(std::move(link));
    next = wait != found.waits.end() ? wait->whom : Name();
  }
  co_return json::serialize(json::object{{"chain", std::move(chain)}, {"circle", is_circle}});
}

}  // namespace

std::shared_ptr<Operations> inspections(const Times& times) {
  return std::make_shared<Inspections>(times);
}

#else

std::shared_ptr<Operations> inspections(const Times&) { return nullptr; }

#endif

}  // namespace coracle::view
