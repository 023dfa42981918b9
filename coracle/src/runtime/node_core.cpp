#include "runtime/node_core.hpp"

#include "runtime/log.hpp"
#include "runtime/room.hpp"

#include <sched.h>

namespace coracle::detail {

namespace {

constexpr std::size_t ring_capacity = 1024;

void check(const Realization& realization, const NodeOptions& options) {
  const auto refuse = [](const std::string& sentence) { throw Error(Errc::bad_options, sentence); };
  if (!realization.transport || !realization.directory || !realization.queue) {
    refuse("a realization needs a transport, a directory and a queue; start from open()");
  }
  if (options.workers == 0 || options.workers > 256) {
    refuse("NodeOptions::workers is " + std::to_string(options.workers) + "; give 1 to 256");
  }
  if (options.compute_threads == 0) refuse("NodeOptions::compute_threads is 0; give at least 1");
  if (realization.custody && options.workers != 1) {
    refuse("NodeOptions::workers is " + std::to_string(options.workers) +
           "; a custodian has one, so give 1");
  }
  if (options.mailbox.messages() == 0) {
    refuse("NodeOptions::mailbox holds 0 messages; give it at least 1");
  }
  if (options.content_limit == 0 || options.content_limit > max_content_bytes) {
    refuse("NodeOptions::content_limit is " + std::to_string(options.content_limit) +
           "; give 1 to " + std::to_string(max_content_bytes));
  }
  if (options.patience < Duration::zero()) {
    refuse("NodeOptions::patience is negative; give 0 or more");
  }
  if (options.connect_time <= Duration::zero()) {
    refuse("NodeOptions::connect_time is not above 0; give it at least 1ms");
  }
  if (options.absent_time_to_live < Duration::zero()) {
    refuse("NodeOptions::absent_time_to_live is negative; give 0 or more");
  }
  if (options.spin < Duration::zero()) {
    refuse("NodeOptions::spin is negative; give 0 or more");
  }
  if (options.mailbox.overflow() == Overflow::redirect && options.mailbox.redirect().empty()) {
    refuse("NodeOptions::mailbox redirects to no name; give one by redirect_to()");
  }
}

// Those on which this thread may run.
unsigned processors_here() noexcept {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&set));
}

// Senders that waited for room have gone; what stood in line for them is left.
void drop_tickets(Extension& extension) {
  while (RoomTicket* const ticket = extension.tickets.take()) {
    if (ticket->likeness != nullptr) free_parcel(ticket->likeness);
    delete ticket;
  }
}

}  // namespace

struct NodeCore::Renewal final : TimerNode {
  explicit Renewal(NodeCore& node)
      : TimerNode([](TimerNode& timer) noexcept {
          static_cast<Renewal&>(timer).core.renew_lease(*timer.owner);
        }),
        core(node) {}
  NodeCore& core;
};

NodeCore::NodeCore(Node& node, Realization realization, NodeOptions options)
    : node_(node),
      realization_(std::move(realization)),
      options_(std::move(options)),
      clock_(realization_.clock ? realization_.clock.get() : &steady_clock()),
      parties_(options_.names_limit),
      entrusting_(options_.names_limit),
      compute_pool_(options_.compute_threads) {
  if (realization_.content_limit) options_.content_limit = *realization_.content_limit;
  if (realization_.connect_time) options_.connect_time = *realization_.connect_time;
  check(realization_, options_);
  if (is_driven() && realization_.driver->workers() != 0) {
    options_.workers = realization_.driver->workers();
  }
  // More threads than processors that all look for work only keep each other from it; what comes
  // from other processes needs a processor there, too.
  const unsigned others = realization_.transport->reactor() != nullptr ? 1 : 0;
  if (options_.workers + others > processors_here()) options_.spin = Duration::zero();
  if (realization_.spin) options_.spin = *realization_.spin;
  const unsigned workers = options_.workers;
  for (unsigned from = 0; from < workers; ++from) {
    for (unsigned to = 0; to < workers; ++to) {
      rings_.push_back(from == to ? nullptr : std::make_unique<ParcelRing>(ring_capacity));
    }
  }
  for (unsigned index = 0; index < workers; ++index) {
    workers_.push_back(std::make_unique<Worker>(*this, index));
  }
  realization_.transport->bind(*this);
  Party& letters = *party(Node::dead_letters(), *workers_[0]);
  restore_dead_letters(letters);
  if (is_driven()) driven_ = std::make_unique<DrivenNode>(*this, realization_.driver);
  for (unsigned index = 0; index < workers && !driven_; ++index) {
    const int first = options_.first_processor;
    workers_[index]->start(first < 0 ? -1 : first + static_cast<int>(index));
  }
  try {
    run_blocking(*workers_[0], [this]() -> Task<> { return open_lease(); });
  } catch (...) {
    end_workers();
    throw;
  }
}

void NodeCore::end_workers() noexcept {
  ended_.store(true);
  over_.store(true);
  for (const auto& worker : workers_) worker->wake();
  for (const auto& worker : workers_) worker->join();
  if (driven_) driven_->finish();
  compute_pool_.stop();
}

std::uint64_t NodeCore::token() noexcept {
  if (is_driven() || remote() == nullptr) return ++tokens_ * 0x9e3779b97f4a7c15;
  return std::max<std::uint64_t>(1, machine_random().next());
}

NodeCore::~NodeCore() {
  stop_for_good();
  for (std::thread& teller : tellers_) teller.join();
  // What nobody read is in the report; a user's own queue must not take it for abandoned.
  each_party([](Party& party) {
    while (Parcel* const left = party.take(Match())) free_parcel(left);
    if (party.extension) drop_tickets(*party.extension);
  });
  realization_.transport.reset();  // what it still holds refers to parties
}

Task<> NodeCore::open_lease() {
  auto lease = co_await directory().open_lease(options_.identity, lease_term);
  lease_ = lease.value();
  schedule_renewal();
  if (Links* const links = transport().links()) {
    remote_ = std::make_unique<Remote>(*this, *links);
    Task<> begun = remote_->begin();
    co_await begun;
  }
  if (!entrusts()) co_return;
  const std::optional<Stage> promised = remote_ ? remote_->custodian() : Stage::accepted;
  if (!promised || promised == Stage::stored) co_return;  // whoever is not there yet may come
  if (remote_) {
    Task<> end = remote_->end();
    co_await end;
  }
  (void)co_await directory().close_lease(lease_, EndReason::stopped);
  throw Error(Errc::unsupported,
              "this node is to entrust what it sends to a custodian that stores it, and there is "
              "none; begin the server with a folder (coracle central --data DIR), or leave "
              "durable=yes out");
}

// Half a term is soon enough, and late enough not to matter.
void NodeCore::schedule_renewal() {
  if (!renewal_) renewal_ = std::make_unique<Renewal>(*this);
  renewal_->arm(*workers_[0], clock_->now() + lease_term / 2);
}

bool NodeCore::renewal_is_due() const noexcept {
  return renewal_ && renewal_->place != TimerNode::idle;
}

void NodeCore::lose_lease() noexcept {
  registering_.store(true);
  renew_soon();
}

void NodeCore::renew_soon() noexcept {
  workers_[0]->post(command([this](Worker& at) {
    if (!ended()) renew_lease(at);
  }));
}

void NodeCore::renew_lease(Worker& worker) noexcept {
  renew_again_ = std::exchange(renewing_, true);
  if (renew_again_) return;
  worker.run_detached([](NodeCore& node) -> Task<> {
    const auto renewed = co_await node.directory().renew(node.lease_);
    if (!renewed && !node.stopping()) {
      const bool is_over = renewed.error().errc() == Errc::expired;
      log_warning(is_over
                      ? "this node was not heard of for so long that others took it for dead; it "
                        "registers its agents again"
                      : renewed.error().sentence());
      if (is_over) {
        Task<> registering = node.register_again(*Worker::current());
        co_await registering;
      }
    } else if (renewed && node.is_registering()) {  // it was to look once more, and all is well
      Task<> judging = node.judge_names(*Worker::current());
      co_await judging;
    }
    node.renewing_ = false;
    if (node.ended()) co_return;
    if (std::exchange(node.renew_again_, false)) co_return node.renew_lease(*Worker::current());
    node.schedule_renewal();
  }(*this));
}

Verdict NodeCore::deliver(Envelope& envelope) {
  Worker* const worker = Worker::current();
  if (worker != nullptr && &worker->node() == this) [[likely]]
    return worker->deliver(envelope);
  Parcel* const parcel = envelope.release();
  Worker& home = *parcel->target->home.load();
  struct Arrival {
    void operator()(Worker& at) const {
      Worker& home_now = *parcel->target->home.load();
      if (&home_now == &at) return at.arrive_at(*parcel->target, parcel);
      home_now.post(command(*this));
    }
    Parcel* parcel;
  };
  home.post(command(Arrival{parcel}));
  return Verdict::carried;
}

void NodeCore::give_up(Envelope&& envelope, Outcome outcome) noexcept {
  Parcel* const parcel = envelope.release();
  Worker* const worker = Worker::current();
  const auto end = [parcel, outcome](Worker& at) {
    at.bury(*parcel, to_string(outcome));
    at.end_parcel(parcel, outcome);
  };
  if (worker != nullptr && &worker->node() == this) return end(*worker);
  parcel->target->home.load()->post(command(end));
}

void NodeCore::await_room(Envelope& envelope, CreditWaiter& waiter) {
  Worker::current()->await_room(envelope, waiter);
}

void NodeCore::forget(CreditWaiter& waiter) noexcept { Worker::current()->forget(waiter); }

void NodeCore::restore_dead_letters(Party& party) noexcept {
  static const Name name = Node::dead_letters();
  if (party.name != name) return;
  const auto letters = MailboxOptions().messages(1024).overflow(Overflow::drop_oldest);
  party.ext().mailbox = letters;
  party.limit.store(letters.messages());
  party.clear_mode(policy_mask);
  party.set_mode(present | own_mailbox | static_cast<std::uint32_t>(letters.overflow()));
}

void NodeCore::bury(Worker& worker, const Parcel& parcel, const char* reason) noexcept {
  Parcel* const letter = clone_parcel(parcel);
  letter->flags = letter_flag;
  Extras& extras = extras_of(*letter);
  extras.receipt.reset();
  extras.kept = 0;
  extras.deadline = extras.absent_until = Time::max();
  extras.headers.emplace_back("reason", reason);
  extras.headers.emplace_back("from", parcel.source != nullptr ? parcel.source->name.str() : "");
  extras.headers.emplace_back("to", parcel.target->name.str());
  letter->target = party(Node::dead_letters(), worker);
  Worker& home = *letter->target->home.load();
  worker.touches(*letter->target);
  if (&home == &worker) return worker.arrive_at(*letter->target, letter);
  worker.forward(home, letter);
}

void NodeCore::report_crash(const Name& name, const std::string& text) noexcept {
  if (driven_) return driven_->driver().note(name.view(), "ends by an exception: " + text);
  log_warning("agent '" + name.str() + "' ended by an exception: " + text);
}

namespace {

// How an agent has ended that has not said it itself. Short: it may be said of a million.
const char* words_for(EndReason reason, bool stopping) noexcept {
  switch (reason) {
    case EndReason::stopped:
      return stopping ? "the node stops" : "";
    case EndReason::unreachable:
      return "its node has fallen silent";
    case EndReason::expired:
      return "its lease ran out";
    case EndReason::fenced:
      return "another agent has taken over its name";
    case EndReason::crashed:
      break;
  }
  return "";
}

}  // namespace

// Whoever waits for a reply of an agent that has ended is told, unless the request is still there
// for the next holder of the name.
void NodeCore::tell_requesters(Worker& worker, Party& ended, EndReason reason,
                               const std::string& last_words,
                               const std::vector<std::uint64_t>& still_queued) noexcept {
  const Errc error = reason == EndReason::crashed ? Errc::agent_failed : Errc::peer_down;
  const std::string text = last_words.empty() ? words_for(reason, stopping()) : last_words;
  worker.publish();  // what it answered before it ended comes first
  for (const auto& other : workers_) {
    if (other.get() == &worker) {
      worker.fail_requests(ended, error, text, still_queued);
    } else {
      other->post(command([&ended, error, text, still_queued](Worker& at) {
        at.fail_requests(ended, error, text, still_queued);
      }));
    }
  }
}

void NodeCore::agent_ended() noexcept {
  if (agents_.fetch_sub(1) != 1) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void NodeCore::wait_for_agents(const std::atomic<bool>* is_enough) {
  if (is_here())
    throw Error(Errc::wrong_thread,
                "an agent cannot wait for the agents of its own node, of which it is one; let the "
                "thread that made the node wait");
  const auto is_over = [&] {
    return agents_.load() == 0 || (is_enough != nullptr && is_enough->load());
  };
  if (driven_) {
    driven_->driver().run_until(is_over, Time::max(), "the end of all agents");
    return;
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, is_over);
}

void NodeCore::look_again_who_waits() noexcept {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void NodeCore::went_idle() noexcept {
  if (!watched_.load(std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  ++idle_events_;
  changed_.notify_all();
}

void NodeCore::count_detached(int change) noexcept {
  detached_.fetch_add(static_cast<std::size_t>(change));
}

// A blocking call that is under way: the workers stay until it has come back.
struct NodeCore::Call {
  explicit Call(NodeCore& which) : node(which) { node.enter(); }
  ~Call() { node.leave(); }
  NodeCore& node;
};

void NodeCore::run_blocking(Worker& worker, const std::function<Task<>()>& body) {
  if (Worker::current() != nullptr) {
    throw Error(Errc::wrong_thread,
                "a blocking call was made from an agent; use the agent's own operation");
  }
  const Call call(*this);
  if (driven_) return driven_->call(worker, body);
  struct Finish {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::exception_ptr error;
  } outcome;
  const auto perform = [](const std::function<Task<>()>& what, Finish& result) -> Task<> {
    std::exception_ptr error;
    try {
      Task<> task = what();
      co_await task;
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(result.mutex);
    result.error = std::move(error);  // no part of it stays with the worker
    result.done = true;
    result.changed.notify_all();
  };
  worker.post(command([&](Worker& at) { at.run_detached(perform(body, outcome)); }));
  std::unique_lock lock(outcome.mutex);
  outcome.changed.wait(lock, [&] { return outcome.done; });
  if (outcome.error) std::rethrow_exception(outcome.error);
}

}  // namespace coracle::detail
