#include "walk.hpp"

#include <algorithm>

namespace coracle::sim::detail {

namespace {

bool meet(const std::vector<unsigned>& some, const std::vector<unsigned>& others) noexcept {
  return std::find_first_of(some.begin(), some.end(), others.begin(), others.end()) != some.end();
}

}  // namespace

bool Footprint::apart_from(const Footprint& other) const noexcept {
  return !all && !other.all && !meet(changed, other.changed) && !meet(changed, other.looked_at) &&
         !meet(looked_at, other.changed);
}

bool Walk::advance() {
  const auto next = [](Fork& fork) {
    do {
      ++fork.taken;
    } while (fork.taken < fork.branches.size() && fork.branches[fork.taken].asleep);
    return fork.taken < fork.count;
  };
  while (!path_.empty() && !next(path_.back())) path_.pop_back();
  at_ = 0;
  deviations_ = 0;
  redundant_ = rested_ = false;
  sleepers_.clear();
  offered_.clear();
  task_ = nullptr;
  fork_ = nowhere;
  step_ = {};
  return !path_.empty();
}

bool Walk::sleeps(const void* task) const noexcept {
  return std::any_of(sleepers_.begin(), sleepers_.end(),
                     [task](const Sleeper& sleeper) { return sleeper.task == task; });
}

Walk::Fork Walk::new_fork(Choice what, std::size_t count) {
  Fork fork{0, static_cast<unsigned>(count), {}};
  if (!bounds_.reduce || what != Choice::task) return fork;
  fork.branches.resize(count);
  for (std::size_t i = 0; i < count; ++i) fork.branches[i].asleep = sleeps(offered_[i]);
  while (fork.taken < count && fork.branches[fork.taken].asleep) ++fork.taken;
  return fork;
}

// The branches that were tried at this fork before sleep from here on.
void Walk::begin_branch(std::size_t number) {
  const Fork& fork = path_[number];
  for (unsigned i = 0; i < fork.taken; ++i) {
    if (!fork.branches[i].asleep) {
      sleepers_.push_back({offered_[i], fork.branches[i].footprint});
    }
  }
  fork_ = number;
  task_ = offered_[fork.taken];
}

// A choice that does not change the order of operations is plain: a worker shows what it sent after
// each operation. A due alarm rings, if time may pass at any moment.
std::size_t Walk::choose(Choice what, std::size_t count) noexcept {
  if (what == Choice::slice || what == Choice::more || what == Choice::duration) return 0;
  if (redundant_) return 0;
  if (at_ == path_.size()) {
    Fork fork = new_fork(what, count);
    if (fork.taken == count) {  // all branches sleep
      redundant_ = true;
      return 0;
    }
    path_.push_back(std::move(fork));
  }
  const std::size_t number = at_++;
  Fork& fork = path_[number];
  if (deviations_ == bounds_.deviations) fork.count = 1;  // none of the other branches is taken
  if (fork.taken != 0) ++deviations_;
  if (!fork.branches.empty()) begin_branch(number);
  return fork.taken;
}

// The earlier action of the worker, such as making alarms ring, is a step of its own: there was
// nothing to choose.
void Walk::offers(std::span<void* const> tasks) noexcept {
  wake_sleepers();
  offered_.assign(tasks.begin(), tasks.end());
  if (tasks.size() > 1) return;
  task_ = tasks.front();
  redundant_ = redundant_ || sleeps(task_);
}

unsigned Walk::number_of(std::string_view name) {
  return names_.emplace(name, static_cast<unsigned>(names_.size())).first->second;
}

void Walk::touches(std::string_view name) noexcept {
  if (!step_.all) step_.changed.push_back(number_of(name));
}

void Walk::looks_at(std::string_view name) noexcept {
  if (!step_.all) step_.looked_at.push_back(number_of(name));
}

void Walk::rests(std::string_view agent) noexcept {
  touches(agent);
  rested_ = true;
}

void Walk::touches_all() noexcept {
  step_.all = true;
  sleepers_.clear();
}

// Wakes the sleepers that depend on the step.
void Walk::wake_sleepers() noexcept {
  std::erase_if(sleepers_, [this](const Sleeper& sleeper) {
    return sleeper.task == task_ || !sleeper.footprint.apart_from(step_);
  });
  if (fork_ != nowhere) path_[fork_].branches[path_[fork_].taken].footprint = std::move(step_);
  step_ = {};
  fork_ = nowhere;
  task_ = nullptr;
}

void Walk::step_over() noexcept {
  if (!rested_) touches_all();
  wake_sleepers();
  rested_ = false;
}

}  // namespace coracle::sim::detail
