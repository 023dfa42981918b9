// Does tasks for its master (the paper's Slave, section 2.2): derive, and define how one task is
// done. Tests: tests/control/labour_test.cpp.
#pragma once

#include "coracle/dispel/detail/labour.hpp"
#include "coracle/dispel/reqresp_agent.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::dispel {

// The behaviour of a slave whose master has ended.
enum class Orphan : std::uint8_t { waits, leaves };

// The common part of all slaves. A slave serves a single master; it refuses another one as long as
// its master lives.
class SlaveAgent : public ReqRespAgent {
 public:
  explicit SlaveAgent(Orphan orphan = Orphan::waits) : orphan_(orphan) {}

  // Serves until its master is gone, if it leaves then, or until its node stops.
  Task<> run() override { return work_as_slave(); }

 protected:
  // The body of run(), for an agent that has other roles beside this one.
  Task<> work_as_slave();
  // Called when its master is gone; the slave stops working for it after the present task.
  virtual void on_master_gone(const Name&) {}

 private:
  template <class, class>
  friend class Slave;

  virtual std::string_view takes() const noexcept = 0;
  virtual std::string_view gives() const noexcept = 0;
  // The contract of these tasks, and their number; zero for another content.
  virtual std::uint64_t contract_of(const Content& tasks, std::size_t& count) const = 0;
  // Does one of the tasks.
  virtual void do_one(const Content& tasks, std::size_t index) = 0;
  virtual Task<> do_one_slowly(const Content& tasks, std::size_t index) = 0;
  // All results since the last call, for the master.
  virtual Content take_results(const Content& tasks) = 0;

  Task<> on_hire(const Message& message, const detail::Hire& hire);
  Task<> answer_masters();
  Task<> work_on(const Message& message);
  Task<> watch_master(Name master, std::uint64_t contract);

  Orphan orphan_;
  Name master_;
  std::uint64_t contract_ = 0;
  bool leaves_ = false;  // with the present task, unless a master hires it before
  bool has_left_ = false;
  bool slow_ = false;
};

// Does tasks of type T, with results of type R.
template <class T, class R>
class Slave : public SlaveAgent {
 public:
  using SlaveAgent::SlaveAgent;

 protected:
  // Does one task. An exception ends the slave; the task is given to another one.
  virtual R work(const T&) {
    slow_ = true;
    return R{};
  }
  // The same for a slave that must wait for something; then do not override work().
  virtual Task<R> consider(const T&) { co_return R{}; }

 private:
  std::string_view takes() const noexcept override { return content_type_of<T>(); }
  std::string_view gives() const noexcept override { return content_type_of<R>(); }
  std::uint64_t contract_of(const Content& content, std::size_t& count) const final {
    const auto* tasks = content.try_as<detail::Tasks<T>>();
    if (tasks == nullptr) return 0;
    count = tasks->tasks.size();
    return tasks->contract;
  }
  void do_one(const Content& content, std::size_t index) final {
    R result = work(content.template as<detail::Tasks<T>>().tasks[index]);
    if (!slow_) results_.push_back(std::move(result));
  }
  Task<> do_one_slowly(const Content& content, std::size_t index) final {
    R result = co_await consider(content.template as<detail::Tasks<T>>().tasks[index]);
    results_.push_back(std::move(result));
  }
  Content take_results(const Content& content) final {
    const auto& tasks = content.template as<detail::Tasks<T>>();
    detail::Results<R> results;
    results.contract = tasks.contract;
    results.chunk = tasks.chunk;
    results.first = tasks.first;
    results.results = std::exchange(results_, {});
    return Content::of(std::move(results));
  }

  std::vector<R> results_;
};

}  // namespace coracle::dispel
