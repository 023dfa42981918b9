#include "server/looks.hpp"

#include <algorithm>
#include <utility>

namespace coracle::view {

namespace {

using namespace std::chrono_literals;

constexpr Duration interval = 250ms;     // between two inspections
constexpr Duration after_refusal = 10s;  // each refusal is in the society's audit
constexpr std::size_t at_once = 24, most_waits = 20;

}  // namespace

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

Look Looks::look_of(const Inspection& found, Time now) {
  Look look;
  look.queue = found.lease != 0 ? found.queued : found.waiting;
  look.room = found.lease != 0 ? found.mailbox.messages() : 0;
  look.open = found.requests;
  look.running = found.running;
  const Wait* longest = nullptr;
  for (const Wait& each : found.waits) {
    if (each.whom.empty()) continue;
    if (longest == nullptr || each.since > longest->since) longest = &each;
  }
  if (longest == nullptr) return look;
  look.waits_for.push_back(longest->whom);
  look.waits_what = phrase(longest->what);
  look.waits_since = now - longest->since.value_or(Duration(0));
  for (const Wait& each : found.waits) {
    const auto& known = look.waits_for;
    const bool is_new =
        !each.whom.empty() && std::find(known.begin(), known.end(), each.whom) == known.end();
    if (is_new && known.size() < most_waits) look.waits_for.push_back(each.whom);
  }
  return look;
}

void Looks::take(const Inspection& found, Time now) {
  std::string objection;
  if (found.is_allowed) was_allowed_ = true;
  else if (!was_allowed_)
    objection = "the society's policy does not allow that this view inspects agents, such as '" +
                found.name.str() + "'; ask its operator for the right inspect";
  if (objection.empty() != feed_.rights.inspect.empty())
    feed_.rights.inspect = std::move(objection), changed_();
  feed_.people.look(found.name, found.is_allowed ? look_of(found, now) : Look(), now);
}

Task<> Looks::go_round(Agent& me) {
  std::vector<Name> names;
  while (!feed_.browsers.empty()) {
    if (names.empty()) {
      std::vector<const Choice*> screens;
      for (const Browser* const each : feed_.browsers) screens.push_back(&each->choice);
      names = feed_.people.to_look_at(screens, at_once);
      std::reverse(names.begin(), names.end());
    }
    Duration pause = interval;
    if (!names.empty()) {
      Task<Inspection> inspecting = inspect(me, names.back());
      names.pop_back();
      const Inspection found = co_await inspecting;
      if (!found.is_allowed) pause = after_refusal;
      take(found, me.now());
    }
    co_await me.pause(Deadline(pause));
  }
}

}  // namespace coracle::view
