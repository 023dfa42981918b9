// Senders that send as fast as they may, and the receiver that counts.
#pragma once

#include "harness/options.hpp"
#include "harness/players.hpp"
#include "harness/society.hpp"
#include "harness/stats.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace coracle::bench {

// What may differ from a plain flood.
struct FloodSettings {
  NodeOptions node;
  MailboxOptions mailbox;  // the receiver's
  // What each message also says; plain messages say nothing.
  enum class Extra { none, post, header, deadline } extra = Extra::none;
  // Makes further agents and returns when they are ready; each gets a farewell at the end.
  std::function<std::vector<Address>(Node&)> company;
};

// Floods once, for options.interval(0.25, 1); gives messages per second that were consumed. With
// two processes the senders are in the other one, and settings.company is not asked for any.
Run run_one_flood(const Options& options, const FloodSettings& settings = {});

}  // namespace coracle::bench
