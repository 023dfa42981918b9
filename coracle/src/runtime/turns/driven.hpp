// A node without threads. Its driver has the node's workers and computations do one thing after
// another. A thread that makes a blocking call runs the driver until that call is done.
#pragma once

#include "coracle/driver.hpp"
#include "coracle/task.hpp"

#include <memory>

namespace coracle::detail {

class NodeCore;
class Worker;

class DrivenNode final : public Driven {
 public:
  // Gives the node to its driver; fails as Driver::drive() does.
  DrivenNode(NodeCore& node, std::shared_ptr<Driver> driver);
  ~DrivenNode();

  unsigned parts() const noexcept override;
  bool ready(unsigned part) override;
  Time alarm(unsigned part) override;
  void add_ready(std::vector<unsigned>& numbers) override;
  bool only_renews() override;
  void step(unsigned part) override;
  std::string waits() override;

  Driver& driver() noexcept { return *driver_; }
  // Runs a coroutine on `worker` until it has ended, and throws the exception that left it.
  void call(Worker& worker, const std::function<Task<>()>& body);
  // Performs the requested work that takes no time; then the driver has nothing to do with the
  // node.
  void finish() noexcept;

 private:
  NodeCore& node_;
  const std::shared_ptr<Driver> driver_;
  bool finished_ = false;
};

}  // namespace coracle::detail
