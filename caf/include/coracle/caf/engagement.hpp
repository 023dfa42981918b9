// An award that a bidder is at work on. Contract: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/address.hpp"
#include "coracle/caf/contract.hpp"
#include "coracle/clock.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

// Copies are the same engagement. It ends when the bidder says its last word, gives it back, is
// told to stop, or has not heard of its client for the length of the lease.
class Engagement {
 public:
  // None.
  Engagement() = default;
  // `call` holds a Contract.
  Engagement(Address client, Content call, const Award& award, Time until)
      : state_(std::make_shared<State>()) {
    state_->client = client;
    state_->call = std::move(call);
    state_->award = award;
    state_->until = until;
  }

  // Whether there is one.
  explicit operator bool() const noexcept { return state_ != nullptr; }
  // Whether it holds: nobody else has these items now.
  bool holds(Time now) const noexcept { return state_->is_live && now < state_->until; }

  // For whom, what, and which part of it.
  Address client() const noexcept { return state_->client; }
  const Contract& contract() const { return state_->call.as<Contract>(); }
  Items items() const noexcept { return state_->award.items; }
  // The award's number, and what was agreed.
  AwardNumber award() const noexcept { return state_->award.award; }
  Amount price() const noexcept { return state_->award.price; }

  // Has `act` done once it ends; at once if it has ended.
  void at_end(std::function<void()> act) {
    if (state_->is_live) state_->acts.push_back(std::move(act));
    else act();
  }
  // The lease goes on until then; for whoever drives it.
  void extend(Time until) noexcept { state_->until = until; }
  // It ends; for whoever drives it.
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

// What came of the work.
struct Fulfilment {
  // Whether it is done; then `text` is the result, otherwise why not.
  bool done = true;
  std::string text;

  // It could not be done.
  static Fulfilment failed(std::string why) { return {false, std::move(why)}; }
};

}  // namespace coracle::caf
