// One decision as a state machine: what peers say and the time go in, what to ask next and at last
// a Decision with its Record come out. It sends nothing and knows no clock; Council drives it.
// Contract: caf/tests/election_test.cpp.
#pragma once

#include "coracle/caf/record.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// Where a decision stands.
enum class Phase : std::uint8_t {
  proposing,   // members offer alternatives
  committing,  // members commit to a vote
  voting,      // members vote, or open what they have committed to
  closed,
};

// What became of something that a member sent.
struct Answer {
  // `repeated`: it was known already; `replaced`: it takes the place of an earlier one.
  enum class Kind : std::uint8_t { counted, repeated, replaced, refused };

  // What kind of answer it is.
  Kind kind = Kind::counted;
  // Why it was refused, for the one who sent it.
  std::string reason;
};

// All that another council needs to go on with a decision.
struct Progress {
  static constexpr std::string_view content_type = "coracle/caf/progress/v2";

  // How far the decision has come, and what is to be done next.
  Record record;
  Phase phase = Phase::proposing;
  bool call_peers = true;
  // Who asked, and with which key.
  std::string asker;
  std::uint64_t key = 0;
  // Whether its result was made known.
  bool announced = false;
};

// A decision under way.
class Election {
 public:
  // Begins: with proposals, or with the vote when the motion brings its alternatives.
  Election(std::shared_ptr<const Charter> charter, std::shared_ptr<const Electorate> electorate,
           Progress beginning, std::vector<std::string> alternatives, Time now);
  // Begins the phase anew that a council was in which is no more. Its members give the same answers
  // again.
  Election(std::shared_ptr<const Charter> charter, Progress so_far, Time now);

  // How far it has come.
  Phase phase() const noexcept { return progress_.phase; }
  // Counts the votes of this decision.
  std::uint32_t round() const noexcept {
    return static_cast<std::uint32_t>(progress_.record.polls.size());
  }
  // When the phase ends at the latest.
  Time deadline() const noexcept { return deadline_; }
  // How often a phase has begun: a driver that sees it change has something to send.
  std::uint32_t steps() const noexcept { return steps_; }
  // The alternatives of the present vote.
  std::vector<std::string> agenda() const;
  const Electorate& electorate() const noexcept { return *progress_.record.roll; }
  const Charter& charter() const noexcept { return *charter_; }
  // What has been so far; complete when it is closed.
  const Record& record() const noexcept { return progress_.record; }
  const Progress& progress() const noexcept { return progress_; }
  // Links the record to the one before it.
  void follow(std::string previous) { progress_.record.previous = std::move(previous); }
  // Its result has been made known.
  void announced() noexcept { progress_.announced = true; }

  // Whether a member has cast a ballot in the last vote.
  bool has_voted(std::uint32_t member) const noexcept {
    return member < ballot_of_.size() && ballot_of_[member] != anonymous;
  }

  // A member offers alternatives.
  Answer propose(std::uint32_t member, const std::vector<std::string>& alternatives, Time now);
  // A member commits to a vote.
  Answer commit(std::uint32_t member, const Commitment& commitment, Time now);
  // A member votes.
  Answer vote(std::uint32_t member, const Vote& vote, Time now);
  // Something has no effect for a reason that the driver knows: it comes from a stranger.
  Answer refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  // A member cannot be reached: it is not waited for in this phase.
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
  std::vector<bool> done_;                        // who is not waited for in this phase
  std::uint32_t waiting_ = 0;                     // how many are
  std::vector<std::vector<std::string>> offers_;  // of each member
  std::vector<bool> offered_;
  std::uint32_t offering_ = 0;
  Fraction offering_weight_;
  std::vector<std::uint32_t> ballot_of_;      // of each member, in the present poll
  std::vector<std::uint32_t> commitment_of_;  // likewise
};

}  // namespace coracle::caf
