#include "coracle/recording/replay_into.hpp"

#include "surroundings.hpp"

#include <algorithm>

namespace coracle::recording {

namespace {

constexpr int rings_for_one = 1000;  // alarms of agents that it made may be in between

// Compares a message of the agent in the recording and in the replay, except for its time.
std::optional<Difference> compare(const Said& recorded, const Said& replayed,
                                  Conversations& conversations) {
  const auto kind = [](const Said& said) {
    return std::tie(said.source, said.target, said.addressed, said.is_request, said.is_reply,
                    said.is_failure, said.type, said.content, said.headers, said.reply_to);
  };
  if (kind(recorded) != kind(replayed)) {
    return Difference{to_string(recorded), to_string(replayed)};
  }
  if (conversations.same(recorded.conversation, replayed.conversation)) return std::nullopt;
  return Difference{
      to_string(recorded) + " in conversation " + std::to_string(recorded.conversation),
      to_string(replayed) + " in another conversation"};
}

// The replay of one agent: reads the recording and gives the surroundings the next events.
class Rehearsal {
 public:
  Rehearsal(const Recording& recording, const Role& role, const NodeOptions& options)
      : recording_(recording),
        role_(role),
        agent_(role.spec.name()),
        surroundings_(recording.events().empty() ? Time() : recording.events().front().at, agent_,
                      options) {
    result_.agent = agent_;
    count_what_comes();
  }

  Performance run() {
    for (const Happened& happened : recording_.events()) {
      if (happened.agent == agent_) on_own(happened);
      else on_others(happened);
      if (result_.difference) return std::move(result_);
    }
    perform();
    compare_outputs();
    const auto& outputs = surroundings_.audience().outputs();
    const bool all_is_known = recording_.complete();
    if (!result_.difference && all_is_known && result_.alike < outputs.size()) {
      const auto& more = outputs[result_.alike];
      result_.difference =
          Difference{"it does nothing more", more.said ? to_string(*more.said) : more.end};
    }
    return std::move(result_);
  }

 private:
  using Life = std::pair<Name, Incarnation>;

  static bool is_given(Happening what) {
    return what == Happening::kept || what == Happening::handed_out ||
           what == Happening::copy_kept || what == Happening::copy_handed;
  }

  // An agent that ended on one worker may have sent messages that arrive later on another one.
  void count_what_comes() {
    std::set<MessageId> seen;
    for (const Happened& happened : recording_.events()) {
      if (happened.agent != agent_ || !is_given(happened.what) || happened.message == 0) continue;
      if (!seen.insert(happened.message).second) continue;
      const Said& said = recording_.message(happened.message);
      ++to_come_[{said.source, said.life}];
    }
  }

  void on_others(const Happened& happened) {
    switch (happened.what) {
      case Happening::began:
        perform();
        if (!surroundings_.is_stand_in(happened.agent)) surroundings_.stand_in(happened.agent);
        std::erase_if(ends_, [&](const auto& end) { return end.first.first == happened.agent; });
        break;
      case Happening::ended:
        end_other(happened);
        break;
      case Happening::joined:
        add({Cue::Act::join, happened.agent, nullptr, happened.text}, happened);
        break;
      case Happening::left:
        add({Cue::Act::leave, happened.agent, nullptr, happened.text}, happened);
        break;
      case Happening::alarm:
      case Happening::computed:
        if (lives(happened.agent)) let_it(happened);
        break;
      default:
        break;
    }
  }

  void end_other(const Happened& ended) {
    const auto reason = static_cast<EndReason>(ended.detail);
    if (reason == EndReason::fenced) return;  // its successor goes on
    const std::string text = reason == EndReason::crashed ? ended.text : "";
    const Life life(ended.agent, ended.life);
    if (to_come_[life] != 0) ends_[life] = text;
    else add({Cue::Act::end, ended.agent, nullptr, text}, ended);
  }

  // Returns whether the agent under replay made that agent, so that it runs itself.
  bool lives(const Name& who) const {
    return surroundings_.audience().is_there(who) && !surroundings_.is_stand_in(who);
  }

  void let_it(const Happened& happened) {
    perform();
    if (happened.what == Happening::alarm) surroundings_.prompter().ring();
    else surroundings_.prompter().compute();
    compare_outputs();
  }

  void on_own(const Happened& happened) {
    if (is_given(happened.what)) return given(happened);
    switch (happened.what) {
      case Happening::began:
        perform();
        surroundings_.enter(role_);
        surroundings_.prompter().settle();
        return compare_outputs();
      case Happening::alarm:
        perform();
        ++alarms_;
        for (int i = 0; i < rings_for_one && surroundings_.audience().alarms() < alarms_; ++i) {
          if (!surroundings_.prompter().ring()) break;
        }
        return compare_outputs();
      case Happening::computed:
        perform();
        surroundings_.prompter().pass_to(happened.at);
        surroundings_.prompter().compute();
        return compare_outputs();
      case Happening::accepted:
        perform();
        return expect(happened);
      case Happening::ended:
        perform();
        return expect_end(happened);
      default:
        return perform();
    }
  }

  void add(Cue cue, const Happened& happened) {
    cues_.push_back(std::move(cue));
    time_ = happened.at;
  }

  // The agent is given a message, unless another agent that runs itself gives it.
  void given(const Happened& happened) {
    if (happened.message == 0) {
      ++result_.skipped;  // missed by an eavesdropper
      return;
    }
    if (!given_.insert(happened.message).second) return perform();  // taken after it was given
    const Said& said = recording_.message(happened.message);
    const Life life(said.source, said.life);
    const bool is_last = --to_come_[life] == 0;
    say(said, happened);
    const auto end = ends_.find(life);
    if (!is_last || end == ends_.end()) return;
    add({Cue::Act::end, said.source, nullptr, end->second}, happened);
    ends_.erase(end);
  }

  void say(const Said& said, const Happened& happened) {
    if (said.source == agent_ || said.source.empty()) return;
    if (!said.is_encoded) {
      ++result_.skipped;
      return;
    }
    if (!surroundings_.is_stand_in(said.source)) {
      if (lives(said.source)) return;
      perform();
      surroundings_.stand_in(said.source);  // the sender was on a node that was not recorded
    }
    ++result_.given;
    add({Cue::Act::say, said.source, &said, {}}, happened);
  }

  void perform() {
    if (cues_.empty()) return;
    surroundings_.prompter().pass_to(time_);
    surroundings_.perform(std::exchange(cues_, {}));
    compare_outputs();
  }

  void expect(const Happened& accepted) {
    const Said& said = recording_.message(accepted.message);
    expected_.push_back({&said, {}});
    compare_outputs();
    if (result_.difference || result_.alike == expected_.size()) return;
    result_.difference = Difference{to_string(said), "it does nothing more"};
  }

  void expect_end(const Happened& ended) {
    const std::string end = end_of(ended);
    if (end.empty()) return;
    expected_.push_back({nullptr, end});
    compare_outputs();
    if (result_.difference || result_.alike == expected_.size()) return;
    result_.difference = Difference{end, "it does nothing more"};
  }

  // The members of a group have no order: nothing guarantees which of two workers joined first.
  void bring_forward(const Said& recorded) {
    auto& outputs = surroundings_.audience().outputs();
    if (recorded.addressed.empty()) return;
    const auto first = outputs.begin() + static_cast<std::ptrdiff_t>(result_.alike);
    for (auto next = first; next != outputs.end(); ++next) {
      if (!next->said || next->said->addressed != recorded.addressed) return;
      if (next->said->content != recorded.content) return;
      if (next->said->target == recorded.target) return std::iter_swap(first, next);
    }
  }

  // Compares the agent's actions so far with the recording, as far as it was read.
  void compare_outputs() {
    auto& outputs = surroundings_.audience().outputs();
    while (!result_.difference && result_.alike < std::min(outputs.size(), expected_.size())) {
      const Expected& expected = expected_[result_.alike];
      if (expected.said != nullptr) bring_forward(*expected.said);
      const auto& output = outputs[result_.alike];
      if (expected.said == nullptr || !output.said) {
        const std::string one = expected.said ? to_string(*expected.said) : expected.end;
        const std::string other = output.said ? to_string(*output.said) : output.end;
        if (one != other) result_.difference = Difference{one, other};
      } else {
        result_.difference = compare(*expected.said, *output.said, surroundings_.conversations());
        if (expected.said->is_request) {
          surroundings_.asked(expected.said->conversation, output.sequence);
        }
      }
      if (!result_.difference) ++result_.alike;
    }
  }

  struct Expected {
    const Said* said;
    std::string end;
  };

  const Recording& recording_;
  const Role& role_;
  const Name agent_;
  Surroundings surroundings_;
  Performance result_;
  std::vector<Cue> cues_;
  Time time_;
  std::set<MessageId> given_;
  std::map<Life, std::uint64_t> to_come_;  // from each incarnation of the others
  std::map<Life, std::string> ends_;       // of those from which messages are still to come
  std::vector<Expected> expected_;
  std::uint64_t alarms_ = 0;
};

}  // namespace

std::vector<Performance> replay_into(const Recording& recording, const std::vector<Role>& roles,
                                     const NodeOptions& options) {
  std::vector<Performance> performances;
  for (const Role& role : roles) {
    const auto& events = recording.events();
    const Name name = role.spec.name();
    const bool known = std::any_of(events.begin(), events.end(), [&](const Happened& happened) {
      return happened.what == Happening::began && happened.agent == name;
    });
    if (!known) {
      throw Error(Errc::no_such_agent, "the recording has no agent '" + name.str() +
                                           "'; name one that began while it was made");
    }
    performances.push_back(Rehearsal(recording, role, options).run());
  }
  return performances;
}

}  // namespace coracle::recording
