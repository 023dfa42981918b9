// The reactor of a node without threads: everything that the node waits for makes one descriptor
// readable.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/reactor.hpp"
#include "coracle/support/descriptor.hpp"

#include <cstdint>
#include <memory>

namespace coracle::detail {

class DescriptorReactor final : public Reactor {
 public:
  // `inner`, the realization's own reactor or nullptr, has a descriptor. Throws Errc::unsupported
  // when it has none, and std::system_error when the system has none left.
  explicit DescriptorReactor(std::shared_ptr<Reactor> inner);

  // --- Reactor ---
  bool poll() override { return inner_ != nullptr && inner_->poll(); }
  void flush() override {
    if (inner_ != nullptr) inner_->flush();
  }
  bool settle() override { return inner_ != nullptr && inner_->settle(); }
  int descriptor() const noexcept override { return all_.get(); }
  // Does not handle what has become ready.
  void wait(Duration longest) override;
  void wake() noexcept override;

  // The worker rests: the descriptor shall be readable at `alarm`, too.
  void rest_until(Time alarm, const Clock& clock) noexcept;
  // The worker goes on. `was_woken` says that a thread has called wake(), or is about to.
  void go_on(bool was_woken) noexcept;
  // The descriptor shall be readable although the worker does not rest.
  void stay_ready() noexcept;
  // The descriptor shall not be readable any more.
  void end() noexcept;

 private:
  const std::shared_ptr<Reactor> inner_;
  const Descriptor woken_, alarm_, all_;
  std::uint64_t wakes_expected_ = 0;  // of which `woken_` does not tell yet
  Time alarm_at_ = Time::max();       // for which `alarm_` is set, by the node's clock
  Time rings_at_ = Time::max();       // the same by the machine's clock
};

}  // namespace coracle::detail
