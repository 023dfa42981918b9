// Senders that send as fast as they may, and the receiver that counts.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/run/measured_society.hpp"
#include "harness/run/options.hpp"
#include "players.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace coracle::bench {

// The differences from a plain flood.
struct FloodSettings {
  NodeOptions node;
  MailboxOptions mailbox;  // the receiver's
  // The addition to each message; plain messages have none.
  enum class Extra { none, post, header, deadline } extra = Extra::none;
  // Makes further agents and returns when they are ready; each gets a farewell at the end.
  std::function<std::vector<Address>(Node&)> company;
};

// Floods once, for options.interval(0.25, 1); returns the messages per second that were consumed.
// With two processes the senders are in the other one, and settings.company is not called.
Run run_one_flood(const Options& options, const FloodSettings& settings = {});

}  // namespace coracle::bench
