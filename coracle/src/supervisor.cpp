#include "coracle/supervisor.hpp"
#include "coracle/detail/access.hpp"

#include "runtime/node/lifecycle.hpp"
#include "runtime/node/name_watch.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>

namespace coracle {

using detail::NameWatch;
using detail::Worker;

struct Supervisor::Child {
  Child(AgentSpec how, Factory make) : spec(std::move(how)), factory(std::move(make)) {}

  AgentSpec spec;
  Factory factory;
  std::unique_ptr<NameWatch> watch;
  bool running = false;
};

// The endings of all children, one after the other.
struct Supervisor::Events {
  std::shared_ptr<NameWatch::State> state = std::make_shared<NameWatch::State>();
};

Supervisor::Supervisor(RestartLimit limit, Restart strategy)
    : count_(limit), strategy_(strategy), events_(std::make_unique<Events>()) {}

Supervisor::~Supervisor() {
  const detail::Mailbox* const own = detail::Access::mailbox(*this);
  if (own == nullptr) return;  // it has not begun
  auto& notes = own->home.load()->node().inspection_notes();
  for (const auto& child : children_) notes.released(child->spec.name(), own->name);
}

Supervisor& Supervisor::child(AgentSpec spec, Factory factory) {
  children_.push_back(std::make_unique<Child>(std::move(spec), std::move(factory)));
  return *this;
}

void Supervisor::on_ending(const Ending&) {}

Task<> Supervisor::start(Child& child) {
  co_await adopt(child.spec, child.factory());
  child.running = true;
  node().core().inspection_notes().started(child.spec.name(), name());
}

bool RestartCount::may_restart(Time present) {
  std::erase_if(recent_, [&](Time then) { return present - then > limit_.window; });
  if (recent_.size() >= limit_.times) return false;
  recent_.push_back(present);
  ++restarts_;
  return true;
}

// Ends the children that still run, and waits until they have ended.
Task<> Supervisor::end_the_rest() {
  std::size_t ending = 0;
  for (auto& child : children_) {
    if (!child->running) continue;
    ++ending;
    detail::end_agent_at(*detail::Access::mailbox(find(child->spec.name())));
  }
  while (ending != 0) {
    const Ending ended = co_await NameWatch::next_ending(events_->state);
    for (auto& child : children_) {
      if (child->spec.name() != ended.name || !child->running) continue;
      child->running = false;
      --ending;
    }
  }
}

Task<> Supervisor::restart(Child& crashed, const Ending& ending) {
  if (!count_.may_restart(now())) {
    co_await end_the_rest();
    throw Error(Errc::limit_reached,
                "supervisor '" + name().str() + "' gives up: '" + ending.name.str() +
                    "' crashed more than " + std::to_string(count_.limit().times) +
                    " times within its window; correct it, or allow more by RestartLimit; its last "
                    "error: " +
                    ending.text);
  }
  if (strategy_ == Restart::one) {
    co_await start(crashed);
    co_return;
  }
  co_await end_the_rest();
  for (auto& child : children_) co_await start(*child);
}

Task<> Supervisor::run() {
  for (auto& child : children_) {
    child->watch =
        std::make_unique<NameWatch>(*Worker::current(), child->spec.name(), events_->state);
    co_await child->watch->begin();
    co_await start(*child);
  }
  const auto runs = [](const auto& child) { return child->running; };
  while (std::any_of(children_.begin(), children_.end(), runs)) {
    const Ending ending = co_await NameWatch::next_ending(events_->state);
    for (auto& child : children_) {
      if (child->spec.name() != ending.name || !child->running) continue;
      child->running = false;
      on_ending(ending);
      if (ending.reason != EndReason::stopped) co_await restart(*child, ending);
      break;
    }
  }
}

}  // namespace coracle
