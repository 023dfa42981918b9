#include "coracle/node.hpp"

#include "coracle/support/error_texts.hpp"
#include "lifecycle.hpp"
#include "metrics/node_metrics.hpp"
#include "node_core.hpp"

namespace coracle {

using detail::Worker;

Node::Node(Realization realization, NodeOptions options)
    : core_(std::make_unique<detail::NodeCore>(*this, std::move(realization), std::move(options))) {
}

Node::~Node() = default;

Address Node::adopt(AgentSpec spec, std::unique_ptr<Agent> agent) {
  if (core_->stopping().has_begun()) {
    throw Error(Errc::stopped, "cannot make an agent: the node is stopping; start a new node");
  }
  const auto worker = detail::AgentAccess::worker(spec);
  Worker& home = core_->worker(worker && *worker < core_->worker_count() ? *worker : 0);
  Address made;
  core_->calls().run_blocking(home, [&]() -> Task<> {
    made = co_await make_agent(home, std::move(spec), std::move(agent));
  });
  return made;
}

Address Node::find(Target who) {
  if (who.address()) return who.address();
  Worker* const here = Worker::current();
  const bool own = here != nullptr && &here->node() == core_.get();
  return Address(core_->mailbox(who.text(), own ? *here : core_->worker(0)));
}

bool Node::move(Address agent, unsigned worker, Deadline deadline) {
  if (worker >= core_->worker_count()) {
    throw Error(Errc::bad_options, "there is no worker " + std::to_string(worker) +
                                       "; the node has " + std::to_string(core_->worker_count()) +
                                       ", counted from 0");
  }
  detail::Mailbox& mailbox = *detail::Access::mailbox(agent);
  Worker& to = core_->worker(worker);
  const Time until = deadline.at(core_->clock().now());
  if (detail::DrivenNode* const driven = core_->driven()) {
    const auto moves = [&] {
      Worker& home = *mailbox.home.load();
      return &home == &to || home.relocation.move_out(mailbox, to);
    };
    return driven->driver().run_until(moves, until, "the move of an agent");
  }
  for (;;) {
    Worker& home = *mailbox.home.load();
    if (&home == &to) return true;
    bool moved = false;
    core_->calls().run_blocking(home, [&]() -> Task<> {
      moved = home.relocation.move_out(mailbox, to);
      co_return;
    });
    if (moved) return true;
    if (core_->clock().now() >= until) return false;
    std::this_thread::yield();
  }
}

unsigned Node::worker_of(Address agent) const noexcept {
  return detail::Access::mailbox(agent)->home.load()->index();
}

namespace {

detail::ByTurns& turns_of(detail::NodeCore& node) {
  if (detail::ByTurns* const turns = node.by_turns()) return *turns;
  throw Error(Errc::unsupported,
              node.is_driven()
                  ? "a simulated node is run by its simulator; call the simulator's functions"
                  : "this node has threads of its own, which run its agents; set "
                    "NodeOptions::workers to 0 for a node that your own loop runs");
}

}  // namespace

int Node::descriptor() const { return turns_of(*core_).descriptor(); }

bool Node::turn() { return turns_of(*core_).turn(); }

void Node::wait() { core_->agents().wait_for_end(); }

StopReport Node::stop(Deadline deadline) { return core_->stopping().stop(deadline); }

Ledger Node::ledger() const { return detail::ledger_of(*core_); }

Ledger Node::ledger(Address agent) const {
  return detail::ledger_of(*core_, *detail::Access::mailbox(agent));
}

std::optional<Stage> Node::message_store() const {
  detail::Remote* const remote = core_->remote();
  return remote != nullptr ? remote->store().promise() : std::nullopt;
}

std::size_t Node::agents() const noexcept { return core_->agents().count(); }

Metrics& Node::metrics() { return core_->metrics().values(); }

Directory& Node::directory() noexcept { return core_->directory(); }

const NodeOptions& Node::options() const noexcept { return core_->options(); }

std::string StopReport::to_string() const {
  std::string text = clean() ? "stopped; everything ended and was read\n" : std::string();
  if (!waits_for.empty()) text += "not stopped yet: it waits for " + waits_for + "\n";
  for (const Name& name : still_alive) text += "still alive: " + name.str() + "\n";
  for (const Undelivered& left : undelivered) {
    text += "not read: " + std::to_string(left.messages) + " for " + left.name.str();
    if (left.kept) text += *left.kept == Stage::stored ? " (stored)" : " (accepted)";
    if (left.why) text += ": " + detail::why_not_kept(left.why);
    text += "\n";
  }
  return text + ledger.to_string() + "\n";
}

}  // namespace coracle
