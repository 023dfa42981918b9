// The lifecycle of agents: they get a name, lose it, and end.
#include "lifecycle.hpp"

#include "coracle/support/error_texts.hpp"
#include "coracle/support/log.hpp"
#include "dead_letters.hpp"
#include "node_core.hpp"
#include "runtime/elsewhere/inbound.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/room/room_ticket.hpp"

#include <exception>

namespace coracle {

Agent::~Agent() = default;

void Agent::on_root_done(std::coroutine_handle<>, std::exception_ptr error) noexcept {
  task_done(*detail::Worker::current(), *this, error, true);
}

namespace detail {

namespace {

// The most attempts to register a name while the node's lease is being replaced.
constexpr int most_claims = 200;

// A lease may end while the node lives; then the registration goes on under the next lease.
Task<Result<Incarnation>> claim_surely(Worker& at, Claim claim, bool takes_over) {
  NodeCore& node = at.node();
  Directory& directory = node.directory();
  for (int tries = 0;; ++tries) {
    claim.lease = node.lease().id();
    Claim once = claim;
    std::optional<Result<Incarnation>> answer;
    if (takes_over) answer.emplace(co_await directory.take_over(std::move(once)));
    else answer.emplace(co_await directory.claim(std::move(once)));
    if (*answer || answer->error().errc() != Errc::expired || tries == most_claims) {
      co_return std::move(*answer);
    }
    Task<> registering = node.lease().registers_soon();
    co_await registering;
  }
}

// Returns the reason and the text of an exception; the stop of a node is no crash.
std::pair<EndReason, std::string> meaning_of(const std::exception_ptr& error) {
  if (error == reads_end()) return {EndReason::stopped, {}};  // the frequent case, and the cheapest
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    if (known.errc() == Errc::stopped) return {EndReason::stopped, {}};
    return {EndReason::crashed, known.sentence()};
  } catch (const std::exception& known) {
    return {EndReason::crashed, known.what()};
  } catch (...) {
    return {EndReason::crashed, "an exception of an unknown type"};
  }
}

void report_crash(NodeCore& node, const Name& name, const std::string& text) noexcept {
  if (DrivenNode* const driven = node.driven())
    return (void)driven->driver().note(name.view(), "ends by an exception: " + text);
  log_warning("agent '" + name.str() + "' ended by an exception: " + text);
}

}  // namespace

void TaskRecord::on_root_done(std::coroutine_handle<> done, std::exception_ptr error) noexcept {
  if (error) return task_done(*Worker::current(), agent, error, false);
  Worker::current()->rests(*Access::mailbox(agent));
  --Access::mailbox(agent)->ext().spawned;
  done.destroy();
  delete this;
}

void task_done(Worker& home, Agent& agent, const std::exception_ptr& error, bool is_main) noexcept {
  home.rests(*Access::mailbox(agent));
  if (!error) {
    if (is_main) end_agent(home, agent, EndReason::stopped, {});
    return;
  }
  const auto [reason, text] = meaning_of(error);
  if (reason == EndReason::crashed) {
    report_crash(home.node(), Access::mailbox(agent)->name, text);
    home.failures.note(*Access::mailbox(agent), home.now(), "it ended by an exception: " + text);
  }
  end_agent(home, agent, reason, text);
}

namespace {

void revoke_hand(Worker& home, Mailbox& mailbox) noexcept {
  std::vector<MessageRecord*> held;
  for (MessageRecord* record = mailbox.in_hand; record != nullptr; record = record->next) {
    held.push_back(record);
  }
  // The newest goes back first, so that the oldest is before all others in the end.
  for (MessageRecord* const original : held) {
    MessageRecord* const again = clone_record(*original);
    mailbox.let_go(original);
    set_flag(*original, revoked_flag);
    mailbox.hold(again);
    give_back(home, again);
  }
}

}  // namespace

void fence(Worker& home, Mailbox& mailbox) noexcept {
  home.touches_all();
  Agent& old = *mailbox.agent;
  mailbox.agent = nullptr;
  home.observing.observe(Happening::ended, mailbox, static_cast<std::uint64_t>(EndReason::fenced));
  mailbox.ext().fenced.push_back(&old);
  mailbox.clear_mode(pinned);
  drop_taps(home, mailbox);
  while (mailbox.readers.linked()) {
    auto& reader = static_cast<Reader&>(*mailbox.readers.next);
    reader.error = Errc::fenced;
    home.scheduler.schedule(reader);
  }
  revoke_hand(home, mailbox);
  // Nobody will reply to the requests that the old agent had read and acknowledged.
  fail_requests_to(mailbox, home, EndReason::fenced, taken_over,
                   requests_left(mailbox, EndReason::fenced));
  const Ending ending(mailbox.name, mailbox.incarnation, EndReason::fenced, taken_over);
  for (const LeaseId each : close_incarnation(home, mailbox, ending.incarnation)) {
    home.node().remote()->reports().send_closed(each, mailbox, ending);
  }
}

namespace {

// A requester is notified that the agent has ended, and not that it has dropped the request.
void keep_questions(const Mailbox& mailbox) noexcept {
  for (MessageRecord* held = mailbox.in_hand; held != nullptr; held = held->next) {
    if ((held->flags & request_flag) != 0) set_flag(*held, answered_flag);
  }
}

// Messages that a crashed agent kept in its members are not acknowledged, and neither are those in
// its frames.
void destroy_agent(Worker& home, Agent& agent, EndReason reason) noexcept {
  Mailbox& mailbox = *Access::mailbox(agent);
  home.scheduler.cancel_begin(agent);
  if ((mailbox.mode_now() & shows) != 0) home.node().inspection_notes().forget_state(agent);
  const bool outer = std::exchange(home.unwinding_ends_agent, true);
  if (mailbox.extension) {
    Link& tasks = mailbox.extension->tasks;
    for (Link* link = tasks.next; link != &tasks;) {
      auto* const record = static_cast<TaskRecord*>(link);
      link = link->next;
      if (&record->agent != &agent) continue;
      record->frame.destroy();
      if (mailbox.agent == &agent) --mailbox.extension->spawned;
      delete record;
    }
  }
  if (auto main = std::exchange(AgentAccess::main(agent), {})) main.destroy();
  if (mailbox.agent == &agent) keep_questions(mailbox);
  home.unwinding_ends_agent = outer || reason == EndReason::crashed;
  delete &agent;
  home.unwinding_ends_agent = outer;
}

// Other nodes are notified after the directory has answered. By then the directory has announced
// the agents that got replies from the ended agent; the replies may have waited for that.
Task<> leave_directory(NodeCore& node, Ending ending, std::vector<LeaseId> to_tell) {
  try {
    Name name = ending.name;
    Ending copy = ending;
    const auto left =
        co_await node.directory().leave(std::move(name), ending.incarnation, std::move(copy));
    (void)left;  // fenced or expired meanwhile: then the name was not ours to give up
  } catch (const Error&) {
    // The node stops, and does not wait.
  }
  if (to_tell.empty()) co_return;
  const Mailbox& mailbox = *node.mailboxes().find(ending.name.view());
  for (const LeaseId lease : to_tell) node.remote()->reports().send_closed(lease, mailbox, ending);
}

}  // namespace

void end_agent(Worker& home, Agent& agent, EndReason reason, const std::string& text) noexcept {
  Mailbox& mailbox = *Access::mailbox(agent);
  if (mailbox.agent != &agent) {  // it was fenced before: its name goes on without it
    std::erase(mailbox.ext().fenced, &agent);
    destroy_agent(home, agent, reason);
    return home.node().agents().ended();
  }
  destroy_agent(home, agent, reason);
  home.observing.observe(Happening::ended, mailbox, static_cast<std::uint64_t>(reason), text);
  log_debug(LogPart::node, [&mailbox] { return "agent '" + mailbox.name.str() + "' ended"; });
  mailbox.agent = nullptr;
  if ((mailbox.mode_now() & returns) != 0) requeue_returned(home, mailbox);
  mailbox.clear_mode(present | pinned);
  home.node().holds().leave(home, mailbox);
  restore_dead_letters(mailbox);
  drop_taps(home, mailbox);
  std::vector<LeaseId> to_tell = close_incarnation(home, mailbox, mailbox.incarnation);
  await_holder(home, mailbox);
  // Agents whose requests the ended agent had in hand are notified that it ended.
  const std::vector<std::uint64_t> queued_requests = requests_left(mailbox, reason);
  release_tickets(home, mailbox);
  fail_requests_to(mailbox, home, reason, text, queued_requests);
  run_detached(home,
               leave_directory(home.node(), Ending(mailbox.name, mailbox.incarnation, reason, text),
                               std::move(to_tell)));
  home.node().agents().ended();
}

void end_agent_at(Mailbox& mailbox) {
  mailbox.home.load()->post(command([&mailbox](Worker& worker) {
    if (mailbox.home.load() != &worker) return end_agent_at(mailbox);
    if (mailbox.agent != nullptr) end_agent(worker, *mailbox.agent, EndReason::stopped, {});
  }));
}

// --- making agents ---

namespace {

Worker& wanted_home(Worker& home, const AgentSpec& spec) {
  if (const Address other = AgentAccess::beside(spec)) return *Access::mailbox(other)->home.load();
  const auto wanted = AgentAccess::worker(spec);
  if (!wanted) return home;
  if (*wanted >= home.node().worker_count()) {
    throw Error(Errc::bad_options,
                "there is no worker " + std::to_string(*wanted) + "; the node has " +
                    std::to_string(home.node().worker_count()) + ", counted from 0");
  }
  return home.node().worker(*wanted);
}

void attach(Worker& home, Mailbox& mailbox, std::unique_ptr<Agent> owned, const AgentSpec& spec,
            Incarnation life) {
  Agent& agent = *owned.release();
  AgentAccess::mailbox(agent) = &mailbox;
  if ((mailbox.agent != nullptr && life < mailbox.incarnation) || is_overtaken(mailbox, life)) {
    mailbox.ext().fenced.push_back(&agent);  // another agent took the name over meanwhile
    const Ending ending(mailbox.name, life, EndReason::fenced);
    for (const LeaseId each : close_incarnation(home, mailbox, life))
      home.node().remote()->reports().send_closed(each, mailbox, ending);
  } else {
    if (mailbox.agent != nullptr) fence(home, mailbox);
    mailbox.agent = &agent;
    mailbox.set_life(life);
    home.last_life = std::max(home.last_life, life.counter);
    mailbox.clear_mode(elsewhere);
    if (home.node().remote() != nullptr) {
      mailbox.ext().properties = AgentAccess::properties(spec);
      mailbox.extension->groups.clear();
    }
    const MailboxOptions* const wanted = AgentAccess::mailbox(spec);
    home.mailboxes.set(mailbox, wanted ? *wanted : home.node().options().mailbox);
    mailbox.set_mode(home.node().is_driven() ? present | watched : present);
    if (AgentAccess::pinned(spec)) mailbox.set_mode(pinned);
    expire(home, mailbox);  // messages that are too old are not for this agent
    home.node().holds().join(home, mailbox);
  }
  home.node().agents().began();
  log_debug(LogPart::node, [&mailbox] { return "agent '" + mailbox.name.str() + "' began"; });
  home.observing.observe(Happening::began, mailbox);
  auto frame = agent.run().release();
  frame.promise().set_root(agent);
  AgentAccess::main(agent) = frame;
  home.scheduler.begin(agent, frame);
}

void attach_at(Worker& at, Mailbox& mailbox, Worker& home,
               const std::shared_ptr<std::unique_ptr<Agent>>& agent, const AgentSpec& spec,
               Incarnation life, const Signal& done) {
  Worker& now_at = *mailbox.home.load();
  const auto again = [=, &mailbox, &home](Worker& worker) {
    attach_at(worker, mailbox, home, agent, spec, life, done);
  };
  if (&now_at != &at) return now_at.post(command(again));
  if (awaits_answers(at, mailbox, life, again)) return;
  if (&home != &at && !(mailbox.extension && mailbox.extension->moving)) {
    if (mailbox.agent != nullptr) {
      // An old holder that only waits for messages ends before this is tried again: its name cannot
      // move until the holder has ended.
      fence(at, mailbox);
      return at.post(command(again));
    }
    if (at.relocation.move_out(mailbox, home)) return home.post(command(again));
  }
  attach(at, mailbox, std::move(*agent), spec, life);
  done.set();
}

}  // namespace

Task<Address> make_agent(Worker& at, AgentSpec spec, std::unique_ptr<Agent> agent) {
  const Name& name = AgentAccess::name(spec);
  if (name.empty()) throw Error(Errc::bad_name, "an agent needs a name; give it one");
  if (at.node().stopping().has_begun()) {
    throw Error(Errc::stopped,
                "cannot make '" + name.str() + "': the node is stopping; start a new node");
  }
  if (!at.node().authorize(Action::claim, name, name)) {
    throw Error(Errc::not_permitted, "the policy does not let this node hold the name '" +
                                         name.str() + "'; ask the society's operator");
  }
  Worker& home = wanted_home(at, spec);
  Mailbox& mailbox = *at.node().mailbox(name, at);
  Claim claim(name, at.node().lease().id());
  // A node that may have to register the name again keeps its properties.
  claim.properties = at.node().remote() != nullptr ? AgentAccess::properties(spec)
                                                   : AgentAccess::take_properties(spec);
  const MailboxOptions* const wanted = AgentAccess::mailbox(spec);
  claim.mailbox = wanted ? *wanted : at.node().options().mailbox;
  Directory& directory = at.node().directory();
  std::optional<Result<Incarnation>> answer;
  if (at.node().remote() != nullptr) {
    answer.emplace(co_await claim_surely(at, std::move(claim), AgentAccess::take_over(spec)));
  } else if (AgentAccess::take_over(spec)) {
    answer.emplace(co_await directory.take_over(std::move(claim)));
  } else {
    answer = directory.try_claim(claim);
    if (!answer) answer.emplace(co_await directory.claim(std::move(claim)));
  }
  const Incarnation life = answer->value();
  const bool was_elsewhere = mailbox.extension && mailbox.extension->remote;
  if (mailbox.home.load() == &at && &home == &at && mailbox.agent == nullptr && !was_elsewhere) {
    attach(at, mailbox, std::move(agent), spec, life);
    co_return Address(&mailbox);
  }
  // The agent begins elsewhere, or where an old holder may be at work at this moment: between two
  // turns.
  Signal done;
  const auto pending = std::make_shared<std::unique_ptr<Agent>>(std::move(agent));
  mailbox.home.load()->post(command([=, &mailbox, &home](Worker& worker) {
    attach_at(worker, mailbox, home, pending, spec, life, done);
  }));
  co_await done.wait();
  co_return Address(&mailbox);
}

}  // namespace detail

}  // namespace coracle
