// The mechanics of voting (the paper's Council, section 2.3): an agent that takes motions, asks its
// peers in two steps, and decides by its charter. Contract: tests/voting/council_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/election.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::caf {

// A council. Anybody asks it by decide(), or by ask() with a Motion; it refuses motions that cannot
// be put to a vote, with the reason. Several decisions may be under way; each has the electorate of
// its beginning, and who joins or leaves meanwhile does so for the next one.
class Council : public virtual Agent {
 public:
  // Fails with Errc::bad_options as Electorate does. The numbers of its decisions begin at a random
  // one, so that no two councils under one name have the same.
  Council(Charter charter, std::vector<Member> members, Random& random = machine_random());
  ~Council() override;

  // Tells `deputy` (a Deputy) of each step before anybody else learns of it.
  Council& with_deputy(Name deputy) { return deputy_ = std::move(deputy), *this; }
  // Goes on with what another council of this name has left. Before it begins.
  Council& go_on_with(std::vector<Progress> decisions);
  // Who may join by a Joining; otherwise nobody. Gives the weight, or nothing to refuse.
  using Admit = std::function<std::optional<Fraction>(const Name& who)>;
  Council& admit(Admit admit) { return admit_ = std::move(admit), *this; }

  // Has each record say digest_of() the one before it, so that none can be changed or left out
  // later without a trace. It takes time.
  Council& chain_records() { return chains_ = true, *this; }

  // It ends when that many decisions were made known; otherwise never by itself.
  Council& adjourn_after(std::uint64_t decisions) { return left_to_decide_ = decisions, *this; }

  // Decides until then, or until its node stops.
  Task<> run() override;

 protected:
  // Told of each record when its decision is made.
  virtual void on_record(const Record& record);

 private:
  struct Case;
  struct Seats;    // an electorate, and where its members are reached
  struct Vacancy;  // which members are there
  using Cases = std::unordered_map<DecisionId, std::unique_ptr<Case>>;

  void resume(Progress&& left);
  Time next_deadline() const noexcept;
  Task<> handle(Message& message);
  Task<> on_motion(Message message, const Motion& motion);
  Task<> on_joining(const Message& message, const Joining& joining);
  Task<> on_record_request(const Message& message, DecisionId id);
  template <class Said, class Take>
  Task<> on_answer(const Message& message, const Said& said, std::string_view what, Take take);
  Task<> refuse_with(const Message& message, Case* one, Refusal refusal);
  Task<> refuse_other(const Message& message);
  Task<> on_time();
  Task<> advance(Case& one);
  Task<> conclude(Case& one);
  Task<> send_to_all(Case& one, Content content);
  Task<> look_for(const Electorate& members);
  void on_ending(const Ending& ending);
  Task<> nudge();
  Task<> on_endings();
  void give_up_vacant(Case& one);
  void watch_less();
  Task<> tell_deputy(Case& one);
  Task<> answer(const Message& message, Content content);
  std::string fault_of_motion(const Motion& motion) const;
  std::string fault_of_seats(const Electorate& members) const;
  Case& begin(const Motion& motion, const Name& asker);
  Case* earlier(const Motion& motion, const Name& asker);
  std::shared_ptr<const Seats> seats();
  void count_missed(const Case& one);
  void forget_old();

  std::shared_ptr<const Charter> charter_;
  std::vector<Member> members_;
  std::shared_ptr<const Seats> seats_;  // of members_; nullptr when those have changed
  Random& random_;
  Name deputy_;
  bool chains_ = false;
  Admit admit_;
  DecisionId next_id_;
  Time present_;  // when the messages that are handled now were read
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

// Asks `council` and gives its decision. When the council ends before it has answered, asks again
// under the same name, where its deputy or a restarted one takes over. Fails as Agent::ask() does:
// with Errc::refused and the reason for a motion that cannot be put to a vote.
Task<Decision> decide(Agent& self, Name council, Motion motion,
                      Deadline deadline = Deadline::never());

}  // namespace coracle::caf
