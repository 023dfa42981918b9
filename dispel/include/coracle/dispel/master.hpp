// Divides work among slaves (the paper's Master, section 2.2): derive, and call divide(). Tests:
// dispel/tests/labour/work_board_test.cpp, tests/control/labour_test.cpp.
#pragma once

#include "coracle/dispel/detail/labour.hpp"
#include "coracle/dispel/division.hpp"
#include "coracle/dispel/reqresp_agent.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::dispel {

// The common part of all masters.
class MasterAgent : public ReqRespAgent {
 public:
  // The names of the slaves of this master; any program may make them, anywhere. They are hired at
  // the first division. A slave that dies, or comes later, is hired when it is there.
  explicit MasterAgent(std::vector<Name> slaves);
  ~MasterAgent() override;

 protected:
  // Called with the progress of the present division, whenever the progress changes.
  virtual void on_progress(std::uint64_t done, std::uint64_t all);
  // Called when a slave refuses to serve, with the reason. Its successor under that name is hired.
  virtual void on_refusal(const Name& slave, const std::string& why);
  // The number of tasks that had to be given again, because a slave was lost.
  std::uint64_t given_again() const noexcept { return given_again_; }

 private:
  template <class, class>
  friend class Master;
  struct Labour;

  virtual std::string_view task_type() const noexcept = 0;
  virtual std::string_view result_type() const noexcept = 0;
  virtual Content chunk_of(std::uint64_t contract, std::uint64_t chunk, std::uint64_t first,
                           std::uint32_t count) = 0;
  virtual void take_results(const Content& content) = 0;
  virtual void tell_in_order(std::uint64_t before) = 0;

  // The number of a slave; fails with Errc::bad_options when it is no slave of this master.
  std::uint32_t slave_called(const Name& slave) const;
  // With `only`, that slave alone gets tasks; otherwise all slaves do.
  Task<> divide_all(std::uint64_t tasks, Division how, std::optional<std::uint32_t> only = {});
  Task<> keep(std::uint32_t slave);
  Task<bool> hire(std::uint32_t slave);
  Task<> hire_again(std::uint32_t slave);
  void serves(std::uint32_t slave, Incarnation life);
  Task<> try_again(std::uint32_t slave);
  void check_slaves() const;
  Task<> change();
  Task<> give_out();
  Task<> hire_first();
  void handle(const Message& message);
  // Returns whether a chunk belongs to this division; is_first() returns whether a result is the
  // first one of its task.
  bool knows(std::uint64_t chunk) const;
  bool is_first(std::uint64_t task);
  void finish(std::uint64_t chunk);

  std::vector<Name> slaves_;
  std::unique_ptr<Labour> labour_;
  std::uint64_t given_again_ = 0;
};

// Makes slaves produce results of type R from tasks of type T.
template <class T, class R>
class Master : public MasterAgent {
 public:
  using MasterAgent::MasterAgent;

 protected:
  // Gives all tasks to slaves and returns their results in the order of the tasks. Each result
  // counts once, whichever slaves die. Only one division runs at a time. Fails with Errc::refused
  // when every slave refuses.
  Task<std::vector<R>> divide(std::vector<T> tasks, Division how = {}) {
    lay_out(std::move(tasks), how);
    co_await divide_all(tasks_.size(), how);
    std::vector<R> all;
    all.reserve(results_.size());
    for (std::optional<R>& each : results_) all.push_back(std::move(*each));
    results_.clear();
    tasks_.clear();
    co_return all;
  }
  // Makes that slave, and no other, do one task: for slaves that have different purposes. This is a
  // division of its own: if the slave dies, the next holder of its name is given the task. Fails
  // with Errc::refused when the slave refuses, with Errc::bad_options when it is no slave of this
  // master.
  Task<R> command(Name slave, T task) {
    const std::uint32_t number = slave_called(slave);
    std::vector<T> one;
    one.push_back(std::move(task));
    lay_out(std::move(one), Division{});
    co_await divide_all(1, Division{}, number);
    R result = std::move(*results_.front());
    results_.clear();
    tasks_.clear();
    co_return result;
  }
  // Called with each result.
  virtual void on_result(std::uint64_t, const R&) {}

 private:
  std::string_view task_type() const noexcept override { return content_type_of<T>(); }
  std::string_view result_type() const noexcept override { return content_type_of<R>(); }
  Content chunk_of(std::uint64_t contract, std::uint64_t chunk, std::uint64_t first,
                   std::uint32_t count) final {
    detail::Tasks<T> chunk_tasks;
    chunk_tasks.contract = contract;
    chunk_tasks.chunk = chunk;
    chunk_tasks.first = first;
    const auto begin = tasks_.begin() + static_cast<std::ptrdiff_t>(first);
    chunk_tasks.tasks.assign(begin, begin + count);
    return Content::of(std::move(chunk_tasks));
  }
  void take_results(const Content& content) final {
    const auto* results = content.try_as<detail::Results<R>>();
    if (results == nullptr || !knows(results->chunk)) return;
    for (std::size_t i = 0; i < results->results.size(); ++i) {
      const std::uint64_t task = results->first + i;
      if (task >= results_.size() || !is_first(task)) continue;
      results_[task] = results->results[i];
      if (!ordered_) on_result(task, *results_[task]);
    }
    finish(results->chunk);
  }
  void lay_out(std::vector<T> tasks, const Division& how) {
    tasks_ = std::move(tasks);
    results_.assign(tasks_.size(), std::nullopt);
    told_ = 0;
    ordered_ = how.ordered;
  }
  void tell_in_order(std::uint64_t before) final {
    for (; ordered_ && told_ < before; ++told_) on_result(told_, *results_[told_]);
  }

  std::vector<T> tasks_;
  std::vector<std::optional<R>> results_;
  std::uint64_t told_ = 0;
  bool ordered_ = false;
};

}  // namespace coracle::dispel
