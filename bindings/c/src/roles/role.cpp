#include "role.hpp"

#include <algorithm>

namespace coracle::c {

namespace {

std::exception_ptr gone() {
  return std::make_exception_ptr(
      Error(Errc::stopped,
            "the agent of this role has ended, or its handle was freed; start another one"));
}

}  // namespace

Task<> Jobs::perform(What what, Operation& operation) {
  const auto job = std::make_shared<Job>(std::move(what));
  detail::SignalWait over = job->over.wait();
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || has_ended_) std::rethrow_exception(gone());
    waiting_.push_back(job);
    wake_locked();
  }
  const detail::MayBeCalledOff may(operation, [this, job] {
    finish(job, std::make_exception_ptr(
                    Error(Errc::cancelled,
                          "it was cancelled; the agent may go on with it, but nobody "
                          "learns the result")));
  });
  co_await over;
  if (job->failure) std::rethrow_exception(job->failure);
}

Task<> Jobs::serve(Agent& agent) {
  for (;;) {
    JobPtr job;
    std::optional<detail::Signal> change;
    {
      const std::lock_guard lock(mutex_);
      if (!waiting_.empty()) {
        job = std::move(waiting_.front());
        waiting_.pop_front();
        running_.push_back(job);
      } else if (is_closed_ && running_.empty()) {
        has_ended_ = true;
        co_return;
      } else {
        change = change_.emplace();
      }
    }
    if (job) {
      agent.spawn(run(agent, std::move(job)));
      continue;
    }
    detail::SignalWait changed = change->wait();
    co_await changed;
  }
}

Task<> Jobs::run(Agent& agent, JobPtr job) {
  std::exception_ptr failure;
  try {
    Task<> doing = job->what(agent);
    co_await doing;
  } catch (...) {
    failure = std::current_exception();
  }
  finish(job, std::move(failure));
  const std::lock_guard lock(mutex_);
  std::erase(running_, job);
  wake_locked();
}

void Jobs::finish(const JobPtr& job, std::exception_ptr failure) noexcept {
  const std::lock_guard lock(mutex_);
  finish_locked(*job, std::move(failure));
}

void Jobs::finish_locked(Job& job, std::exception_ptr failure) noexcept {
  if (std::exchange(job.is_over, true)) return;
  job.failure = std::move(failure);
  job.over.set();
}

void Jobs::wake_locked() noexcept {
  if (change_) std::exchange(change_, std::nullopt)->set();
}

void Jobs::close() noexcept {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  wake_locked();
}

void Jobs::end() noexcept {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  change_.reset();
  for (const JobPtr& each : waiting_) finish_locked(*each, gone());
  for (const JobPtr& each : running_) finish_locked(*each, gone());
  waiting_.clear();
  running_.clear();
}

NodePtr RoleObject::node(const std::type_info& type) const {
  if (type != type_) fail_argument("this role is of another kind, which has no such function");
  NodePtr found = node_.lock();
  if (!found) throw Error(Errc::stopped, "the node of this role was closed");
  return found;
}

}  // namespace coracle::c

using namespace coracle::c;

void coracle_role_free(coracle_role* role) {
  coracle_error_free(guarded([&] { (void)remove_handle<RoleObject>(role); }));
}
