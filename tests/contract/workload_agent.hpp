// The agents of a generated workload. Each writes down what it does; nothing else does.
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

namespace coracle::contract {

// What all agents of a run write to. Safe to use from every thread; a log belongs to one agent.
class Recorder {
 public:
  // The driver waits for each round of a player as long as `patience` says.
  Recorder(const Plan& plan, Duration patience) : plan_(plan), patience_(patience) {}

  // Opens the log of another life of a name.
  std::size_t open(std::string agent);
  Log& log(std::size_t life);
  // Another life takes the name over. What this one acknowledges before it has learned of that may
  // count no more, even if it crashes first.
  void fence(std::size_t life);
  // Keeps the receipt of `id` until the end.
  void keep(std::size_t life, MessageId id, Receipt receipt);
  // The logs, with the outcomes that the receipts tell, once all agents have ended.
  std::vector<Log> finish();
  const Plan& plan() const noexcept { return plan_; }
  // The nodes of the society, before its agents begin.
  void add_place(Node& node) { places_.push_back(&node); }
  // nullptr: it has lost its power.
  const std::vector<Node*>& places() const noexcept { return places_; }
  // That life begins there.
  void place(std::size_t life, std::size_t where);
  // A node has lost its power, and its lives have come to their end; or it has begun anew.
  void lose(std::size_t where);
  void begin_again(std::size_t where, Node& node) { places_[where] = &node; }
  bool is_lost(std::size_t life) const { return cuts_.contains(life); }
  // Whether that can happen.
  bool may_lose() const noexcept { return may_lose_; }
  void expect_losses() noexcept { may_lose_ = true; }
  Duration patience() const noexcept { return patience_; }
  // The driver has ended, but for what its node has to do then.
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
  std::mutex mutex_;  // guards what follows, not what is in the logs
  std::deque<Log> logs_;
  std::deque<Kept> kept_;
  std::vector<std::size_t> fenced_;
  std::map<std::size_t, std::size_t> where_;  // by life; those of nodes that have their power
  std::map<std::size_t, std::size_t> cuts_;   // what of the log of a lost life has happened
  bool may_lose_ = false;
};

// What every agent of a workload can do and write down.
class Diarist : public Agent {
 public:
  Diarist(Recorder& recorder, std::size_t life)
      : recorder_(recorder), life_(life), log_(recorder.log(life)) {}

 protected:
  Event& note(Event::Kind kind, MessageId id = 0, std::string with = {});
  MessageId new_id() noexcept { return (life_ + 1) * 100000 + ++last_id_; }
  // Asks, and gives the reply when there was one.
  Task<bool> ask_noted(std::string whom, Conversation conversation, Deadline deadline);

  Recorder& recorder_;
  const std::size_t life_;
  Log& log_;

 private:
  MessageId last_id_ = 0;
};

// Does its script, round by round, when the driver asks it to.
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
  Task<> change_ears(Step step);
  Task<> read_the_rest();

  std::vector<Message> held_;
  std::vector<Ear> ears_;
  bool drained_ = false;
};

// Makes the players and lets them play.
class Driver final : public Diarist {
 public:
  using Diarist::Diarist;
  ~Driver() override { recorder_.end_play(); }
  Task<> run() override;

 private:
  Task<> make(unsigned player, bool take_over);
  Task<> replace_lost(unsigned player, std::size_t round, bool is_here);
  Task<> command(unsigned player, std::size_t round);

  std::vector<std::size_t> lives_;  // the present one of each player; 0: none yet
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
// The number that a text begins with.
MessageId id_in(std::string_view text);

// The conversation of the commands of the first round; those of the second have the next number.
inline constexpr Conversation first_round = 1000;

}  // namespace coracle::contract
