// Undertakings of threads that do not wait. See <coracle/detail/outside.hpp>.
#include "coracle/detail/outside.hpp"

#include "lifecycle.hpp"
#include "node_core.hpp"
#include "port_body.hpp"

#include <functional>

namespace coracle::detail {

void HeldMessages::put(Message message) {
  const std::lock_guard lock(mutex_);
  if (!first_ && others_.empty()) first_ = std::move(message);
  else others_.push_back(std::move(message));
}

Message HeldMessages::take() {
  const std::lock_guard lock(mutex_);
  if (first_) return std::exchange(first_, Message());
  return taken_ == others_.size() ? Message() : std::move(others_[taken_++]);
}

void HeldMessages::give_back() noexcept {
  const std::lock_guard lock(mutex_);
  // The newest goes back first, so that the oldest is before all others in the end.
  for (; others_.size() > taken_; others_.pop_back()) others_.back().give_back();
  if (first_) first_.give_back();
}

bool HeldMessages::is_empty() const {
  const std::lock_guard lock(mutex_);
  return !first_ && taken_ == others_.size();
}

bool Undertaking::end(std::exception_ptr error) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_ended_, true)) return false;
    worker_ = nullptr;
  }
  on_end(std::move(error));
  return true;
}

void Undertaking::call_off() noexcept {
  const std::lock_guard lock(mutex_);
  if (has_ended_ || std::exchange(is_called_off_, true) || worker_ == nullptr) return;
  worker_->post(command([self = shared_from_this()](Worker&) {
    if (self->ends_early_) std::exchange(self->ends_early_, nullptr)();
  }));
}

bool Undertaking::is_called_off() const {
  const std::lock_guard lock(mutex_);
  return is_called_off_;
}

bool Undertaking::has_ended() const {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

bool Undertaking::begin_at(Worker* worker) {
  const std::lock_guard lock(mutex_);
  worker_ = worker;
  return !is_called_off_;
}

Task<> Undertaking::run(Agent*) { co_return; }

// Ends an undertaking that has not ended, however the coroutine frame that holds this object ends.
class Undertaking::EndsAnyway {
 public:
  explicit EndsAnyway(std::shared_ptr<Undertaking> what) noexcept : what_(std::move(what)) {}
  EndsAnyway(EndsAnyway&&) noexcept = default;
  ~EndsAnyway() {
    if (!what_ || what_->has_ended()) return;
    what_->end(std::make_exception_ptr(
        Error(Errc::stopped,
              "the operation has no result: the node was stopped, the port is gone, or another "
              "agent has taken over its name")));
  }
  Undertaking& what() const noexcept { return *what_; }

 private:
  std::shared_ptr<Undertaking> what_;
};

// Ends an undertaking of which nothing was done.
static void end_unbegun(Undertaking& what) {
  what.end(std::make_exception_ptr(
      Error(Errc::cancelled, "it was cancelled before it began; nothing was done")));
}

Task<> Undertaking::perform(EndsAnyway held, Agent* agent) {
  if (held.what().is_called_off()) co_return end_unbegun(held.what());  // while it waited its turn
  std::exception_ptr error;
  try {
    Task<> task = held.what().run(agent);
    co_await task;
  } catch (...) {
    error = std::current_exception();
  }
  held.what().end(std::move(error));
}

Task<> Undertaking::performed(std::shared_ptr<Undertaking> what, Agent* agent) {
  return perform(EndsAnyway(std::move(what)), agent);
}

// Has the worker `begin` the undertaking, and leave; at once, if that is possible.
template <class Begin>
static void begin_on(NodeCore& node, Worker& worker, Undertaking& what, const Begin& begin) {
  bool has_entered = false;
  try {
    if (node.is_driven())
      throw Error(Errc::unsupported,
                  "a simulated node runs on the thread that waits for it, so no operation can be "
                  "started there from outside; do it in an agent");
    node.calls().enter();
    has_entered = true;
    ByTurns* const turns = node.by_turns();
    if (turns == nullptr || !turns->at_once(std::ref(begin))) worker.post(command(begin));
  } catch (...) {
    if (has_entered) node.calls().leave();
    what.end(std::current_exception());
  }
}

void FromOutside::begin(Port& port, std::shared_ptr<Undertaking> what) {
  const auto ended = port.ended_;
  const auto say_ended = [](Undertaking& which) {
    which.end(std::make_exception_ptr(
        Error(Errc::stopped,
              "this port can do nothing more: its node has stopped, or its name was "
              "taken over; open a new one")));
  };
  if (ended->load()) return say_ended(*what);
  NodeCore& node = port.node_.core();
  const auto begin = [&node, body = port.body_, ended, what, say_ended](Worker& at) {
    if (ended->load() || Access::mailbox(*body)->agent != body) {
      say_ended(*what);
    } else if (!what->begin_at(&at)) {
      end_unbegun(*what);
    } else {
      if (what->held()) body->keep(what->held());
      body->begin(Undertaking::performed(what, body));
    }
    node.calls().leave();
  };
  begin_on(node, *Access::mailbox(port.self_)->home.load(), *what, begin);
}

void FromOutside::begin(Node& where, std::shared_ptr<Undertaking> what) {
  NodeCore& node = where.core();
  const auto perform = [](NodeCore& at, std::shared_ptr<Undertaking> which) -> Task<> {
    Task<> work = Undertaking::performed(std::move(which), nullptr);
    co_await work;
    at.calls().leave();
  };
  const auto begin = [&node, what, perform](Worker& at) {
    if (what->begin_at(nullptr)) return run_detached(at, perform(node, what));
    end_unbegun(*what);
    node.calls().leave();
  };
  begin_on(node, node.worker(0), *what, begin);
}

bool FromOutside::at_once(Node& node, const std::function<void()>& act) {
  ByTurns* const turns = node.core().by_turns();
  const auto ignoring = [&act](Worker&) { act(); };
  return turns != nullptr && turns->at_once(std::ref(ignoring));
}

void FromOutside::set_deferring(Node& node, bool is_so) {
  if (ByTurns* const turns = node.core().by_turns()) turns->set_deferring(is_so);
}

template <class Act>
bool FromOutside::try_act(Port& port, const Act& act) {
  bool done = false;
  std::exception_ptr error;
  const auto as_agent = [&] {
    try {
      if (port.ended_->load() || Access::mailbox(*port.body_)->agent != port.body_) return;
      done = act(*port.body_);
    } catch (...) {
      error = std::current_exception();
    }
  };
  if (!at_once(port.node_, std::ref(as_agent))) return false;
  if (error) std::rethrow_exception(error);
  return done;
}

bool FromOutside::try_send(Port& port, const Post& post) {
  return try_act(port, [&](Agent& agent) { return AgentAccess::try_send(agent, post); });
}

bool FromOutside::try_reply(Port& port, const MessageView& request, const Content& content) {
  return try_act(port, [&](Agent& agent) {
    Sending sending = agent.reply(request, content);
    if (!sending.has_ended()) return false;
    sending.await_resume();
    return true;
  });
}

void FromOutside::take_turns(Node& node, const std::function<bool()>& is_so) {
  if (ByTurns* const turns = node.core().by_turns()) turns->until(is_so, Time::max());
}

Task<Address> FromOutside::make(AgentSpec spec, std::unique_ptr<Agent> agent) {
  return make_agent(*Worker::current(), std::move(spec), std::move(agent));
}

Task<std::unique_ptr<Port>> FromOutside::join(Node& node, AgentSpec spec) {
  std::unique_ptr<Port> port(new Port(node));
  auto body = std::make_unique<Port::Body>(port->ended_);
  port->body_ = body.get();
  Task<Address> making = make_agent(*Worker::current(), std::move(spec.pinned()), std::move(body));
  port->self_ = co_await making;
  co_return port;
}

void FromOutside::stop(Node& node, Deadline deadline,
                       std::function<void(std::exception_ptr, StopReport)> tell) {
  node.core().stopping().stop_and_tell(deadline, std::move(tell));
}

}  // namespace coracle::detail
