// Runs a model of two to four threads in every interleaving, on the memory of memory_model.hpp.
//
// A model is a class with
//   std::vector<Script> threads();   the script of each thread, on the model's members
//   void check();                    the condition that must hold when all are done
// whose shared members take their atomics from ExploreSync (explore_sync.hpp). Every operation on
// those is a scheduling point. A failed require(), a data race, and threads that wait with no
// thread left to wake them (a lost wake-up) end the exploration with the schedule that led there.
//
// The search is depth-first and complete, without a bound on preemptions: each run replays the
// choices down to the newest branch and goes on from there. A state seen before is not explored
// again; it is known by a 64-bit hash of memory, buffers, clocks and of the values that each thread
// has seen (which determine its locals, so models must be deterministic and share nothing else).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiber.hpp"
#include "memory_model.hpp"
#include "schedule_report.hpp"
#include "schedule_tree.hpp"

namespace coracle::testing {

struct Script {
  std::string name;
  std::function<void()> body;
};

class Explorer {
 public:
  using Value = MemoryModel::Value;

  // The exploration that runs on this real thread: atomics have no other way to find theirs.
  static Explorer& current() { return *current_; }

  // Runs `end` after each run in which all threads came to their end.
  Report explore(const std::function<std::vector<Script>()>& begin,
                 const std::function<void()>& end) {
    current_ = this;
    do {
      run_once(begin, end);
      ++report_.runs;
    } while (report_.ok() && tree_.backtrack());
    current_ = nullptr;
    report_.states = tree_.states();
    report_.schedules = tree_.schedules();
    return report_;
  }

  std::size_t add_location(std::string_view kind, Value value) {
    kinds_.push_back(kind);
    return memory_.add_location(value);
  }
  std::size_t add_cell() { return memory_.add_cell(); }

  Value load(std::size_t location, std::memory_order order) {
    if (!in_thread()) return memory_.value(location);
    before(Action::load, location);
    const Value value = memory_.load(running_, location, order);
    return after({running_, Action::load, location, value, order});
  }

  // Not a scheduling point: the other threads notice nothing before the store leaves the buffer.
  void store(std::size_t location, Value value, std::memory_order order) {
    if (!in_thread()) return memory_.set(location, value);
    memory_.store(running_, location, value, order);
    after({running_, Action::store, location, value, order});
  }

  template <class Change>
  Value modify(std::size_t location, Value value, std::memory_order order, Change&& change) {
    before(Action::modify, location);
    const Value old = memory_.modify(running_, location, value, order, change);
    after({running_, Action::modify, location, memory_.value(location), order});
    threads_[running_]->seen.add(old);
    return old;
  }

  // A semaphore that is free (1) or not (0).
  void signal(std::size_t location, Value value) {
    const Action action = value == 0 ? Action::take : Action::give;
    before(action, location);
    memory_.modify(running_, location, value, std::memory_order_seq_cst,
                   [](Value) { return true; });
    after({running_, action, location, value, std::memory_order_seq_cst});
  }

  void read_cell(std::size_t cell) {
    if (in_thread()) require(memory_.read_cell(running_, cell), "data race: read of a cell");
  }
  void write_cell(std::size_t cell) {
    if (in_thread()) require(memory_.write_cell(running_, cell), "data race: write of a cell");
  }

  void require(bool condition, std::string_view what) {
    if (condition) return;
    fail(what);
    throw Abandoned();
  }

 private:
  struct Abandoned {};  // unwinds a thread's stack when its run is over

  struct Thread {
    explicit Thread(std::function<void()> loop) : fiber(std::move(loop)) {}

    Fiber fiber;
    Script script;
    Action action = Action::load;  // the operation that it is about to do
    std::size_t location = 0;
    Hash seen;
    bool finished = false;
  };

  static constexpr std::size_t nobody = max_threads;
  static constexpr std::size_t longest_run = 5'000;

  bool in_thread() const { return running_ != nobody; }

  void run_once(const std::function<std::vector<Script>()>& begin,
                const std::function<void()>& end) {
    memory_ = MemoryModel();
    kinds_.clear();
    steps_.clear();
    tree_.restart();
    auto scripts = begin();
    while (threads_.size() < scripts.size()) add_thread();
    phase_ = Phase::starting;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      auto& thread = *threads_[i];
      thread.script = std::move(scripts[i]);
      thread.seen = Hash();
      thread.finished = false;
      enter(i);
    }
    phase_ = Phase::running;
    if (report_.ok()) {
      if (Fiber* first = next(); first != &outside_) Fiber::change(outside_, *first);
    }
    phase_ = Phase::abandoning;
    const bool complete = all_finished() && report_.ok();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!threads_[i]->finished) enter(i);
    }
    running_ = nobody;
    if (!complete) return;
    try {
      end();
    } catch (const Abandoned&) {}  // fail() has noted why
  }

  void add_thread() {
    const std::size_t index = threads_.size();
    threads_.push_back(std::make_unique<Thread>([this, index] {
      for (;;) {
        auto& self = *threads_[index];
        try {
          self.script.body();
        } catch (const Abandoned&) {  // its run is over, or fail() has noted why
        }
        self.finished = true;
        Fiber* to = phase_ == Phase::running && report_.ok() ? next() : &outside_;
        Fiber::change(self.fiber, *to);
      }
    }));
  }

  void enter(std::size_t thread) {
    running_ = thread;
    Fiber::change(outside_, threads_[thread]->fiber);
  }

  // Lets any other thread go first; returns when it is this thread's turn.
  void before(Action action, std::size_t location) {
    auto& self = *threads_[running_];
    self.action = action;
    self.location = location;
    Fiber* to = phase_ == Phase::starting ? &outside_ : next();
    if (to != &self.fiber) Fiber::change(self.fiber, *to);
    if (phase_ == Phase::abandoning) throw Abandoned();
  }

  Value after(const Step& step) {
    steps_.push_back(step);
    threads_[running_]->seen.add(step.location << 8U | static_cast<Value>(step.action));
    threads_[running_]->seen.add(step.value);
    return step.value;
  }

  // Drains buffers until it is a thread's turn; returns the outside fiber if the run is over.
  Fiber* next() {
    while (const auto choice = choose()) {
      if (!choice->drain) {
        running_ = choice->thread;
        return &threads_[running_]->fiber;
      }
      const auto& store = memory_.oldest_buffered(choice->thread);
      steps_.push_back({choice->thread, Action::drain, store.location, store.value, store.order});
      memory_.drain(choice->thread);
    }
    return &outside_;
  }

  std::optional<Choice> choose() {
    const Choices choices = possible();
    if (choices.size == 0) {
      if (all_finished()) tree_.complete();
      else fail("lost wake-up: everybody waits");
      return std::nullopt;
    }
    if (steps_.size() > longest_run) {
      fail("endless: a thread repeats itself without waiting");
      return std::nullopt;
    }
    if (choices.size == 1) return choices.options[0];
    return tree_.choose(choices, [this] { return state_hash(); });
  }

  // The running thread comes first, which saves changes of stacks.
  Choices possible() const {
    Choices choices;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const std::size_t thread = in_thread() ? (running_ + i) % threads_.size() : i;
      const auto& it = *threads_[thread];
      const bool waits = it.action == Action::take && memory_.value(it.location) == 0;
      if (!it.finished && !waits) choices.add(thread, false);
      if (memory_.has_buffered(thread)) choices.add(thread, true);
    }
    return choices;
  }

  std::uint64_t state_hash() const {
    Hash hash;
    memory_.add_to(hash);
    for (const auto& thread : threads_) hash.add(thread->seen.value());
    return hash.value();
  }

  bool all_finished() const {
    for (const auto& thread : threads_) {
      if (!thread->finished) return false;
    }
    return true;
  }

  void fail(std::string_view what) {
    std::ostringstream out;
    out << what;
    for (const auto& step : steps_) {
      describe(out, step, threads_[step.thread]->script.name, kinds_[step.location]);
    }
    for (const auto& thread : threads_) {
      if (thread->finished) continue;
      out << "\n  " << thread->script.name
          << (thread->action == Action::take ? " waits for " : " is before ")
          << kinds_[thread->location] << '#' << thread->location;
    }
    report_.failure = out.str();
  }

  static inline thread_local Explorer* current_ = nullptr;

  enum class Phase { starting, running, abandoning };

  Report report_;
  MemoryModel memory_;
  std::vector<std::string_view> kinds_;
  std::vector<Step> steps_;
  Fiber outside_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Phase phase_ = Phase::starting;
  std::size_t running_ = nobody;
  ScheduleTree tree_;
};

// The model lives at one place during the whole exploration, so that pointers into it compare
// equal from run to run.
template <class Model, class... Args>
Report explore(const Args&... args) {
  std::optional<Model> model;
  Explorer explorer;
  return explorer.explore(
      [&] {
        model.emplace(args...);
        return model->threads();
      },
      [&] { model->check(); });
}

}  // namespace coracle::testing
