// The mechanics of voting (the paper's Council, section 2.3): an agent that takes motions, calls
// its peers in two steps, and decides by its charter. Tests: tests/voting/council_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/voting/election.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::caf {

// A council. An agent requests a decision by decide(), or by ask() with a Motion. The council
// refuses, with the reason, a motion that cannot be put to a vote. Several decisions may be in
// progress. Each has the electorate of its beginning; a member that joins or leaves meanwhile does
// so for the next decision.
class Council : public virtual Agent {
 public:
  // Fails with Errc::bad_options as Electorate does. The numbers of its decisions begin at a random
  // number, so that no two councils under one name use the same numbers.
  Council(Charter charter, std::vector<Member> members, Random& random = machine_random());
  ~Council() override;

  // Sends each step to `deputy` (a Deputy) before anybody else learns of it.
  Council& with_deputy(Name deputy) { return deputy_ = std::move(deputy), *this; }
  // Continues the decisions that another council of this name has left. Call it before the council
  // begins.
  Council& go_on_with(std::vector<Progress> decisions);
  // Decides who may join by a Joining; without it, nobody may. The function returns the weight of
  // the new member, or nothing to refuse it.
  using Admit = std::function<std::optional<Fraction>(const Name& who)>;
  Council& admit(Admit admit) { return admit_ = std::move(admit), *this; }

  // Makes each record contain digest_of() the record before it, so that no record can be changed or
  // left out later without a trace. This takes time.
  Council& chain_records() { return chains_ = true, *this; }

  // Makes the council end after it has announced `decisions` decisions. By default it never ends by
  // itself.
  Council& adjourn_after(std::uint64_t decisions) { return left_to_decide_ = decisions, *this; }

  // Decides until the council adjourns, or until its node stops.
  Task<> run() override;

 protected:
  // Called with each record when its decision is made.
  virtual void on_record(const Record& record);

 private:
  struct OpenMotion;
  struct Seats;    // an electorate, and its members' addresses
  struct Vacancy;  // the presence of the members
  using Cases = std::unordered_map<DecisionId, std::unique_ptr<OpenMotion>>;

  void resume(Progress&& left);
  Time next_deadline() const noexcept;
  Task<> handle(Message& message);
  Task<> on_motion(Message message, const Motion& motion);
  Task<> on_joining(const Message& message, const Joining& joining);
  Task<> on_record_request(const Message& message, DecisionId id);
  template <class Said, class Take>
  Task<> on_answer(const Message& message, const Said& said, std::string_view what, Take take);
  Task<> refuse_with(const Message& message, OpenMotion* one, Refusal refusal);
  Task<> refuse_other(const Message& message);
  Task<> on_time();
  Task<> advance(OpenMotion& one);
  Task<> conclude(OpenMotion& one);
  Task<> send_to_all(OpenMotion& one, Content content);
  Task<> look_for(const Electorate& members);
  void on_ending(const Ending& ending);
  Task<> nudge();
  Task<> on_endings();
  void give_up_vacant(OpenMotion& one);
  void watch_less();
  Task<> tell_deputy(OpenMotion& one);
  Task<> answer(const Message& message, Content content);
  std::string fault_of_motion(const Motion& motion) const;
  std::string fault_of_seats(const Electorate& members) const;
  OpenMotion& begin(const Motion& motion, const Name& asker);
  OpenMotion* earlier(const Motion& motion, const Name& asker);
  std::shared_ptr<const Seats> seats();
  void count_missed(const OpenMotion& one);
  void forget_old();

  std::shared_ptr<const Charter> charter_;
  std::vector<Member> members_;
  std::shared_ptr<const Seats> seats_;  // of members_; nullptr when members_ has changed
  Random& random_;
  Name deputy_;
  bool chains_ = false;
  Admit admit_;
  DecisionId next_id_;
  Time present_;  // the time at which the present messages were read
  std::vector<Progress> left_;
  Cases cases_;
  std::vector<DecisionId> open_;
  std::deque<DecisionId> closed_;
  std::map<std::pair<std::string, std::uint64_t>, DecisionId> by_key_;
  std::unique_ptr<Vacancy> vacancy_;
  std::unordered_map<Name, std::uint32_t> missed_;
  std::string previous_;
  std::uint64_t left_to_decide_ = UINT64_MAX;
};

// Sends `motion` to `council` and returns the decision. When the council ends before it has
// replied, the function sends the motion again to the same name, which the council's deputy or a
// restarted council takes over. Fails as Agent::ask() does: with Errc::refused and the reason for a
// motion that cannot be put to a vote.
Task<Decision> decide(Agent& self, Name council, Motion motion,
                      Deadline deadline = Deadline::never());

}  // namespace coracle::caf
