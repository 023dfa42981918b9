// One decision as a state machine. Its inputs are messages of peers and the time; its outputs are
// the next requests to peers and finally a Decision with its Record. It sends nothing and has no
// clock; Council drives it. Tests: caf/tests/voting/election_test.cpp.
#pragma once

#include "coracle/caf/voting/record.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The phase of a decision.
enum class Phase : std::uint8_t {
  proposing,   // members offer alternatives
  committing,  // members commit to a vote
  voting,      // members vote, or open the votes they have committed to
  closed,
};

// The treatment of a message that a member sent.
struct Answer {
  // `repeated`: the same message came before; `replaced`: the message replaces an earlier one.
  enum class Kind : std::uint8_t { counted, repeated, replaced, refused };

  // The kind of treatment.
  Kind kind = Kind::counted;
  // The reason of a refusal, for the sender.
  std::string reason;
};

// Everything that another council needs to continue a decision.
struct Progress {
  static constexpr std::string_view content_type = "coracle/caf/progress/v2";

  // The record so far, the present phase, and whether peers are called for alternatives.
  Record record;
  Phase phase = Phase::proposing;
  bool call_peers = true;
  // The agent that sent the motion, and the motion's key.
  std::string asker;
  std::uint64_t key = 0;
  // True if the result has been announced.
  bool announced = false;
};

// A decision in progress.
class Election {
 public:
  // Begins a decision: with proposals, or with the vote when the motion contains its alternatives.
  Election(std::shared_ptr<const Charter> charter, std::shared_ptr<const Electorate> electorate,
           Progress beginning, std::vector<std::string> alternatives, Time now);
  // Begins again the phase in which a council ended. The members send the same replies again.
  Election(std::shared_ptr<const Charter> charter, Progress so_far, Time now);

  // The present phase.
  Phase phase() const noexcept { return progress_.phase; }
  // The number of votes of this decision so far.
  std::uint32_t round() const noexcept {
    return static_cast<std::uint32_t>(progress_.record.polls.size());
  }
  // The time at which the phase ends at the latest.
  Time deadline() const noexcept { return deadline_; }
  // The number of phases begun so far. A driver for which the number changes has something to send.
  std::uint32_t steps() const noexcept { return steps_; }
  // The alternatives of the present vote.
  std::vector<std::string> agenda() const;
  const Electorate& electorate() const noexcept { return *progress_.record.roll; }
  const Charter& charter() const noexcept { return *charter_; }
  // The record so far; complete when the decision is closed.
  const Record& record() const noexcept { return progress_.record; }
  const Progress& progress() const noexcept { return progress_; }
  // Links the record to the record before it.
  void follow(std::string previous) { progress_.record.previous = std::move(previous); }
  // Notes that the result has been announced.
  void announced() noexcept { progress_.announced = true; }

  // Returns whether a member has cast a ballot in the last vote.
  bool has_voted(std::uint32_t member) const noexcept {
    return member < ballot_of_.size() && ballot_of_[member] != anonymous;
  }

  // Handles the alternatives of a member.
  Answer propose(std::uint32_t member, const std::vector<std::string>& alternatives, Time now);
  // Handles a member's commitment to a vote.
  Answer commit(std::uint32_t member, const Commitment& commitment, Time now);
  // Handles the vote of a member.
  Answer vote(std::uint32_t member, const Vote& vote, Time now);
  // Notes a message that has no effect for a reason that the driver knows: it comes from a
  // stranger.
  Answer refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  // Notes that a member cannot be reached; this phase does not wait for it.
  void give_up(std::uint32_t member, std::string_view why, Time now);
  // Ends the phase if its deadline has passed.
  void on_time(Time now);

 private:
  Answer refuse(std::uint32_t member, std::string_view what, std::string reason, Time now);
  void note(std::string_view who, std::string_view what, std::string reason, Time now);
  std::string fault_of_vote(std::uint32_t member, const Vote& vote) const;
  Answer repeat(std::uint32_t member, const Vote& vote, Time now);
  void heard_from(std::uint32_t member, Time now);
  void begin_phase(Phase phase, Time now);
  void begin_poll(std::vector<std::uint32_t> agenda, Time now);
  void end_phase(Time now);
  void end_proposals(Time now);
  void end_voting(Time now);
  void seal_poll();
  void close(Decision decision, Time now);
  Poll& poll() noexcept { return progress_.record.polls.back(); }
  const Poll& poll() const noexcept { return progress_.record.polls.back(); }

  std::shared_ptr<const Charter> charter_;
  Progress progress_;
  Time begin_;
  Time deadline_ = Time::max();
  std::uint32_t steps_ = 0;
  std::vector<bool> done_;                        // the members that this phase does not wait for
  std::uint32_t waiting_ = 0;                     // the number of members that this phase waits for
  std::vector<std::vector<std::string>> offers_;  // of each member
  std::vector<bool> offered_;
  std::uint32_t offering_ = 0;
  Fraction offering_weight_;
  std::vector<std::uint32_t> ballot_of_;      // for each member, in the present poll
  std::vector<std::uint32_t> commitment_of_;  // likewise, for commitments
};

}  // namespace coracle::caf
