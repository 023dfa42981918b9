// The agent through which a port's thread acts.
#pragma once

#include "coracle/detail/outside.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace coracle {

// The agent only lends its name and its mailbox, until its thread leaves or the node stops.
class Port::Body final : public Agent {
 public:
  explicit Body(std::shared_ptr<std::atomic<bool>> ended) : ended_(std::move(ended)) {}
  ~Body() override;

  Task<> run() override;
  Task<> act(const std::function<Task<>(Agent&)>& body);
  // Has a task perform `work`, beside all others.
  void begin(Task<> work);
  // Gives the message back when the agent ends, if no thread has taken the message.
  void keep(std::shared_ptr<detail::HeldMessages> message);

 private:
  Task<> count(Task<> work);

  std::shared_ptr<std::atomic<bool>> ended_;
  std::vector<std::shared_ptr<detail::HeldMessages>> kept_;
  std::size_t look_again_at_ = 16;
  int acts_ = 0;
};

}  // namespace coracle
