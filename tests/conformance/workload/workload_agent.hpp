// The agents of a generated workload. Each agent writes down what it does; nothing else writes.
// Private to the workload.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/agent_spec.hpp"
#include "coracle/node.hpp"
#include "coracle/receipt.hpp"
#include "workload.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::conformance {

// The logs to which all agents of a run write. Every thread may use it; a log belongs to one agent.
class Recorder {
 public:
  // The driver waits `patience` for each round of a player.
  Recorder(const Plan& plan, Duration patience) : plan_(plan), patience_(patience) {}

  // Opens the log of another incarnation of a name.
  std::size_t open(std::string agent);
  Log& log(std::size_t life);
  // Another incarnation takes the name over. Until this incarnation learns of the takeover, its
  // acknowledgements may have no effect, even if it crashes first.
  void fence(std::size_t life);
  // Keeps the receipt of `id` until the end.
  void keep(std::size_t life, MessageId id, Receipt receipt);
  // The logs, with the outcomes that the receipts report, once all agents have ended.
  std::vector<Log> finish();
  const Plan& plan() const noexcept { return plan_; }
  // Adds a node of the society, before its agents begin.
  void add_place(Node& node) { places_.push_back(&node); }
  // The nodes; nullptr for a node that has lost its power.
  const std::vector<Node*>& places() const noexcept { return places_; }
  // The incarnation `life` begins on the node `where`.
  void place(std::size_t life, std::size_t where);
  // A node has lost its power and its incarnations have ended; or it has begun a new incarnation.
  void lose(std::size_t where);
  void begin_again(std::size_t where, Node& node) { places_[where] = &node; }
  bool is_lost(std::size_t life) const { return cuts_.contains(life); }
  // Returns whether nodes may lose their power.
  bool may_lose() const noexcept { return may_lose_; }
  void expect_losses() noexcept { may_lose_ = true; }
  Duration patience() const noexcept { return patience_; }
  // The driver has ended, except for work that its node still has to do.
  void end_play() noexcept { is_over_.store(true); }
  bool is_over() const noexcept { return is_over_.load(); }

 private:
  struct Kept {
    std::size_t life;
    MessageId id;
    Receipt receipt;
  };

  const Plan& plan_;
  const Duration patience_;
  std::atomic<bool> is_over_ = false;
  std::vector<Node*> places_;
  std::mutex mutex_;  // guards the members below, but not the content of the logs
  std::deque<Log> logs_;
  std::deque<Kept> kept_;
  std::vector<std::size_t> fenced_;
  std::map<std::size_t, std::size_t> where_;  // by incarnation; only on nodes that have power
  std::map<std::size_t, std::size_t> cuts_;   // lost ones: the length of the log that counts
  bool may_lose_ = false;
};

// The operations of every agent of a workload, with the lines that they write into its log.
class Diarist : public Agent {
 public:
  Diarist(Recorder& recorder, std::size_t life)
      : recorder_(recorder), life_(life), log_(recorder.log(life)) {}

 protected:
  Event& note(Event::Kind kind, MessageId id = 0, std::string with = {});
  MessageId new_id() noexcept { return (life_ + 1) * 100000 + ++last_id_; }
  // Sends a request; returns whether it had a reply.
  Task<bool> ask_noted(std::string whom, Conversation conversation, Deadline deadline);

  Recorder& recorder_;
  const std::size_t life_;
  Log& log_;

 private:
  MessageId last_id_ = 0;
};

// Performs its script, round by round, when the driver asks for a round.
class Player final : public Diarist {
 public:
  using Diarist::Diarist;
  Task<> run() override;

 private:
  Task<> play(std::vector<Step> script);
  Task<> perform(Step step);
  Task<> send_plain(Step step);
  Task<> send_tracked(Step step);
  Task<> read(Step step);
  Task<> take_in(Message message, const Wanted& wanted, unsigned disposition);
  Task<> answer(const Message& request);
  void settle_held(unsigned how);
  Task<> change_membership(Step step);
  Task<> change_taps(Step step);
  Task<> read_the_rest();

  std::vector<Message> held_;
  std::vector<Tap> taps_;
  bool drained_ = false;
};

// Makes the players and has them perform their rounds.
class Driver final : public Diarist {
 public:
  using Diarist::Diarist;
  ~Driver() override { recorder_.end_play(); }
  Task<> run() override;

 private:
  Task<> make(unsigned player, bool take_over);
  Task<> replace_lost(unsigned player, std::size_t round, bool is_here);
  Task<> command(unsigned player, std::size_t round);
  Task<> await_players();

  std::vector<std::size_t> lives_;  // the present incarnation of each player; 0: none yet
  std::vector<bool> alive_;
  unsigned outstanding_ = 0;
};

// Reads the dead letters.
class Undertaker final : public Diarist {
 public:
  using Diarist::Diarist;
  Task<> run() override;
};

std::string player_name(unsigned player);
MailboxOptions box_of(unsigned kind);
// Returns whether the node of that number takes small messages only.
inline bool takes_little(std::size_t node) noexcept { return node % 2 == 1; }
// The number that a text begins with.
MessageId id_in(std::string_view text);

// The conversation of the commands of the first round; those of the second have the next number.
inline constexpr Conversation first_round = 1000;

}  // namespace coracle::conformance
