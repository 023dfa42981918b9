#include "operations.hpp"

#include "coracle/support/log.hpp"
#include "holds.hpp"
#include "runtime/inspection/inspections.hpp"
#include "runtime/node/lifecycle.hpp"
#include "runtime/node/node_core.hpp"

#include <functional>
#include <utility>

namespace coracle::detail {

Task<bool> may_operate(NodeCore& node, LeaseId by, Name name) {
  if (node.remote() == nullptr) {
    const NodeOptions& options = node.options();
    if (options.policy == nullptr) co_return options.operators;
    co_return options.policy->allows(options.identity, Action::operate, name, name);
  }
  Task<Result<void>> asking = node.directory().may_operate(by, std::move(name));
  const Result<void> answer = co_await asking;
  co_return answer.has_value();
}

namespace {

constexpr Duration act_patience = std::chrono::seconds(5);

using TellActed = std::function<void(Acted)>;

Acted mark_to_record(Worker& home, const Mailbox& mailbox, bool is_marked, std::uint64_t by) {
  if (!home.observing.mark(mailbox.name, is_marked)) return Acted::no_recording;
  log_warning("agent '" + mailbox.name.str() + "': an operator " +
              (is_marked ? "has it recorded" : "has ended its recording") +
              ", at the node with lease " + std::to_string(by));
  return Acted::done;
}

const char* verb_of(OperatorAct act) noexcept {
  switch (act) {
    case OperatorAct::end:
      return "end";
    case OperatorAct::restart:
      return "restart";
    case OperatorAct::record:
      return "record";
    case OperatorAct::leave:
      return "end the recording of";
  }
  return "?";
}

// Performs the act between two pieces of the agent's code, and then calls `tell`.
void perform_act(Mailbox& mailbox, OperatorAct act, std::uint64_t by, TellActed tell) {
  Worker& home = *mailbox.home.load();
  home.post(command([&mailbox, act, by, tell = std::move(tell)](Worker& at) {
    if (mailbox.home.load() != &at) return perform_act(mailbox, act, by, tell);
    if (mailbox.agent == nullptr) return tell(Acted::nobody);
    if (act == OperatorAct::record || act == OperatorAct::leave)
      return tell(mark_to_record(at, mailbox, act == OperatorAct::record, by));
    const bool ends = act == OperatorAct::end;
    auto& notes = at.node().inspection_notes();
    if (!ends && notes.supervisor_of(mailbox.name).supervisor.empty())
      return tell(Acted::no_supervisor);
    const std::string what = ends ? "an operator has ended it" : "an operator has restarted it";
    log_warning("agent '" + mailbox.name.str() + "': " + what + ", at the node with lease " +
                std::to_string(by));
    at.failures.note(mailbox, at.now(), what);
    end_agent(at, *mailbox.agent, ends ? EndReason::stopped : EndReason::crashed, what);
    tell(Acted::done);
  }));
}

Task<Acted> act_here(Worker& at, OperatorAct act, Name name) {
  const LeaseId own = at.node().lease().id();
  Task<bool> asking = may_operate(at.node(), own, name);
  if (!co_await asking) co_return Acted::not_permitted;
  Mailbox* const mailbox = at.node().mailboxes().find(name.view());
  if (mailbox == nullptr) co_return Acted::nobody;
  const Signal done;
  const auto acted = std::make_shared<Acted>(Acted::silent);
  perform_act(*mailbox, act, own, [acted, done](Acted how) { *acted = how, done.set(); });
  co_return co_await done.wait(act_patience) ? *acted : Acted::silent;
}

void require_done(Acted acted, OperatorAct act, const Name& name) {
  const std::string cannot = std::string("cannot ") + verb_of(act) + " '" + name.str() + "': ";
  switch (acted) {
    case Acted::done:
      return;
    case Acted::nobody:
      throw Error(Errc::no_such_agent, cannot + "nobody holds that name");
    case Acted::no_supervisor:
      throw Error(Errc::unsupported, cannot +
                                         "it has no supervisor on its node; end it, and start "
                                         "it again");
    case Acted::not_permitted:
      throw Error(Errc::not_permitted,
                  cannot +
                      "this node needs the right operate for that name; ask the society's "
                      "operator for a grant (in a society of one process without a policy, "
                      "set NodeOptions::operators)");
    case Acted::no_recording:
      throw Error(Errc::unsupported,
                  cannot +
                      "its node has no recording of marked agents, or 4,096 of them are marked; "
                      "start the node's program with record_marked=FILE in its realization");
    case Acted::silent:
      throw Error(Errc::expired, cannot +
                                     "its node has not replied within 5 s; inspect the agent "
                                     "to see whether it is done");
  }
}

}  // namespace

Task<Acted> Operations::request(LeaseId to, OperatorAct act, Name name) {
  const auto open = std::make_shared<Open>(Open{to, Signal()});
  std::uint64_t token = 0;
  {
    const std::lock_guard lock(mutex_);
    token = ++tokens_;
    open_.emplace(token, open);
  }
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(act_frame);
  out.number(token);
  out.byte(static_cast<std::uint8_t>(act));
  out.text(name.view());
  peers_.send(to, frame);
  (void)co_await open->done.wait(act_patience);
  const std::lock_guard lock(mutex_);
  open_.erase(token);
  co_return open->acted;
}

void Operations::reply(LeaseId to, std::uint64_t token, Acted acted) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(acted_frame);
  out.number(token);
  out.byte(static_cast<std::uint8_t>(acted));
  peers_.reply(to, frame);
}

// The directory decides, and notes who acts on what.
Task<> Operations::judge(Worker& at, LeaseId from, std::uint64_t token, OperatorAct act,
                         Name name) {
  bool may = false;
  try {
    Task<bool> asking = may_operate(at.node(), from, name);
    may = co_await asking;
  } catch (const Error&) {
    co_return;  // the node stops
  }
  if (!may) co_return reply(from, token, Acted::not_permitted);
  Mailbox* const mailbox = node_.mailboxes().find(name.view());
  if (mailbox == nullptr) co_return reply(from, token, Acted::nobody);
  perform_act(*mailbox, act, from, [this, from, token](Acted how) { reply(from, token, how); });
}

bool Operations::read(Worker& at, Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const std::uint8_t act = in.byte();
  Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name || act > static_cast<std::uint8_t>(OperatorAct::leave)) return false;
  if (!may_look_now(from, at.now())) return reply(from.lease, token, Acted::not_permitted), true;
  run_detached(at, judge(at, from.lease, token, static_cast<OperatorAct>(act), *std::move(name)));
  return true;
}

bool Operations::read_reply(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const std::uint8_t acted = in.byte();
  if (!in.ok() || acted > static_cast<std::uint8_t>(Acted::no_recording)) return false;
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(token);
  if (found == open_.end() || found->second->to != from.lease) return true;
  if (found->second->acted == Acted::silent) {
    found->second->acted = static_cast<Acted>(acted);
    found->second->done.set();
  }
  return true;
}

Task<> operate_at(Worker& at, OperatorAct act, Name name) {
  NodeCore& node = at.node();
  Task<std::optional<Entry>> looking = node.directory().look_up(name);
  const std::optional<Entry> entry = co_await looking;
  Acted acted = Acted::nobody;
  if (entry && entry->lease == node.lease().id()) {
    Task<Acted> acting = act_here(at, act, name);
    acted = co_await acting;
  } else if (entry && node.remote() != nullptr) {
    Task<Acted> acting = node.remote()->operations().request(entry->lease, act, name);
    acted = co_await acting;
  }
  require_done(acted, act, name);
}

}  // namespace coracle::detail

namespace coracle {

void operate(Node& node, OperatorAct act, const Name& name) {
  detail::NodeCore& core = node.core();
  core.calls().run_blocking(core.worker(0), [&]() -> Task<> {
    Task<> acting = detail::operate_at(*detail::Worker::current(), act, name);
    co_await acting;
  });
}

Task<> operate(Agent& agent, OperatorAct act, Name name) {
  Task<> acting = detail::operate_at(detail::here(agent), act, std::move(name));
  co_await acting;
}

}  // namespace coracle
