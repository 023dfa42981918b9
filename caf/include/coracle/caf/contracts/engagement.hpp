// An award that a bidder works on. Tests: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/address.hpp"
#include "coracle/caf/contracts/contract.hpp"
#include "coracle/clock.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

// Copies are the same engagement. An engagement ends when the bidder sends its last report, gives
// the award back, receives a termination, or has received nothing from its client for the length of
// the lease.
class Engagement {
 public:
  // No engagement.
  Engagement() = default;
  // Creates an engagement; `call` holds a Contract.
  Engagement(Address client, Content call, const Award& award, Time until)
      : state_(std::make_shared<State>()) {
    state_->client = client;
    state_->call = std::move(call);
    state_->award = award;
    state_->until = until;
  }

  // True if there is an engagement.
  explicit operator bool() const noexcept { return state_ != nullptr; }
  // Returns whether the engagement holds: no other bidder has these items now.
  bool holds(Time now) const noexcept { return state_->is_live && now < state_->until; }

  // The client, the contract, and the awarded items of the contract.
  Address client() const noexcept { return state_->client; }
  const Contract& contract() const { return state_->call.as<Contract>(); }
  Items items() const noexcept { return state_->award.items; }
  // The award's number, and the agreed price.
  AwardNumber award() const noexcept { return state_->award.award; }
  Amount price() const noexcept { return state_->award.price; }

  // Runs `act` when the engagement ends; at once if it has ended.
  void at_end(std::function<void()> act) {
    if (state_->is_live) state_->acts.push_back(std::move(act));
    else act();
  }
  // Extends the lease to `until`; for the driver of the engagement.
  void extend(Time until) noexcept { state_->until = until; }
  // Ends the engagement; for its driver.
  void end() {
    state_->is_live = false;
    for (const auto& act : std::exchange(state_->acts, {})) act();
  }

 private:
  struct State {
    Address client;
    Content call;
    Award award;
    Time until;
    bool is_live = true;
    std::vector<std::function<void()>> acts;
  };

  std::shared_ptr<State> state_;
};

// The result of the work.
struct Fulfilment {
  // True if the work is done. `text` is then the result, otherwise the reason of the failure.
  bool done = true;
  std::string text;

  // The result of work that could not be done.
  static Fulfilment failed(std::string why) { return {false, std::move(why)}; }
};

}  // namespace coracle::caf
