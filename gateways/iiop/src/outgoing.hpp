// A letter on its way to a platform: an errand of a thread that may block, for which a coroutine
// waits.
// Tests: gateways/iiop/tests/transport_test.cpp
#pragma once

#include "address.hpp"
#include "coracle/fipa/letter.hpp"
#include "coracle/support/signal.hpp"
#include "errands.hpp"
#include "orb.hpp"

#include <memory>
#include <optional>

namespace coracle::fipa {

class Outgoing final : public Errand {
 public:
  // On a worker, for a coroutine of which outcome() is awaited. `orb` outlives the errand.
  Outgoing(Orb& orb, const IiopAddress& address, std::shared_ptr<const Letter> letter,
           bool awaits_answer);

  std::unique_ptr<Error> run() noexcept override;
  void fail(const Error& error) noexcept override;

  detail::SignalWait arrival() const noexcept { return arrival_.wait(); }
  const std::optional<Error>& failure() const noexcept { return failure_; }

 private:
  void call();

  Orb& orb_;
  const std::string place_, reference_;
  const std::shared_ptr<const Letter> letter_;
  const bool awaits_answer_;
  const detail::Signal arrival_;
  std::optional<Error> failure_;
};

}  // namespace coracle::fipa
