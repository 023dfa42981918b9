// Roles by which the program acts: it gives the role's agent jobs, which are operations.
#pragma once

#include "agents/acting.hpp"
#include "ports/operation.hpp"

#include "coracle/support/signal.hpp"

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace coracle::c {

// The jobs of one agent. Shared by the agent and by the role's handle.
class Jobs {
 public:
  using What = std::function<Task<>(Agent&)>;

  // On any worker: lets the agent do a job, and waits until it is done. When the operation is
  // called off, it does not wait any longer. Fails as the job does.
  Task<> perform(What what, Operation& operation);
  // The agent: does the jobs that come, until close() and the last of them. Each is a task of its
  // own.
  Task<> serve(Agent& agent);
  // No more jobs come.
  void close() noexcept;
  // The agent has ended: the jobs that are left have failed.
  void end() noexcept;

 private:
  struct Job {
    explicit Job(What todo) : what(std::move(todo)) {}
    What what;
    const detail::Signal over;
    std::exception_ptr failure;  // set before it is over
    bool is_over = false;
  };
  using JobPtr = std::shared_ptr<Job>;

  Task<> run(Agent& agent, JobPtr job);
  void finish(const JobPtr& job, std::exception_ptr failure) noexcept;
  void finish_locked(Job& job, std::exception_ptr failure) noexcept;
  void wake_locked() noexcept;

  std::mutex mutex_;  // guards what follows, and the jobs
  std::deque<JobPtr> waiting_;
  std::vector<JobPtr> running_;
  std::optional<detail::Signal> change_;  // that serve() waits for
  bool is_closed_ = false;
  bool has_ended_ = false;
};
using JobsPtr = std::shared_ptr<Jobs>;

// The agent's side: ends the jobs with the agent.
class OwnJobs {
 public:
  OwnJobs() = default;
  OwnJobs(const OwnJobs&) = delete;
  ~OwnJobs() { jobs_->end(); }
  const JobsPtr& shared() const noexcept { return jobs_; }
  Task<> serve(Agent& agent) { return jobs_->serve(agent); }

 private:
  const JobsPtr jobs_ = std::make_shared<Jobs>();
};

class RoleObject final : public Named {
 public:
  using C = coracle_role;
  static constexpr Kind kind = Kind::role;
  static constexpr const char* words = "role";

  RoleObject(const NodePtr& whose, JobsPtr of, const std::type_info& type)
      : node_(whose), jobs(std::move(of)), type_(type) {}
  ~RoleObject() override { jobs->close(); }

  // Returns the node; fails unless the role is one of that type, and the node is there.
  NodePtr node(const std::type_info& type) const;

 private:
  const std::weak_ptr<NodeObject> node_;

 public:
  const JobsPtr jobs;

 private:
  const std::type_info& type_;
};

// Starts an agent of type T, which has a function jobs(), and returns the handle of its role.
template <class T>
coracle_role* start_role(coracle_node* node, const coracle_agent_options* options,
                         std::unique_ptr<T> agent) {
  const NodePtr whose = object_of<NodeObject>(node);
  const JobsPtr jobs = agent->jobs();
  whose->node->adopt(spec_of(options), std::move(agent));
  return new_handle(std::make_shared<RoleObject>(whose, jobs, typeid(T)));
}

// Lets a role of type T do `what`, a function of T& that gives the task of a result, or of nothing.
template <class T, class What>
void act(coracle_role* role, coracle_result** out, const coracle_begin* begin, What what) {
  const auto object = object_of<RoleObject>(role);
  const NodePtr node = object->node(typeid(T));
  const Operation::Work work = [jobs = object->jobs, what = std::move(what)](
                                   Agent*, Operation& self) -> Task<> {
    const auto result = std::make_shared<std::shared_ptr<ResultObject>>();
    const Jobs::What job = [what, result](Agent& agent) -> Task<> {
      auto doing = what(dynamic_cast<T&>(agent));
      *result = co_await doing;
    };
    Task<> performing = jobs->perform(job, self);
    co_await performing;
    self.result = *result;
  };
  const auto done = operate(node, begin, out, work);
  if (done && out != nullptr) *out = done->take_result();
}

}  // namespace coracle::c
