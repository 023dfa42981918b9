// The taps that one worker knows. It matches the messages of its agents when they are accepted, and
// sends copies to the eavesdroppers.
#pragma once

#include "interested.hpp"
#include "noticing.hpp"
#include "patterns/pattern_index.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "tap_rate.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

// The taps that select a message, while it is sent.
struct ChosenTaps {
  std::vector<std::uint64_t> copied;  // these get a copy
  std::vector<std::uint64_t> beyond;  // for these, a copy would be beyond their rate
  std::vector<NoticedTap> noticed;    // these get notices, for an earlier or a new copy
  bool wants_notices = false;         // one of those that get a copy does, or get notices
};

class Overhearing {
 public:
  Overhearing(Worker& worker, Matching matching);

  // `told` is the number by which the eavesdropper knows the tap.
  void add(std::uint64_t id, Mailbox& eavesdropper, const Pattern& pattern, std::uint64_t told,
           const TapOptions& options);
  void remove(std::uint64_t id);
  bool anybody_hears() const noexcept { return !eavesdroppers_.empty(); }
  // Returns the taps that select a message.
  const std::vector<std::uint64_t>& who_hears(const Mailbox& source, const MessageRecord& record);
  // Decides which of the taps that select a message get a copy, before it is sent: nothing of it is
  // copied for a tap whose rate is used up.
  ChosenTaps choose(const MessageRecord& record, const std::vector<std::uint64_t>& hearing);
  // The message was accepted. Sends the copies of `original` (nullptr: there are none to send), and
  // adds the taps to those that have met the message.
  void send_copies(ChosenTaps& chosen, const MessageRecord* original, const OverheardBy& met);
  // Keeps the memory of `chosen` for the next message.
  void reuse(ChosenTaps&& chosen) noexcept { spare_ = std::move(chosen); }
  // Sends copies of a message that goes to nobody to its eavesdroppers.
  void let_overhear(Mailbox& source, MessageRecord& record);
  // Completes a notice for a tap of this worker, and sends it.
  void send_notice(std::uint64_t id, MessageRecord* notice);
  // The worker follows too many messages to send notices of this one.
  void miss_notices(const ChosenTaps& chosen);
  // Sends the gaps of the taps whose rate was exceeded.
  void send_rate_gaps() noexcept;
  const OpenCount& followed() const noexcept { return followed_; }
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
  struct OneTap : Eavesdropper {
    TapRate rate;
    bool wants_notices = false;
  };
  // Rings when gaps are due of the taps whose rate was exceeded.
  struct RateGaps final : TimerNode {
    explicit RateGaps(Overhearing& whose) noexcept : TimerNode(&on_time), overhearing(whose) {}
    static void on_time(TimerNode& timer) noexcept;
    Overhearing& overhearing;
  };

  bool send_copy(const MessageRecord& original, const OneTap& tap);
  void miss_by_rate(OneTap& tap);
  void send_rate_gap(OneTap& tap);
  void miss(MessageRecord* copy) noexcept;
  void send_away(Mailbox& eavesdropper, MessageRecord* copy) noexcept;
  void put_gap(Mailbox& eavesdropper, TapState& tap, GapReason reason) noexcept;

  Worker& worker_;
  PatternIndex patterns_;
  std::unordered_map<std::uint64_t, OneTap> eavesdroppers_;
  // The copies missed on this side, by the eavesdropper's number of the tap, and the eavesdropper.
  std::map<std::pair<std::uint64_t, Mailbox*>, Missed> gaps_;
  RateGaps rate_gaps_;
  const OpenCount followed_ = std::make_shared<std::atomic<std::uint32_t>>(0);
  ChosenTaps spare_;
};

// Returns a message that says how many copies, or notices, a tap has missed.
MessageRecord* gap_marker(Mailbox& eavesdropper, std::uint64_t tap, std::uint64_t missed,
                          GapReason reason = GapReason::mailbox);

}  // namespace coracle::detail
