// The facts that the parts of the model share: the messages of a trace, and the order of events.
// Private to the model.
#pragma once

#include "model.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::conformance {

// The position of a line: its log and its line number.
struct Place {
  std::size_t life = 0;
  std::size_t line = 0;
};

// One message, as its sender described it.
struct Sent {
  Place at;              // of `sending`
  const Event* event{};  // that line
  bool accepted = false;
  Errc failed{};                         // the reason why it was not accepted
  std::optional<std::size_t> returned;   // line at which the send had returned
  std::set<std::string> members;         // of a group: the targets that its receipt names
  std::map<std::string, Outcome> ended;  // by target, as its receipt reports

  // Returns whether the log lacks the end of the send: the sender was cut off in the middle.
  bool uncertain() const { return !accepted && failed == Errc{}; }
};

// Everything that the model looks up about a trace.
class Facts {
 public:
  Facts(const Trace& trace, std::vector<Breach>& breaches);

  const Trace& trace;
  std::map<MessageId, Sent> sent;

  const Event& at(Place place) const { return trace.logs[place.life].events[place.line]; }
  // Returns whether line `a` happened before line `b`, by order in a log and by messages.
  bool before(Place a, Place b) const;
  // Returns whether `reader` may read a message to `target`: it is the target, or the target's
  // mailbox redirects to it.
  bool leads_to(const std::string& target, const std::string& reader) const;
  // Returns whether `message` was sent to `reader`: directly, as a member, or by redirection.
  bool is_for(const Sent& message, const std::string& reader) const;
  // Returns whether the send of `a` had certainly returned before the same sender began to send
  // `b`. Several tasks of an agent may be sending at once.
  bool sent_before(const Sent& a, const Sent& b) const {
    return a.at.life == b.at.life && a.returned && *a.returned < b.at.line;
  }
  // Returns whether `message` matches a read of `wanted`.
  bool fits(const Wanted& wanted, const Event& message, const std::string& sender) const;
  // The incarnations of a name, in order.
  std::vector<std::size_t> lives_of(const std::string& name) const;

  void breach(int promise, std::string what) { breaches_.push_back({promise, std::move(what)}); }

 private:
  void note(Place place, const Event& event);
  void order_events();
  // The line in another log that must come before `place`, if there is one.
  std::optional<Place> cause_of(Place place) const;

  std::vector<Breach>& breaches_;
  std::map<std::size_t, Place> made_;
  // For each line of each log: the number of lines of every log that happened before it, or are the
  // line itself.
  std::vector<std::vector<std::vector<std::uint32_t>>> clocks_;
};

// "message 5 (ann to bob)"
std::string shown(const Facts& facts, MessageId id);

void judge_reads(Facts& facts);     // promises 2, 3, 5, 6: right receiver, order, duplicates
void judge_outcomes(Facts& facts);  // promises 3, 9: losses, receipts, dead letters
void judge_ledger(Facts& facts);    // promise 3
void judge_taps(Facts& facts);      // promise 7
void judge_liveness(Facts& facts);  // promises 3, 9: everything ends in time
void judge_endings(Facts& facts);   // promises 1, 6, 9: requests, fencing, groups

}  // namespace coracle::conformance
