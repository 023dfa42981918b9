#include "node_core.hpp"

#include "dead_letters.hpp"
#include "metrics/node_metrics.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/room/room_ticket.hpp"
#include "runtime/sending/delivery.hpp"

#include <sched.h>

#include <thread>

namespace coracle::detail {

namespace {

constexpr std::size_t ring_capacity = 1024;

void check(const Realization& realization, const NodeOptions& options) {
  const auto refuse = [](const std::string& sentence) { throw Error(Errc::bad_options, sentence); };
  if (!realization.transport || !realization.directory || !realization.queue) {
    refuse("a realization needs a transport, a directory and a queue; start from open()");
  }
  if (options.workers > 256) {
    refuse("NodeOptions::workers is " + std::to_string(options.workers) +
           "; give 1 to 256, or 0 for a node whose turns your own loop takes");
  }
  if (options.compute_threads == 0) refuse("NodeOptions::compute_threads is 0; give at least 1");
  if (realization.backend && options.workers != 1) {
    refuse("NodeOptions::workers is " + std::to_string(options.workers) +
           "; a message store has one, so give 1");
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

// Returns the number of processors on which this thread may run.
unsigned processors_here() noexcept {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&set));
}

// The senders that waited for room have gone; their tickets are still in line.
void drop_tickets(Extension& extension) {
  while (RoomTicket* const ticket = extension.tickets.take()) {
    if (ticket->likeness != nullptr) free_record(ticket->likeness);
    delete ticket;
  }
}

}  // namespace

NodeCore::NodeCore(Node& node, Realization realization, NodeOptions options)
    : node_(node),
      realization_(std::move(realization)),
      options_(std::move(options)),
      clock_(realization_.clock ? realization_.clock.get() : &steady_clock()),
      mailboxes_(options_.names_limit),
      storing_(options_.names_limit),
      compute_pool_(options_.compute_threads),
      holds_(*this),
      lease_(*this),
      numbers_(*this),
      agents_(*this),
      calls_(*this),
      standstill_(*this),
      quiescence_(*this),
      stopping_(*this) {
  if (realization_.content_limit) options_.content_limit = *realization_.content_limit;
  if (realization_.connect_time) options_.connect_time = *realization_.connect_time;
  check(realization_, options_);
  if (is_driven() && realization_.driver->workers() != 0) {
    options_.workers = realization_.driver->workers();
  }
  // If more threads than processors look for work, they only hinder each other. Messages of other
  // processes need a processor there, too.
  const unsigned others = realization_.reactor != nullptr ? 1 : 0;
  if (options_.workers + others > processors_here()) options_.spin = Duration::zero();
  if (realization_.spin) options_.spin = *realization_.spin;
  std::shared_ptr<DescriptorReactor> descriptor;
  if (options_.workers == 0) {
    options_.workers = 1;
    if (!is_driven()) descriptor = std::make_shared<DescriptorReactor>(realization_.reactor);
  }
  const unsigned workers = options_.workers;
  for (unsigned from = 0; from < workers; ++from) {
    for (unsigned to = 0; to < workers; ++to) {
      rings_.push_back(from == to ? nullptr : std::make_unique<RecordRing>(ring_capacity));
    }
  }
  for (unsigned index = 0; index < workers; ++index) {
    std::shared_ptr<Reactor> reactor = index == 0 ? realization_.reactor : nullptr;
    if (descriptor) reactor = descriptor;
    if (!reactor && !is_driven()) reactor = plain_reactor();
    workers_.push_back(std::make_unique<Worker>(*this, index, std::move(reactor)));
  }
  realization_.transport->bind(*this);
  Mailbox& letters = *mailbox(Node::dead_letters(), *workers_[0]);
  restore_dead_letters(letters);
  if (is_driven()) driven_ = std::make_unique<DrivenNode>(*this, realization_.driver);
  if (descriptor) by_turns_ = std::make_unique<ByTurns>(*this, std::move(descriptor));
  for (unsigned index = 0; index < workers && has_threads(); ++index) {
    const int first = options_.first_processor;
    workers_[index]->start(first < 0 ? -1 : first + static_cast<int>(index));
  }
  try {
    calls_.run_blocking(*workers_[0], [this]() -> Task<> { return open(); });
  } catch (...) {
    stopping_.end_workers();
    throw;
  }
}

NodeCore::~NodeCore() {
  stopping_.finish();
  // Unread messages are in the report; a user's own queue must not take them for abandoned.
  each_mailbox([](Mailbox& mailbox) {
    while (MessageRecord* const left = mailbox.take(Match())) free_record(left);
    if (mailbox.extension) drop_tickets(*mailbox.extension);
  });
  realization_.transport.reset();  // messages that it still holds refer to mailboxes
}

NodeMetrics& NodeCore::metrics() {
  std::call_once(metrics_begun_, [this] {
    metrics_ =
        std::make_unique<NodeMetrics>(*this, options_.metrics_interval, options_.metrics_agents);
  });
  return *metrics_;
}

Task<> NodeCore::open() {
  Task<> opening = lease_.open();
  co_await opening;
  if (transport().connects_nodes()) {
    remote_ = std::make_unique<Remote>(*this, transport());
    Task<> begun = remote_->begin();
    co_await begun;
  }
  if (!realization_.stores) co_return;
  const std::optional<Stage> promised = remote_ ? remote_->store().promise() : Stage::accepted;
  if (!promised || promised == Stage::stored) co_return;  // a store that is not there yet may come
  if (remote_) {
    Task<> end = remote_->end();
    co_await end;
  }
  (void)co_await directory().close_lease(lease_.id(), EndReason::stopped);
  throw Error(Errc::unsupported,
              "this node is to send its messages through a message store with a disk, and there is "
              "none; start the server with a folder (coracle central --data DIR), or leave "
              "durable=yes out");
}

Verdict NodeCore::deliver(Envelope& envelope) {
  Worker* const worker = Worker::current();
  if (worker != nullptr && &worker->node() == this) [[likely]]
    return detail::deliver(*worker, envelope);
  MessageRecord* const record = Access::release(envelope);
  Worker& home = *record->target->home.load();
  struct Arrival {
    void operator()(Worker& at) const {
      Worker& home_now = *record->target->home.load();
      if (&home_now == &at) return arrive_at(at, *record->target, record);
      home_now.post(command(*this));
    }
    MessageRecord* record;
  };
  home.post(command(Arrival{record}));
  return Verdict::carried;
}

void NodeCore::give_up(Envelope&& envelope, Outcome outcome) noexcept {
  MessageRecord* const record = Access::release(envelope);
  Worker* const worker = Worker::current();
  const auto end = [record, outcome](Worker& at) {
    bury(at, *record, to_string(outcome));
    end_record(at, record, outcome);
  };
  if (worker != nullptr && &worker->node() == this) return end(*worker);
  record->target->home.load()->post(command(end));
}

void NodeCore::await_room(Envelope& envelope, CreditWaiter& waiter) {
  Worker::current()->room.await(envelope, waiter);
}

void NodeCore::forget(CreditWaiter& waiter) noexcept { forget_ticket(waiter); }

}  // namespace coracle::detail
