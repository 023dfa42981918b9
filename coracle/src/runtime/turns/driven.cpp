// A worker's turn under a driver, and the blocking calls of a node that has a driver.
#include "driven.hpp"

#include "runtime/node/node_core.hpp"
#include "standing.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle {

const char* to_string(Choice what) noexcept {
  switch (what) {
    case Choice::part: return "part";
    case Choice::task: return "task";
    case Choice::slice: return "slice";
    case Choice::more: return "more";
    case Choice::alarms: return "alarms";
    case Choice::ring: return "ring";
    case Choice::computation: return "computation";
    case Choice::duration: return "duration";
    case Choice::delay: return "delay";
  }
  return "?";
}

namespace detail {

namespace {

// The driver chooses among at most so many coroutines that are ready, and as many that begin.
constexpr std::size_t tasks_in_view = 8;
constexpr std::array<int, 3> slices = {0, 4, 64};
constexpr int most_in_a_turn = 256;
constexpr std::uint32_t records_kept_by_driver = 4096;

// Has the driver choose one of `count`; the driver is not asked when there is no choice.
std::size_t choose_of(Driver& driver, Choice what, std::size_t count) noexcept {
  return count < 2 ? 0 : driver.choose(what, count);
}

}  // namespace

// --- a worker (worker.hpp) ---

void Worker::touches(const Mailbox& mailbox) noexcept {
  if (DrivenNode* const driven = node_.driven()) driven->driver().touches(mailbox.name.view());
}

void Worker::touches_all() noexcept {
  if (DrivenNode* const driven = node_.driven()) driven->driver().touches_all();
}

void Worker::rests(const Mailbox& mailbox) noexcept {
  scheduler.runs(mailbox);
  if (DrivenNode* const driven = node_.driven()) driven->driver().rests(mailbox.name.view());
}

bool Worker::has_work(Time present) noexcept {
  return something_to_do() || scheduler.timers().next() <= present ||
         (outside_ && reactor_->is_ready());
}

void Exchange::drain_by(Driver& driver, bool& did) noexcept {
  std::vector<unsigned> left;
  NodeCore& node = worker_.node();
  for (unsigned from = 0; from < node.worker_count(); ++from) {
    if (from != worker_.index() && !node.ring(node.worker(from), worker_).empty())
      left.push_back(from);
  }
  while (!left.empty()) {
    const std::size_t which = choose_of(driver, Choice::ring, left.size());
    did |= drain_ring(left[which]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(which));
  }
  drained_from_ = worker_.index();
  worker_.slots.release();
}

bool Scheduler::run_one_by(Driver& driver, bool starts_first) noexcept {
  std::array<void*, 2 * tasks_in_view> tasks{};
  std::size_t ready = 0;
  for (Link* link = ready_.next; link != &ready_ && ready < tasks_in_view; link = link->next) {
    tasks[ready++] = static_cast<Waiting&>(*link).frame.address();
  }
  const std::size_t starting = std::min(starting_.size(), tasks_in_view);
  const std::size_t all = ready + starting;
  if (all == 0) return false;
  for (std::size_t i = 0; i < starting; ++i) tasks[ready + i] = starting_[i].second.address();
  const std::size_t first = starts_first ? ready : 0;
  std::rotate(tasks.begin(), tasks.begin() + first, tasks.begin() + all);
  driver.offers(std::span(tasks.data(), all));
  if (ready == tasks_in_view || starting == tasks_in_view) driver.touches_all();  // maybe more
  std::size_t which = (choose_of(driver, Choice::task, all) + first) % all;
  std::coroutine_handle<> frame;
  if (which < ready) {
    Link* link = ready_.next;
    while (which-- > 0) link = link->next;
    auto& next = static_cast<Waiting&>(*link);
    next.unlink();
    frame = next.frame;
  } else {
    const auto begins = starting_.begin() + static_cast<std::ptrdiff_t>(which - ready);
    frame = begins->second;
    driver.note(begins->first->name().view(), "begins");
    starting_.erase(begins);
  }
  budget_ = slices[driver.choose(Choice::slice, slices.size())];
  frame.resume();
  return true;
}

// Works as turn() does, but wherever turn() takes the first of several, the driver chooses.
void Worker::turn_by(Driver& driver) {
  const Standing standing(*this, uncaught_);
  note_time(now());
  Command* commands = inbox_.take();
  bool did = commands != nullptr;
  exchange.drain_by(driver, did);
  if (did) driver.touches_all();
  run_commands(commands);
  if (outside_ && reactor_->is_ready()) {
    driver.touches_all();
    did |= reactor_->poll();
  }
  if (scheduler.timers().next() <= now()) {
    const bool forced = (!did && !scheduler.has_ready()) || (ticks_ & 15) == 15;
    if (forced || driver.choose(Choice::alarms, 2) == 1) {
      driver.touches_all();
      scheduler.run_timers(now());
    }
  }
  for (int ran = 0; scheduler.run_one_by(driver, (ticks_ & 1) != 0) && ++ran < most_in_a_turn;) {
    if (!scheduler.has_work()) break;
    if (driver.choose(Choice::more, 2) == 0) break;
  }
  relocation.note_load(scheduler.has_ready());
  exchange.drain_backlog();
  if (overhearing.has_gaps() || room.is_awaited() || cycles.has_unprobed()) driver.touches_all();
  if (overhearing.has_gaps()) overhearing.send_pending_gaps();
  publish();
  if (outside_) reactor_->flush();
  ++ticks_;
  const bool rests = !something_to_do();
  if (room.is_awaited() && (rests || (ticks_ & 63) == 0)) room.grant_all();
  if (rests) slots.return_prepaid();
  if (rests && cycles.has_unprobed()) cycles.send_probes();
  relocation.set_resting(rests);
}

// --- the node ---

DrivenNode::DrivenNode(NodeCore& node, std::shared_ptr<Driver> driver)
    : node_(node), driver_(std::move(driver)) {
  driver_->drive(*this);
  record_cache.keep_up_to(records_kept_by_driver);
}

DrivenNode::~DrivenNode() {
  if (!finished_) driver_->release(*this);
  record_cache.keep_up_to(0);
}

unsigned DrivenNode::parts() const noexcept {
  return static_cast<unsigned>(node_.worker_count()) + 1;
}

bool DrivenNode::ready(unsigned part) {
  const Time present = node_.clock().now();
  if (part < node_.worker_count()) return node_.worker(part).has_work(present);
  return node_.compute_pool().due() <= present;
}

void DrivenNode::add_ready(std::vector<unsigned>& numbers) {
  const Time present = node_.clock().now();
  const auto workers = static_cast<unsigned>(node_.worker_count());
  for (unsigned index = 0; index < workers; ++index) {
    if (node_.worker(index).has_work(present)) numbers.push_back(index);
  }
  if (node_.compute_pool().due() <= present) numbers.push_back(workers);
}

Time DrivenNode::alarm(unsigned part) {
  if (part < node_.worker_count()) return node_.worker(part).scheduler.timers().next();
  return node_.compute_pool().due();
}

bool DrivenNode::only_renews() {
  std::size_t alarms = 0;
  for (unsigned index = 0; index < node_.worker_count(); ++index) {
    alarms += node_.worker(index).scheduler.timers().size();
  }
  const std::size_t renewals = node_.lease().renewal_is_due() ? 1 : 0;
  return alarms <= renewals && node_.compute_pool().due() == Time::max();
}

void DrivenNode::step(unsigned part) {
  if (part == node_.worker_count()) return node_.compute_pool().perform_one(*driver_);
  node_.worker(part).turn_by(*driver_);
}

std::string DrivenNode::waits() {
  std::string lines;
  node_.mailboxes().each([&lines](Mailbox& mailbox) {
    if (mailbox.agent == nullptr) return;
    lines += "\n  '" + mailbox.name.str() + "' waits for ";
    if (mailbox.extension && mailbox.extension->waits_for != nullptr) {
      lines += "'" + mailbox.extension->waits_for->name.str() + "'";
    } else if (mailbox.readers.linked()) {
      const Match* const match = static_cast<Reader*>(mailbox.readers.next)->match();
      const bool any = match == nullptr || match->is_any();
      lines += any ? "any message" : "a message of a certain kind";
      if (!any && match->sender()) lines += " from '" + match->sender().name().str() + "'";
      const std::uint32_t queued = mailbox.queued.load();
      if (queued != 0) lines += "; " + std::to_string(queued) + " others are in its mailbox";
    } else {
      lines += "something that is not a message";
    }
  });
  return lines.empty() ? "\n  no agent is left" : lines;
}

namespace {

// A call from outside, for which the driver runs; the call's frame does not outlive it.
struct DrivenCall final : RootTask {
  void on_root_done(std::coroutine_handle<> ended, std::exception_ptr thrown) noexcept override {
    ended.destroy();
    frame = nullptr;
    error = std::move(thrown);
    done = true;
  }

  std::coroutine_handle<> frame;
  std::exception_ptr error;
  bool done = false;
  bool given_up = false;
};

Task<> perform_call(std::function<Task<>()> body) {
  Task<> task = body();
  co_await task;
}

}  // namespace

void DrivenNode::call(Worker& worker, const std::function<Task<>()>& body) {
  const auto state = std::make_shared<DrivenCall>();
  worker.post(command([state, body](Worker&) {
    if (state->given_up) return;
    auto frame = perform_call(body).release();
    state->frame = frame;
    frame.promise().set_root(*state);
    frame.resume();
  }));
  try {
    driver_->run_until([&] { return state->done; }, Time::max(),
                       "the result of a call from outside");
  } catch (...) {
    state->given_up = true;
    if (state->frame) state->frame.destroy();
    throw;
  }
  if (state->error) std::rethrow_exception(state->error);
}

void DrivenNode::finish() noexcept {
  for (bool did = true; did;) {
    did = false;
    for (unsigned part = 0; part < node_.worker_count(); ++part) {
      if (!node_.worker(part).has_work(Time::min())) continue;
      step(part);
      did = true;
    }
  }
  finished_ = true;
  driver_->release(*this);
}

}  // namespace detail

}  // namespace coracle
