// An agent's dealings with the society around it: groups, eavesdropping, neighbours, endings.
#include "coracle/support/error_texts.hpp"
#include "lifecycle.hpp"
#include "name_watch.hpp"
#include "node_core.hpp"
#include "runtime/groups/interested.hpp"

namespace coracle {

using detail::here;
using detail::NodeCore;
using detail::Worker;

namespace {

// Returns whether the directory knows the agent's name only in an incarnation that is over.
bool is_of_an_earlier_life(Errc errc) {
  return errc == Errc::fenced || errc == Errc::no_such_agent || errc == Errc::expired;
}

// A node's lease may end while the node lives. An agent's request to the directory meanwhile is
// repeated when the node holds its names again.
template <class Ask>
Task<> ask_surely(Agent& agent, Ask ask) {
  NodeCore& core = agent.node().core();
  while (true) {
    const Incarnation life = detail::Access::mailbox(agent)->incarnation;
    auto asking = ask();
    const Result<void> answer = co_await asking;
    const bool is_renewed =
        core.lease().is_registering() || detail::Access::mailbox(agent)->incarnation != life;
    if (!is_renewed || (!answer && !is_of_an_earlier_life(answer.error().errc()))) {
      answer.value();
      co_return;
    }
    Task<> registering = core.lease().registers_soon();
    co_await registering;
  }
}

}  // namespace

Task<> Agent::join(Group group) {
  NodeCore& core = node().core();
  if (!core.authorize(Action::join, name(), group.name())) {
    throw detail::make_error(Errc::not_permitted, "join", group.name());
  }
  const auto ask = [&] { return core.directory().join(group.name(), name()); };
  Task<> joining = ask_surely(*this, ask);
  co_await joining;
  here(*this).observing.observe(Happening::joined, *mailbox_, 0, group.name().view());
  if (core.remote() != nullptr) mailbox_->ext().groups.push_back(group.name());
}

// Earlier messages come from each sender's node. That node is notified twice: before the joining,
// so that no later message comes first, and when all nodes know of it.
Task<> Agent::join(Group group, Last last) {
  detail::check_last(last);
  if (last.messages == 0 || !node().core().authorize(Action::join, name(), group.name())) {
    Task<> joining = join(group);
    co_await joining;
    co_return;
  }
  detail::LateJoin late(*this, group.name(), last.messages);
  Task<> beginning = late.begin();
  co_await beginning;
  std::exception_ptr failure;
  Task<> joining = join(group);
  try {
    co_await joining;
  } catch (const Error&) {
    failure = std::current_exception();
  }
  Task<> finishing = late.finish(failure == nullptr);
  co_await finishing;
  if (failure) std::rethrow_exception(failure);
}

Task<> Agent::leave(Group group) {
  if (node().core().remote() != nullptr) std::erase(mailbox_->ext().groups, group.name());
  const auto ask = [&] { return node().core().directory().leave_group(group.name(), name()); };
  Task<> leaving = ask_surely(*this, ask);
  co_await leaving;
  here(*this).observing.observe(Happening::left, *mailbox_, 0, group.name().view());
}

Task<std::vector<Name>> Agent::members(Group group) {
  const auto members = co_await node().core().directory().members(group.name());
  co_return *members;
}

Task<> Agent::describe(Properties properties) {
  NodeCore& core = node().core();
  if (core.remote() != nullptr) mailbox_->ext().properties = properties;
  const auto ask = [&] {
    return core.directory().describe(name(), mailbox_->incarnation, properties);
  };
  Task<> describing = ask_surely(*this, ask);
  co_await describing;
}

Task<std::vector<Entry>> Agent::search(Query query) {
  co_return co_await node().core().directory().search(std::move(query));
}

namespace {

// Runs `act` on every worker of the node; returns when all have run it.
Task<> on_every_worker(Worker& self, std::function<void(Worker&)> act) {
  NodeCore& core = self.node();
  const auto shared = std::make_shared<std::function<void(Worker&)>>(std::move(act));
  std::vector<detail::Signal> done;
  for (std::size_t index = 0; index < core.worker_count(); ++index) {
    Worker& worker = core.worker(index);
    if (&worker == &self) {
      (*shared)(worker);
      continue;
    }
    done.emplace_back();
    worker.post(detail::command([shared, signal = done.back()](Worker& at) {
      (*shared)(at);
      signal.set();
    }));
  }
  for (const detail::Signal& signal : done) co_await signal.wait();
}

constexpr std::size_t taps_limit = 1024;
constexpr std::size_t closed_taps_limit = 64;

// Makes room for one more tap. An agent that opens and closes many keeps only the records of the
// last ones.
bool has_room(std::vector<detail::TapState>& taps) {
  const auto is_done = [](const detail::TapState& each) {
    return each.is_closed && each.queued == 0 && each.notices_queued == 0 && !each.missed.any();
  };
  const auto closed =
      static_cast<std::size_t>(std::ranges::count_if(taps, &detail::TapState::is_closed));
  const bool has = taps.size() - closed < taps_limit;
  if (closed >= closed_taps_limit) std::erase_if(taps, is_done);
  return has;
}

}  // namespace

Task<Tap> Agent::overhear(Pattern pattern, std::uint32_t limit) {
  TapOptions options;
  options.limit = limit;
  return overhear(std::move(pattern), options);
}

Task<Tap> Agent::overhear(Pattern pattern, TapOptions options) {
  Worker& worker = here(*this);
  if (options.limit == 0)
    throw Error(Errc::bad_options, "overhear() was given a limit of 0; give at least 1");
  if (!worker.node().authorize(Action::overhear, name(), Name())) {
    throw detail::may_not_overhear(name());
  }
  Task<Tap> opening = detail::open_tap(*this, std::move(pattern), options);
  co_return co_await opening;
}

Task<Tap> detail::open_tap(Agent& agent, Pattern pattern, TapOptions options) {
  Worker& worker = here(agent);
  Mailbox* const mailbox = detail::Access::mailbox(agent);
  auto& taps = mailbox->ext().taps;
  if (!has_room(taps)) {
    throw Error(Errc::limit_reached, "'" + agent.name().str() + "' has " +
                                         std::to_string(taps_limit) +
                                         " patterns already; drop one first");
  }
  const std::uint64_t id = worker.node().numbers().next_tap();
  Tap tap;
  tap.id = id;
  TapState state;
  state.id = id;
  state.limit = options.limit;
  taps.push_back(state);
  mailbox->set_mode(hears);
  // This has a name because g++ 12 destroys a temporary closure of a co_await expression twice.
  const std::function<void(Worker&)> add = [id, mailbox, pattern, options](Worker& at) {
    at.overhearing.add(id, *mailbox, pattern, id, options);
  };
  co_await on_every_worker(worker, add);
  if (Remote* const remote = worker.node().remote()) {
    Task<Result<void>> telling =
        remote->own_taps().add(here(agent), id, *mailbox, pattern, options);
    const Result<void> told = co_await telling;
    if (!told) {
      Task<> stopping = agent.stop_overhearing(tap);
      co_await stopping;
      std::erase_if(mailbox->ext().taps, [id](const TapState& each) { return each.id == id; });
      throw told.error();
    }
  }
  co_return tap;
}

// Queued copies stay, and copies on their way still come.
Task<> Agent::stop_overhearing(Tap tap) {
  for (detail::TapState& each : mailbox_->ext().taps) {
    if (each.id == tap.id) each.is_closed = true;
  }
  const std::function<void(Worker&)> remove = [id = tap.id](Worker& at) {
    at.overhearing.remove(id);
  };
  co_await on_every_worker(here(*this), remove);
  if (detail::Remote* const remote = node().core().remote()) {
    Task<> telling = remote->own_taps().drop(tap.id);
    co_await telling;
  }
}

namespace detail {

void drop_taps(Worker& home, Mailbox& mailbox) noexcept {
  if (!mailbox.extension) return;
  keep_nothing(home.node(), mailbox);
  for (const TapState& tap : mailbox.extension->taps) {
    for (std::size_t index = 0; index < home.node().worker_count(); ++index) {
      Worker& worker = home.node().worker(index);
      if (&worker == &home) {
        home.overhearing.remove(tap.id);
      } else {
        worker.post(command([id = tap.id](Worker& at) { at.overhearing.remove(id); }));
      }
    }
    if (home.node().remote() != nullptr)
      run_detached(home, home.node().remote()->own_taps().drop(tap.id));
  }
  mailbox.extension->taps.clear();
}

void NameWatch::Relay::on_change(const DirectoryEvent& event) noexcept {
  const bool ends = event.kind == DirectoryEvent::Kind::ended;
  if (event.name != name || (!ends && event.kind != DirectoryEvent::Kind::arrived)) return;
  home->post(command([state = state, event](Worker& worker) {
    NameWatch::State& told = state->into ? *state->into : *state;
    if (event.kind == DirectoryEvent::Kind::ended) {
      state->here = false;
      told.endings.push_back(event.ending);
    } else {
      state->here = state->seen = true;
    }
    while (told.waits.linked()) worker.scheduler.schedule(static_cast<Waiting&>(*told.waits.next));
  }));
}

namespace {

// Waits for the next event of a watch.
struct NextEvent final : Waiting, TimerNode {
  NextEvent(NameWatch::State& which, Deadline until) noexcept
      : TimerNode(&on_time), state(which), deadline(until) {}

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept {
    frame = awaiting;
    Worker& worker = *Worker::current();
    if (worker.ended()) return worker.scheduler.schedule(*this);
    state.waits.push_back(*this);
    if (deadline.is_set()) arm(worker, deadline.at(worker.now()));
  }
  void await_resume() const {
    if (Worker::current()->ended()) {
      throw Error(Errc::stopped, "a watch ended early: the node is stopping; end");
    }
  }
  static void on_time(TimerNode& node) noexcept {
    node.owner->scheduler.schedule(static_cast<NextEvent&>(node));
  }

  NameWatch::State& state;
  Deadline deadline;
};

}  // namespace

Task<> NameWatch::begin() {
  Directory& directory = home_.node().directory();
  relay_ = std::make_unique<Relay>();
  relay_->home = &home_;
  relay_->name = name_;
  relay_->state = state_;
  watch_ = co_await directory.watch(name_, *relay_);
  const auto entry = co_await directory.look_up(name_);
  if (entry) state_->here = state_->seen = true;
}

NameWatch::~NameWatch() {
  if (watch_ != 0) run_detached(home_, stop(home_.node().directory(), watch_, std::move(relay_)));
}

Task<> NameWatch::stop(Directory& directory, std::uint64_t watch, std::unique_ptr<Relay> relay) {
  co_await directory.unwatch(watch);
  relay.reset();
}

Task<bool> NameWatch::seen(Deadline deadline) {
  const Time until = deadline.at(home_.now());
  while (!state_->seen) {
    if (home_.now() >= until) co_return false;
    NextEvent next(*state_, Deadline(until));
    co_await next;
  }
  co_return true;
}

Task<Ending> NameWatch::next_ending(std::shared_ptr<State> state) {
  while (state->endings.empty()) {
    NextEvent next(*state, Deadline::never());
    co_await next;
  }
  Ending ending = std::move(state->endings.front());
  state->endings.pop_front();
  co_return ending;
}

struct AcquaintanceState {
  std::vector<Address> addresses;
  std::vector<std::unique_ptr<NameWatch>> watches;
};

}  // namespace detail

Task<Ending> Agent::watch(Name name) {
  detail::NameWatch watch(here(*this), name);
  co_await watch.begin();
  if (!watch.here() && !watch.has_ending())
    throw detail::make_error(Errc::no_such_agent, "watch", name);
  co_return co_await watch.ending();
}

Task<Acquaintances> Agent::acquaint(std::vector<Name> names) {
  auto state = std::make_shared<detail::AcquaintanceState>();
  for (const Name& name : names) {
    state->addresses.push_back(find(name));
    state->watches.push_back(std::make_unique<detail::NameWatch>(here(*this), name));
    co_await state->watches.back()->begin();
  }
  co_return Acquaintances(state);
}

const std::vector<Address>& Acquaintances::addresses() const noexcept { return state_->addresses; }

bool Acquaintances::here(Address who) const noexcept {
  for (std::size_t index = 0; index < state_->addresses.size(); ++index) {
    if (state_->addresses[index] == who) return state_->watches[index]->here();
  }
  return false;
}

Task<bool> Acquaintances::all_here(Deadline deadline) {
  const auto state = state_;
  if (state->watches.empty()) co_return true;
  const Time until = deadline.at(state->watches.front()->now());
  for (const auto& watch : state->watches) {
    if (!co_await watch->seen(Deadline(until))) co_return false;
  }
  co_return true;
}

Task<Ending> Acquaintances::ending(Address who) {
  const auto state = state_;
  for (std::size_t index = 0; index < state->addresses.size(); ++index) {
    if (state->addresses[index] == who) co_return co_await state->watches[index]->ending();
  }
  throw detail::make_error(Errc::no_such_agent, "wait for the end of", who.name());
}

}  // namespace coracle
