#include "coracle/port.hpp"

#include "coracle/receipt.hpp"
#include "lifecycle.hpp"
#include "node_core.hpp"
#include "port_body.hpp"

namespace coracle {

namespace detail {

// Ends the agent of a port that does not wait for this end.
static void leave_later(NodeCore& node, const Mailbox& mailbox, Agent& body,
                        const std::shared_ptr<std::atomic<bool>>& ended, EndReason reason,
                        const std::string& text) {
  try {
    node.calls().enter();
  } catch (const Error&) {
    return;  // the node has stopped: the name is free already
  }
  mailbox.home.load()->post(command([&node, &body, ended, reason, text](Worker& at) {
    if (!ended->load()) end_agent(at, body, reason, text);
    node.calls().leave();
  }));
}

}  // namespace detail

using detail::Worker;

void Port::leave_later(EndReason reason, const std::string& text) const {
  detail::leave_later(node_.core(), *detail::Access::mailbox(self_), *body_, ended_, reason, text);
}

void detail::FromOutside::fail(Port& port, const std::string& text) {
  if (!port.ended_->load()) port.leave_later(EndReason::crashed, text);
}

// Messages that are on their way to an outside thread must not outlive the node.
Port::Body::~Body() {
  for (const auto& message : kept_) message->give_back();
  ended_->store(true);
}

Task<> Port::Body::run() {
  const detail::Signal never;
  try {
    co_await never.wait();
  } catch (const Error&) {
    // The node stops, and with it the operations that the thread waits for.
  }
  while (acts_ > 0) co_await yield();
}

Task<> Port::Body::act(const std::function<Task<>(Agent&)>& body) {
  ++acts_;
  try {
    co_await body(*this);
  } catch (...) {
    --acts_;
    throw;
  }
  --acts_;
}

void Port::Body::begin(Task<> work) { spawn(count(std::move(work))); }

Task<> Port::Body::count(Task<> work) {
  ++acts_;
  co_await work;  // does not throw
  --acts_;
}

void Port::Body::keep(std::shared_ptr<detail::HeldMessages> message) {
  if (kept_.size() >= look_again_at_) {
    std::erase_if(kept_, [](const auto& each) { return each.use_count() == 1; });
    look_again_at_ = 16 + 2 * kept_.size();
  }
  kept_.push_back(std::move(message));
}

Port::Port(Node& node, AgentSpec spec) : node_(node) {
  if (node.core().is_driven()) {
    throw Error(Errc::unsupported,
                "a simulated node cannot have a Port, because a Port belongs to "
                "another thread; do the same in an agent, made by create()");
  }
  auto body = std::make_unique<Body>(ended_);
  body_ = body.get();
  self_ = node_.adopt(std::move(spec.pinned()), std::move(body));
}

Port::~Port() {
  if (ended_->load()) return;
  if (!waits_) {
    if (self_) leave_later(EndReason::stopped, {});
    return;
  }
  try {
    Worker& home = *detail::Access::mailbox(self_)->home.load();
    node_.core().calls().run_blocking(home, [this]() -> Task<> {
      if (!ended_->load()) end_agent(*Worker::current(), *body_, EndReason::stopped, {});
      co_return;
    });
  } catch (const Error&) {
    // The node has stopped: the name is free already.
  }
}

void Port::act_erased(const std::function<Task<>(Agent&)>& body) {
  if (ended_->load()) {
    throw Error(Errc::stopped, "'" + self_.name().str() +
                                   "' can do nothing more: its node has stopped, or its name was "
                                   "taken over; open a new Port");
  }
  Worker& home = *detail::Access::mailbox(self_)->home.load();
  node_.core().calls().run_blocking(home, [&]() -> Task<> {
    if (!ended_->load()) return body_->act(body);
    throw Error(Errc::stopped, "'" + self_.name().str() + "' has ended; open a new Port");
  });
}

void Port::send(Target to, Content content, Conversation conversation) {
  act_erased(
      [&](Agent& agent) -> Task<> { co_await agent.send(to, std::move(content), conversation); });
}

void Port::send(Post post) {
  act_erased([&](Agent& agent) -> Task<> { co_await agent.send(std::move(post)); });
}

bool Port::send_until(Stage stage, Post post, Deadline deadline) {
  return act<bool>([&](Agent& agent) -> Task<bool> {
    Receipt receipt = co_await agent.track(std::move(post));
    co_return co_await receipt.reached(stage, deadline);
  });
}

Message Port::ask(Target whom, Content content, Deadline deadline) {
  return act<Message>([&](Agent& agent) -> Task<Message> {
    co_return co_await agent.ask(whom, std::move(content), deadline);
  });
}

void Port::reply(const MessageView& message, Content content) {
  act_erased([&](Agent& agent) -> Task<> { co_await agent.reply(message, std::move(content)); });
}

Message Port::receive(Match match) {
  return act<Message>(
      [&](Agent& agent) -> Task<Message> { co_return co_await agent.receive(std::move(match)); });
}

std::optional<Message> Port::receive(Match match, Deadline deadline) {
  return act<std::optional<Message>>([&](Agent& agent) -> Task<std::optional<Message>> {
    co_return co_await agent.receive(std::move(match), deadline);
  });
}

std::optional<Message> Port::try_receive(Match match) {
  return act<std::optional<Message>>([&](Agent& agent) -> Task<std::optional<Message>> {
    co_return agent.try_receive(std::move(match));
  });
}

std::size_t Port::pending(Match match) {
  return act<std::size_t>(
      [&](Agent& agent) -> Task<std::size_t> { co_return agent.pending(std::move(match)); });
}

void Port::join(Group group) {
  act_erased([&](Agent& agent) -> Task<> { co_await agent.join(group); });
}

void Port::join(Group group, Last last) {
  act_erased([&](Agent& agent) -> Task<> { co_await agent.join(group, last); });
}

void Port::keep_last(const Group& group, std::size_t messages, std::size_t bytes) {
  act_erased([&](Agent& agent) -> Task<> {
    agent.keep_last(group, messages, bytes);
    co_return;
  });
}

void Port::leave(Group group) {
  act_erased([&](Agent& agent) -> Task<> { co_await agent.leave(group); });
}

Tap Port::overhear(Pattern pattern, std::uint32_t limit) {
  return act<Tap>([&](Agent& agent) -> Task<Tap> {
    co_return co_await agent.overhear(std::move(pattern), limit);
  });
}

Tap Port::overhear(Pattern pattern, TapOptions options) {
  return act<Tap>([&](Agent& agent) -> Task<Tap> {
    co_return co_await agent.overhear(std::move(pattern), options);
  });
}

void Port::stop_overhearing(Tap tap) {
  act_erased([&](Agent& agent) -> Task<> { co_await agent.stop_overhearing(tap); });
}

Ending Port::watch(Name name) {
  return act<Ending>(
      [&](Agent& agent) -> Task<Ending> { co_return co_await agent.watch(std::move(name)); });
}

std::vector<Entry> Port::search(Query query) {
  return act<std::vector<Entry>>([&](Agent& agent) -> Task<std::vector<Entry>> {
    co_return co_await agent.search(std::move(query));
  });
}

}  // namespace coracle
