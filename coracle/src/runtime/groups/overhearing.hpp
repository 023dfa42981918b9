// The taps that one worker knows. It matches the messages of its agents when they are accepted, and
// sends copies to the eavesdroppers.
#pragma once

#include "interested.hpp"
#include "patterns/pattern_index.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

class Overhearing {
 public:
  Overhearing(Worker& worker, Matching matching)
      : registered(matching), worker_(worker), patterns_(matching) {}

  // `told` is the number by which the eavesdropper knows the tap.
  void add(std::uint64_t id, Mailbox& eavesdropper, const Pattern& pattern, std::uint64_t told);
  void remove(std::uint64_t id);
  bool anybody_hears() const noexcept { return !eavesdroppers_.empty(); }
  // Returns the taps that select a message.
  const std::vector<std::uint64_t>& who_hears(const Mailbox& source, const MessageRecord& record);
  // Sends copies of a message that goes to nobody to its eavesdroppers.
  void let_overhear(Mailbox& source, MessageRecord& record);
  void send_copies(const MessageRecord& original, const std::vector<std::uint64_t>& taps);
  // Brings a copy to its eavesdropper, or counts it as missed.
  void route(MessageRecord* copy) noexcept;

  // --- at the eavesdropper's worker ---
  void deliver(Mailbox& eavesdropper, MessageRecord* copy) noexcept;
  // A copy has left the queue, so that there may be room for a gap.
  void left_queue(Mailbox& eavesdropper, const MessageRecord& copy) noexcept;
  // Sends the gaps to an eavesdropper on another node.
  void tell_gaps(Mailbox& eavesdropper) noexcept;

  // Copies are missing, and their number is not known.
  void report_unknown_gap(Mailbox& eavesdropper, std::uint64_t tap);
  // Returns whether eavesdroppers on other workers miss copies, and have not been notified.
  bool has_gaps() const noexcept { return !gaps_.empty(); }
  void send_pending_gaps() noexcept;

  RegisteredPatterns registered;  // for broadcasts

 private:
  void miss(MessageRecord* copy) noexcept;
  void send_away(Mailbox& eavesdropper, MessageRecord* copy) noexcept;
  void put_gap(Mailbox& eavesdropper, TapState& tap) noexcept;

  Worker& worker_;
  PatternIndex patterns_;
  std::unordered_map<std::uint64_t, Eavesdropper> eavesdroppers_;
  // The copies missed on this side, by the eavesdropper's number of the tap, and the eavesdropper.
  std::map<std::pair<std::uint64_t, Mailbox*>, std::uint64_t> gaps_;
};

// Returns a message that says how many copies a tap has missed.
MessageRecord* gap_marker(Mailbox& eavesdropper, std::uint64_t tap, std::uint64_t missed);

}  // namespace coracle::detail
