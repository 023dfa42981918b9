// How agents come to hold a name, lose it, and end.
#include "runtime/errors_said.hpp"
#include "runtime/log.hpp"
#include "runtime/node_core.hpp"
#include "runtime/room.hpp"

#include <exception>

namespace coracle {

Agent::~Agent() = default;

void Agent::on_root_done(std::coroutine_handle<>, std::exception_ptr error) noexcept {
  detail::Worker::current()->task_done(*this, error, true);
}

namespace detail {

namespace {

// How often a name is claimed while the node's lease is being replaced.
constexpr int most_claims = 200;

// A lease may end while the node lives; then the claim goes on under the next one.
Task<Result<Incarnation>> claim_surely(Worker& at, Claim claim, bool takes_over) {
  NodeCore& node = at.node();
  Directory& directory = node.directory();
  for (int tries = 0;; ++tries) {
    claim.lease = node.lease();
    Claim once = claim;
    std::optional<Result<Incarnation>> answer;
    if (takes_over) answer.emplace(co_await directory.take_over(std::move(once)));
    else answer.emplace(co_await directory.claim(std::move(once)));
    if (*answer || answer->error().errc() != Errc::expired || tries == most_claims) {
      co_return std::move(*answer);
    }
    Task<> registering = node.registers_soon(at);
    co_await registering;
  }
}

// What an exception says; a node that stops is no crash.
std::pair<EndReason, std::string> meaning_of(const std::exception_ptr& error) {
  if (error == reads_end()) return {EndReason::stopped, {}};  // the commonest, and the cheapest
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

}  // namespace

void TaskRecord::on_root_done(std::coroutine_handle<> done, std::exception_ptr error) noexcept {
  if (error) return Worker::current()->task_done(agent, error, false);
  Worker::current()->rests(*agent.party());
  --agent.party()->ext().spawned;
  done.destroy();
  delete this;
}

void Worker::task_done(Agent& agent, const std::exception_ptr& error, bool is_main) noexcept {
  rests(*agent.party());
  if (!error) {
    if (is_main) end_agent(agent, EndReason::stopped, {});
    return;
  }
  const auto [reason, text] = meaning_of(error);
  if (reason == EndReason::crashed) node_.report_crash(agent.party()->name, text);
  end_agent(agent, reason, text);
}

void Worker::attach(Party& party, std::unique_ptr<Agent> owned, const AgentSpec& spec,
                    Incarnation life) {
  Agent& agent = *owned.release();
  AgentAccess::party(agent) = &party;
  if ((party.agent != nullptr && life < party.incarnation) || is_overtaken(party, life)) {
    party.ext().fenced.push_back(&agent);  // the name was taken over from it meanwhile
    const Ending ending(party.name, life, EndReason::fenced);
    for (const LeaseId each : close(party, life)) node_.remote()->send_closed(each, party, ending);
  } else {
    if (party.agent != nullptr) fence(party);
    party.agent = &agent;
    party.set_life(life);
    party.clear_mode(elsewhere);
    if (node_.remote() != nullptr) {
      party.ext().properties = AgentAccess::properties(spec);
      party.extension->groups.clear();
    }
    const MailboxOptions* const mailbox = AgentAccess::mailbox(spec);
    set_mailbox(party, mailbox ? *mailbox : node_.options().mailbox);
    party.set_mode(node_.is_driven() ? present | watched : present);
    if (AgentAccess::pinned(spec)) party.set_mode(pinned);
    expire(party);  // what is too old is not for this agent
  }
  node_.agent_began();
  log_debug(LogPart::node, [&party] { return "agent '" + party.name.str() + "' began"; });
  observe(Happening::began, party);
  auto frame = agent.run().release();
  frame.promise().set_root(agent);
  AgentAccess::main(agent) = frame;
  begin(agent, frame);
}

// Another agent takes the name. What the old one had in hand is given to the new one first; the
// old one learns of it by the next thing that it tries.
void Worker::fence(Party& party) noexcept {
  touches_all();
  Agent& old = *party.agent;
  party.agent = nullptr;
  observe(Happening::ended, party, static_cast<std::uint64_t>(EndReason::fenced));
  party.ext().fenced.push_back(&old);
  party.clear_mode(pinned);
  drop_ears(party);
  while (party.readers.linked()) {
    auto& reader = static_cast<Reader&>(*party.readers.next);
    reader.error = Errc::fenced;
    schedule(reader);
  }
  revoke_hand(party);
  // What it had read and acknowledged nobody will answer.
  node_.tell_requesters(*this, party, EndReason::fenced, taken_over,
                        requests_left(party, EndReason::fenced));
  const Ending ending(party.name, party.incarnation, EndReason::fenced, taken_over);
  for (const LeaseId each : close(party, ending.incarnation)) {
    node_.remote()->send_closed(each, party, ending);
  }
}

void Worker::revoke_hand(Party& party) noexcept {
  std::vector<Parcel*> held;
  for (Parcel* parcel = party.in_hand; parcel != nullptr; parcel = parcel->next) {
    held.push_back(parcel);
  }
  // The newest first, so that the oldest is before all others in the end.
  for (Parcel* const original : held) {
    Parcel* const again = clone_parcel(*original);
    party.let_go(original);
    set_flag(*original, revoked_flag);
    party.hold(again);
    give_back(again);
  }
}

// Who asked is told that the agent has ended, and not that it has dropped the question.
static void keep_questions(const Party& party) noexcept {
  for (Parcel* held = party.in_hand; held != nullptr; held = held->next) {
    if ((held->flags & request_flag) != 0) set_flag(*held, answered_flag);
  }
}

// What a crashed agent kept in its members was not acknowledged any more than what is in frames.
void Worker::destroy(Agent& agent, EndReason reason) noexcept {
  Party& party = *agent.party();
  cancel_begin(agent);
  const bool outer = std::exchange(unwinding_ends_agent, true);
  if (party.extension) {
    Link& tasks = party.extension->tasks;
    for (Link* link = tasks.next; link != &tasks;) {
      auto* const record = static_cast<TaskRecord*>(link);
      link = link->next;
      if (&record->agent != &agent) continue;
      record->frame.destroy();
      if (party.agent == &agent) --party.extension->spawned;
      delete record;
    }
  }
  if (auto main = std::exchange(AgentAccess::main(agent), {})) main.destroy();
  if (party.agent == &agent) keep_questions(party);
  unwinding_ends_agent = outer || reason == EndReason::crashed;
  delete &agent;
  unwinding_ends_agent = outer;
}

void Worker::end_agent(Agent& agent, EndReason reason, const std::string& text) noexcept {
  Party& party = *agent.party();
  if (party.agent != &agent) {  // it was fenced before: its name lives on without it
    std::erase(party.ext().fenced, &agent);
    destroy(agent, reason);
    return node_.agent_ended();
  }
  destroy(agent, reason);
  observe(Happening::ended, party, static_cast<std::uint64_t>(reason), text);
  log_debug(LogPart::node, [&party] { return "agent '" + party.name.str() + "' ended"; });
  party.agent = nullptr;
  if ((party.mode_now() & returns) != 0) requeue_returned(party);
  party.clear_mode(present | pinned);
  node_.restore_dead_letters(party);
  drop_ears(party);
  std::vector<LeaseId> to_tell = close(party, party.incarnation);
  await_holder(*this, party);
  // Whoever asked an agent that had the request in hand is told that it ended.
  const std::vector<std::uint64_t> queued_requests = requests_left(party, reason);
  release_tickets(party);
  node_.tell_requesters(*this, party, reason, text, queued_requests);
  run_detached(leave_directory(node_, Ending(party.name, party.incarnation, reason, text),
                               std::move(to_tell)));
  node_.agent_ended();
}

// Other nodes are told when the directory has answered: by then it has told of those whom the agent
// had given replies, which may have waited for that.
Task<> Worker::leave_directory(NodeCore& node, Ending ending, std::vector<LeaseId> to_tell) {
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
  const Party& party = *node.parties().find(ending.name.view());
  for (const LeaseId lease : to_tell) node.remote()->send_closed(lease, party, ending);
}

void end_agent_at(Party& party) {
  party.home.load()->post(command([&party](Worker& worker) {
    if (party.home.load() != &worker) return end_agent_at(party);
    if (party.agent != nullptr) worker.end_agent(*party.agent, EndReason::stopped, {});
  }));
}

// --- making agents ---

Task<Address> Worker::make_agent(AgentSpec spec, std::unique_ptr<Agent> agent) {
  const Name& name = AgentAccess::name(spec);
  if (name.empty()) throw Error(Errc::bad_name, "an agent needs a name; give it one");
  if (node_.stopping()) {
    throw Error(Errc::stopped,
                "cannot make '" + name.str() + "': the node is stopping; start a new node");
  }
  if (!node_.authorize(Action::claim, name, name)) {
    throw Error(Errc::not_permitted, "the policy does not let this node hold the name '" +
                                         name.str() + "'; ask the society's operator");
  }
  Worker& home = wanted_home(spec);
  Party& party = *node_.party(name, *this);
  Claim claim(name, node_.lease());
  // Who may have to claim it again keeps what was said of it.
  claim.properties = node_.remote() != nullptr ? AgentAccess::properties(spec)
                                               : AgentAccess::take_properties(spec);
  const MailboxOptions* const mailbox = AgentAccess::mailbox(spec);
  claim.mailbox = mailbox ? *mailbox : node_.options().mailbox;
  Directory& directory = node_.directory();
  std::optional<Result<Incarnation>> answer;
  if (node_.remote() != nullptr) {
    answer.emplace(co_await claim_surely(*this, std::move(claim), AgentAccess::take_over(spec)));
  } else if (AgentAccess::take_over(spec)) {
    answer.emplace(co_await directory.take_over(std::move(claim)));
  } else {
    answer = directory.try_claim(claim);
    if (!answer) answer.emplace(co_await directory.claim(std::move(claim)));
  }
  const Incarnation life = answer->value();
  const bool was_elsewhere = party.extension && party.extension->remote;
  if (party.home.load() == this && &home == this && party.agent == nullptr && !was_elsewhere) {
    attach(party, std::move(agent), spec, life);
    co_return Address(&party);
  }
  // Elsewhere, or where an old holder may be at work this very moment: between two turns.
  Signal done(*this);
  const auto pending = std::make_shared<std::unique_ptr<Agent>>(std::move(agent));
  party.home.load()->post(command([=, &party, &home](Worker& worker) {
    worker.attach_at(party, home, pending, spec, life, done);
  }));
  co_await done.wait();
  co_return Address(&party);
}

Worker& Worker::wanted_home(const AgentSpec& spec) {
  if (const Address other = AgentAccess::beside(spec)) return *other.party()->home.load();
  const auto wanted = AgentAccess::worker(spec);
  if (!wanted) return *this;
  if (*wanted >= node_.worker_count()) {
    throw Error(Errc::bad_options, "there is no worker " + std::to_string(*wanted) +
                                       "; the node has " + std::to_string(node_.worker_count()) +
                                       ", counted from 0");
  }
  return node_.worker(*wanted);
}

void Worker::attach_at(Party& party, Worker& home,
                       const std::shared_ptr<std::unique_ptr<Agent>>& agent, const AgentSpec& spec,
                       Incarnation life, const Signal& done) {
  Worker& now_at = *party.home.load();
  const auto again = [=, &party, &home](Worker& worker) {
    worker.attach_at(party, home, agent, spec, life, done);
  };
  if (&now_at != this) return now_at.post(command(again));
  if (awaits_answers(party, life, again)) return;
  if (&home != this && !(party.extension && party.extension->moving)) {
    if (party.agent != nullptr) {
      // An old holder that only waits for messages ends before this is tried again: until it has
      // ended, its name cannot move.
      fence(party);
      return post(command(again));
    }
    if (move_out(party, home)) return home.post(command(again));
  }
  attach(party, std::move(*agent), spec, life);
  done.set();
}

}  // namespace detail

}  // namespace coracle
