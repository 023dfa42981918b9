#include "worker.hpp"

#include "runtime/mailbox/room.hpp"
#include "runtime/sending/fast_path.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <sched.h>

namespace coracle::detail {

constinit thread_local Worker* current_worker = nullptr;

// Returns the address of the count behind std::uncaught_exceptions(), which the C++ ABI keeps in
// the globals of each thread, after a pointer (Itanium C++ ABI, section 2.2.2). Reading it costs a
// tenth of that call.
unsigned* uncaught_exceptions_of_this_thread() noexcept {
  auto* const globals = reinterpret_cast<char*>(abi::__cxa_get_globals());
  return reinterpret_cast<unsigned*>(globals + sizeof(void*));
}

namespace {

constexpr int slice = 64;  // operations of one agent before others get their turn
constexpr int chain =
    8;  // coroutines that run before those that wait longer, each woken by the last
constexpr int starts_per_turn = 256;
constexpr std::uint32_t records_kept = 4096;

// Informs the processor that this is a waiting loop.
void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void bind_to(int processor) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);  // a failure harms nobody
}

// Returns the transport's own reactor, for the first of a node's workers.
std::shared_ptr<Reactor> brought_for(NodeCore& node, unsigned index) {
  return index == 0 ? node.reactor() : nullptr;
}

}  // namespace

Worker::Worker(NodeCore& node, unsigned index)
    : registered(node.matching()),
      is_alone(node.options().workers == 1 && !node.transport().connects_nodes() &&
               !node.is_driven()),
      node_(node),
      transport_(node.transport()),
      index_(index),
      drained_from_(index),
      content_limit_(node.options().content_limit),
      default_bytes_(node.options().mailbox.bytes()),
      has_policy_(node.options().policy != nullptr),
      encodes_(node.options().always_encode),
      observer_(node.observer()),
      direct_(node.transport().only_delivers()),
      own_queues_(!makes_mail_queues(node.queue_factory())),
      reactor_(brought_for(node, index)),
      outside_(reactor_ != nullptr),
      spinning_(node.options().spin),
      backlog_(node.options().workers),
      route_waiters_(node.options().workers),
      dirty_(node.options().workers),
      patterns_(node.matching()),
      tracks_(node.options().balance && node.options().workers > 1) {
  if (!outside_ && !node.is_driven()) reactor_ = plain_reactor();
  note_whether_plain();
}

Worker::~Worker() = default;

Time Worker::now() const noexcept { return node_.clock().now(); }

void Worker::start(int processor) {
  thread_ = std::thread([this, processor] {
    if (processor >= 0) bind_to(processor);
    loop();
  });
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

void Worker::post(Command& what) noexcept {
  touches_all();
  if (inbox_.push(what) && parking_.claim_wake()) reactor_->wake();
}

void Worker::begin(Agent& agent, std::coroutine_handle<> frame) {
  starting_.emplace_back(&agent, frame);
}

void Worker::cancel_begin(const Agent& agent) noexcept {
  std::erase_if(starting_, [&](const auto& start) { return start.first == &agent; });
}

bool Worker::turn() {
  node_.pause_if_asked();
  current_worker = this;
  const bool is_new_tick = length_.begin();
  // The commands are taken before the rings are drained, so that what was sent before a command
  // comes before it.
  Command* commands = inbox_.take();
  bool did = drain_rings();
  did |= run_commands(commands);
  if (!timers_.empty() && (!did || is_new_tick || (ticks_ & 15) == 0)) did |= run_timers();
  did |= run_ready();
  drain_backlog();
  if (!gaps_.empty()) send_pending_gaps();
  publish();
  if (outside_) {
    reactor_->flush();
    // Arrived messages may be for other workers, and this one may sleep before its next turn.
    if ((is_new_tick || (ticks_ & 7) == 7) && reactor_->poll()) did = true, publish();
  }
  if ((++ticks_ & 63) == 0) {
    if (!crowded_.empty()) did |= grant_all_room();
    if ((ticks_ & 0xffff) == 0 && !blocked_.empty()) send_probes();
  }
  return did;
}

bool Worker::run_commands(Command* commands) {
  if (commands == nullptr) return false;
  while (commands != nullptr) {
    Command* const next = commands->inbox_next;
    commands->run(*this);
    commands = next;
  }
  return true;
}

bool Worker::run_ready() noexcept {
  bool did = false;
  while (ready_.linked() && !length_.is_over()) {
    did = true;
    auto& next = static_cast<Waiting&>(*ready_.next);
    next.unlink();
    budget_ = slice;
    length_.ran(run_chain(next));
  }
  // Agents that begin have a share of their own: others may keep each other busy for ever.
  for (int begun = 0; !starting_.empty() && begun < starts_per_turn; ++begun) {
    did = true;
    const std::coroutine_handle<> frame = starting_.front().second;
    starting_.pop_front();
    budget_ = slice;
    frame.resume();
  }
  note_load();
  return did;
}

// Runs a coroutine, and at once the one that it alone has woken by a message, and so on: what they
// need is still in the processor's cache. With many pairs, fetching it from memory is most of a
// message's cost. Returns the number that ran.
int Worker::run_chain(Waiting& first) noexcept {
  Waiting* next = &first;
  for (int ran = 1;; ++ran) {
    const Link* const last = ready_.prev;
    woken_ = nullptr;
    next->frame.resume();
    // The woken coroutine may be gone, until it is found to be the last of the list.
    next = woken_;
    const bool is_only_one = next != nullptr && ready_.prev == next && next->prev == last;
    if (!is_only_one || ran == chain || budget_ <= 0) return ran;
    next->unlink();
  }
}

// A worker that had work left at the end of many turns in a row gives some away.
void Worker::note_load() noexcept {
  saturated_ = ready_.linked() ? saturated_ + 1 : 0;
  if (saturated_ < 64) return;
  balance();
  saturated_ = 0;
}

bool Worker::run_timers() noexcept {
  const Time present = now();
  bool did = false;
  while (TimerNode* due = timers_.take_due(present)) {
    due->fire(*due);
    did = true;
  }
  return did;
}

bool Worker::drain_rings() noexcept {
  bool did = false;
  for (unsigned from = 0; from < node_.worker_count(); ++from) {
    if (from != index_) did |= drain_ring(from);
  }
  drained_from_ = index_;
  release_claims();
  return did;
}

bool Worker::drain_ring(unsigned from) noexcept {
  Worker& source = node_.worker(from);
  RecordRing& ring = node_.ring(source, *this);
  drained_from_ = from;
  const bool did = ring.consume(
                       [this](MessageRecord& slot) {
                         if (arrive_plain(slot)) return;
                         MessageRecord* const record = new_record();
                         *record = slot;
                         arrive(record);
                       },
                       ring.capacity()) != 0;
  if (ring.take_room_request() && source.parking_.claim_wake()) source.reactor_->wake();
  return did;
}

void Worker::publish() noexcept {
  if (!reports_.empty()) node_.remote()->reports().send(reports_);
  for (unsigned to = 0; to < dirty_.size(); ++to) {
    if (!dirty_[to]) continue;
    dirty_[to] = false;
    Worker& target = node_.worker(to);
    if (node_.ring(*this, target).publish() && target.parking_.claim_wake()) {
      target.reactor_->wake();
    }
  }
}

// Returns whether there is work that only another turn would find.
bool Worker::something_to_do() noexcept {
  if (ready_.linked() || !starting_.empty() || !inbox_.empty()) return true;
  for (unsigned other = 0; other < node_.worker_count(); ++other) {
    if (other == index_) continue;
    if (!node_.ring(node_.worker(other), *this).empty()) return true;
    const bool wants_room = !backlog_[other].empty() || !route_waiters_[other].empty();
    if (wants_room && node_.ring(*this, node_.worker(other)).has_room()) return true;
  }
  return false;
}

// The last check before sleeping. The worker requests room here, not before: a consumer that still
// takes this worker for awake would notify it too early, and not again later.
bool Worker::must_stay() noexcept {
  for (unsigned other = 0; other < node_.worker_count(); ++other) {
    if (other == index_ || (backlog_[other].empty() && route_waiters_[other].empty())) continue;
    if (!node_.ring(*this, node_.worker(other)).wait_for_room()) return true;
  }
  return something_to_do() || node_.over() || node_.pause_wanted();
}

// Looks for work; returns whether something came.
bool Worker::spin(Time began, Time alarm) {
  const Duration longest = spinning_.begin();
  if (longest == Duration::zero()) return false;
  if (outside_) reactor_->flush();
  Time before = began;
  for (unsigned round = 0;; ++round) {
    bool came = false;
    // Something from outside may be made by a thread that waits for this processor.
    if (outside_ || (round & 7) == 7) sched_yield();
    for (unsigned looks = outside_ ? spinning_.looks() : 32; looks > 0 && !came; --looks) {
      came = (outside_ && reactor_->poll()) || something_to_do() || node_.pause_wanted();
      relax();
    }
    const Time present = now();
    if (outside_ && spinning_.gave_way(present - before)) return came;
    if (came) return spinning_.found(), true;
    if (present >= alarm || present - began >= longest) break;
    before = present;
  }
  spinning_.in_vain();
  return false;
}

void Worker::spin_or_park() {
  if (!crowded_.empty() && grant_all_room()) return;
  const Time began = now();
  const Time alarm = timers_.next();
  if (spin(began, alarm)) return;
  if (!blocked_.empty()) send_probes();
  return_prepaid();
  resting_.store(true, std::memory_order_relaxed);
  // Standing still for a look is no work: otherwise a thread that waits for rest would look again
  // at once.
  if (std::exchange(has_worked_, false)) node_.went_idle();
  parking_.park([this] { return must_stay(); },
                [this, alarm] {
                  const bool endless = alarm == Time::max();
                  reactor_->wait(endless ? Duration::max() : std::max(alarm - now(), Duration(0)));
                });
  resting_.store(false, std::memory_order_relaxed);
  spinning_.idled(now() - began);
}

void Worker::loop() {
  current_worker = this;
  uncaught_ = uncaught_exceptions_of_this_thread();
  record_cache.keep_up_to(records_kept);
  while (!node_.over()) {
    // After a turn that has left nothing, another one would only delay the message that comes next.
    const bool did = turn();
    has_worked_ |= did;
    if (!did || (outside_ && reports_.empty() && !something_to_do())) spin_or_park();
  }
  while (turn()) {
    // Requests from before the end are still done.
  }
  record_cache.keep_up_to(0);
  current_worker = nullptr;
}

void Worker::wake() noexcept {
  if (parking_.claim_wake()) reactor_->wake();
}

bool Worker::idle() noexcept { return !something_to_do() && backlog_size() == 0; }

namespace {

// A task of the library's own; it frees itself.
struct Detached final : RootTask {
  explicit Detached(NodeCore& where) noexcept : node(where) { node.count_detached(1); }
  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr) noexcept override {
    frame.destroy();
    node.count_detached(-1);
    delete this;
  }
  NodeCore& node;
};

}  // namespace

void Worker::run_detached(Task<> task) {
  auto frame = task.release();
  frame.promise().set_root(*new Detached(node_));
  frame.resume();
}

void Worker::end_waits() noexcept {
  while (waits_.linked()) schedule(static_cast<Waiting&>(*waits_.next));
  timers_.ring_all();
  while (TimerNode* const timer = timers_.ring_next()) timer->fire(*timer);
}

}  // namespace coracle::detail
