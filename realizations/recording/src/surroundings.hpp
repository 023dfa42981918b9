// The surroundings in which one agent is replayed: stand-ins for all other agents.
#pragma once

#include "coracle/recording/replay_into.hpp"
#include "prompter.hpp"
#include "sink.hpp"

#include <map>
#include <set>

namespace coracle::recording {

// The action of a stand-in when it is its turn.
struct Cue {
  enum class Act : std::uint8_t { say, end, join, leave } act = Act::say;
  Name who;
  const Said* said = nullptr;
  std::string text;  // the group; or the exception's text, if it ends by one
};

// Maps the conversations of the recording to those of the replay.
class Conversations {
 public:
  // The replay's conversation for a conversation of the recording that the agent receives.
  Conversation told(Conversation recorded);
  // Returns whether both may be the same; from then on, they are.
  bool same(Conversation recorded, Conversation replayed);

 private:
  std::map<Conversation, Conversation> replayed_;
  std::map<Conversation, Conversation> recorded_;
};

// Records the actions of the agent as they happen.
class Audience final : public Sink {
 public:
  explicit Audience(Name agent) : agent_(std::move(agent)) {}

  MessageId say(Said said) noexcept override;
  void happen(Happened happened) noexcept override;

  // The agent's messages and ends: for each, the message, or the way it ended.
  struct Output {
    std::optional<Said> said;
    std::uint64_t sequence = 0;
    std::string end;
  };
  std::vector<Output>& outputs() noexcept { return outputs_; }
  std::uint64_t alarms() const noexcept { return alarms_; }
  bool is_there(const Name& who) const { return there_.contains(who); }

 private:
  const Name agent_;
  std::map<MessageId, Said> sent_;  // not accepted yet
  std::vector<Output> outputs_;
  std::uint64_t alarms_ = 0;
  std::set<Name> there_;
};

// The agent's end as an output; nothing when its node stopped it.
std::string end_of(const Happened& ended);

class StandIn;

class Surroundings {
 public:
  Surroundings(Time begin, Name agent, const NodeOptions& options);
  ~Surroundings();

  Prompter& prompter() noexcept { return *prompter_; }
  Audience& audience() const noexcept { return *audience_; }
  Conversations& conversations() noexcept { return conversations_; }
  // The agent begins.
  void enter(const Role& role);
  // A stand-in begins, unless another agent has that name: then that agent runs itself.
  void stand_in(const Name& who);
  bool is_stand_in(const Name& who) const { return stand_ins_.contains(who); }
  // The stand-ins do this, one after the other, before the agent does anything.
  void perform(std::vector<Cue> cues);
  // The recording's request in that conversation was the agent's message with that number.
  void asked(Conversation conversation, std::uint64_t sequence) {
    requests_[conversation] = sequence;
  }

 private:
  friend class Turn;
  Task<> perform(const Cue& cue, Agent& turn);
  Task<> say(StandIn& speaker, const Said& said);
  Task<> ask(StandIn& speaker, const Said& said, Agent& turn);

  const Name agent_;
  std::shared_ptr<Prompter> prompter_;
  std::shared_ptr<Audience> audience_;
  Conversations conversations_;
  std::map<Conversation, std::uint64_t> requests_;
  std::map<Name, StandIn*> stand_ins_;  // the node owns them; none of them has ended
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::recording
