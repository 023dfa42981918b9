#include "worker.hpp"

#include "runtime/room/room_ticket.hpp"
#include "runtime/sending/fast_path.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <sched.h>

namespace coracle::detail {

[[gnu::tls_model("initial-exec")]] constinit thread_local Worker* current_worker = nullptr;

// Returns the address of the count behind std::uncaught_exceptions(), which the C++ ABI keeps in
// the globals of each thread, after a pointer (Itanium C++ ABI, section 2.2.2). Reading it costs a
// tenth of that call.
unsigned* uncaught_exceptions_of_this_thread() noexcept {
  auto* const globals = reinterpret_cast<char*>(abi::__cxa_get_globals());
  return reinterpret_cast<unsigned*>(globals + sizeof(void*));
}

namespace {

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

}  // namespace

Worker::Worker(NodeCore& node, unsigned index, std::shared_ptr<Reactor> reactor)
    : node_(node),
      index_(index),
      exchange(*this, index, node.options().workers),
      mailboxes(*this, node.options().mailbox.bytes(),
                !makes_mail_queues(node.realization().queue)),
      slots(*this),
      outgoing(*this),
      observing(*this, node.realization().observer.get()),
      requests(node, index),
      relocation(*this, node.options().balance && node.options().workers > 1),
      room(*this),
      cycles(*this),
      overhearing(*this, node.matching()),
      reactor_(std::move(reactor)),
      outside_(index == 0 && node.realization().reactor != nullptr),
      spinning_(node.options().spin) {
  outgoing.note_whether_plain();
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

bool Worker::turn() {
  bool did = turn_inside();
  if (outside_) {
    reactor_->flush();
    // Arrived messages may be for other workers, and this one may sleep before its next turn.
    if ((is_new_tick_ || (ticks_ & 7) == 7) && reactor_->poll()) did = true, publish();
  }
  return did;
}

bool Worker::turn_inside() {
  node_.standstill().pause_if_asked();
  current_worker = this;
  is_new_tick_ = scheduler.length().begin();
  if (is_new_tick_) note_time(now());
  // The commands are taken before the rings are drained, so that what was sent before a command
  // comes before it.
  Command* commands = inbox_.take();
  bool did = exchange.drain();
  did |= run_commands(commands);
  if (!scheduler.timers().empty() && (!did || is_new_tick_ || (ticks_ & 15) == 0))
    did |= scheduler.run_timers(now());
  did |= scheduler.run_ready();
  relocation.note_load(scheduler.has_ready());
  exchange.drain_backlog();
  if (overhearing.has_gaps()) overhearing.send_pending_gaps();
  publish();
  if ((++ticks_ & 63) == 0) {
    if (room.is_awaited()) did |= room.grant_all();
    if ((ticks_ & 0xffff) == 0 && cycles.has_unprobed()) cycles.send_probes();
  }
  return did;
}

void Worker::note_time(Time present) {
  requests.note_time(present);
  lives.note(last_life, present);
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

void Worker::publish() noexcept {
  if (!reports.empty()) reports.send(*node_.remote());
  exchange.publish();
}

// Returns whether there is work that only another turn would find.
bool Worker::something_to_do() noexcept {
  return scheduler.has_work() || !inbox_.empty() || exchange.has_work();
}

// The last check before sleeping. The worker requests room here, not before: a consumer that still
// takes this worker for awake would notify it too early, and not again later.
bool Worker::must_stay() noexcept {
  return exchange.request_room() || something_to_do() || node_.stopping().over() ||
         node_.standstill().is_asked();
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
      came = (outside_ && reactor_->poll()) || something_to_do() || node_.standstill().is_asked();
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

void Worker::before_rest() noexcept {
  if (cycles.has_unprobed()) cycles.send_probes();
  slots.return_prepaid();
  relocation.set_resting(true);
}

void Worker::spin_or_park() {
  if (room.is_awaited() && room.grant_all()) return;
  const Time began = now();
  const Time alarm = scheduler.timers().next();
  if (spin(began, alarm)) return;
  before_rest();
  // Standing still for a look is no work: otherwise a thread that waits for rest would look again
  // at once.
  if (std::exchange(has_worked_, false)) node_.quiescence().went_idle();
  parking_.park([this] { return must_stay(); },
                [this, alarm] {
                  const bool endless = alarm == Time::max();
                  reactor_->wait(endless ? Duration::max() : std::max(alarm - now(), Duration(0)));
                });
  relocation.set_resting(false);
  spinning_.idled(now() - began);
}

void Worker::loop() {
  current_worker = this;
  uncaught_ = uncaught_exceptions_of_this_thread();
  record_cache.keep_up_to(records_kept);
  while (!node_.stopping().over()) {
    // After a turn that has left nothing, another one would only delay the message that comes next.
    const bool did = turn();
    has_worked_ |= did;
    if (!did || (outside_ && reports.empty() && !something_to_do())) spin_or_park();
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

bool Worker::idle() noexcept { return !something_to_do() && exchange.backlog_size() == 0; }

namespace {

// A task of the library's own; it frees itself.
struct Detached final : RootTask {
  explicit Detached(NodeCore& where) noexcept : node(where) { node.quiescence().count_errands(1); }
  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr) noexcept override {
    frame.destroy();
    node.quiescence().count_errands(-1);
    delete this;
  }
  NodeCore& node;
};

}  // namespace

void run_detached(Worker& home, Task<> task) {
  auto frame = task.release();
  frame.promise().set_root(*new Detached(home.node()));
  frame.resume();
}

}  // namespace coracle::detail
