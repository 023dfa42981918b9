// Agents for tests of conversations: participants that behave as a test specifies, and an initiator
// that is the test.
#pragma once

#include "coracle/acl/initiator.hpp"
#include "coracle/acl/participant.hpp"
#include "coracle/typed.hpp"
#include "support/numbers.hpp"
#include "support/societies/diary.hpp"
#include "support/societies/grounds.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::acl::test {

using namespace std::chrono_literals;
using coracle::test::Diary;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::on_every_ground;
using Act = Performative;

// A participant of a test.
class Partner : public Participant {
 public:
  using Conversing = std::function<Task<>(Partner& me, Talk& talk)>;
  using Acting = std::function<Task<>(Partner& me)>;

  Partner(Conversing conversing, Diary& diary, Settings settings,
          Participations::Limits limits = {})
      : Participant(std::move(settings), limits),
        conversing_(std::move(conversing)),
        diary_(diary) {}

  using Participant::agent_id;
  using Participant::retire;
  // Its own activity, and the conversations that it takes part in; may be empty.
  Acting acts;
  std::function<bool(const Session& session)> chooses;
  void note(const std::string& what) { diary_.note(name().str() + " " + what); }

 protected:
  Task<> act() override;
  Task<> converse(Talk& talk) override;
  bool serves(const Session& session) const override;
  Task<> on_other(const Message& message) override;

 private:
  Conversing conversing_;
  Diary& diary_;
};

// A society for a test of conversations.
class Scene : public coracle::test::Place {
 public:
  using Place::Place;

  // Makes the participants, then performs `body` as the agent "main".
  void run(std::vector<std::pair<std::string, Partner::Conversing>> partners,
           std::function<Task<>(Agent& me)> body);
  // The same, with an initiator that is a participant, too, and is called "ann".
  void run_both(std::vector<std::pair<std::string, Partner::Conversing>> partners,
                Partner::Conversing conversing, Partner::Acting acts);
  Diary& diary() noexcept { return diary_; }
  Settings settings();
  Terms terms() { return Terms().settings(settings()); }

 private:
  Diary diary_;
  coracle::test::Numbers random_;
};

// A message to these agents.
template <class... Names>
Message to(const Names&... names) {
  Message message;
  (message.receivers.push_back(AgentId{names, {}, {}, {}}), ...);
  message.language = "fipa-sl";
  return message;
}

// A participant that says this in each conversation, one after another.
Partner::Conversing says(std::vector<Act> acts, std::string content = "(p)");
// A participant that bids this in a contract net, and does the work if it gets it.
Partner::Conversing bids(int price);
// The number in a content.
int number_in(const Message& message);
// "bob: done (p)" for each answer.
std::string shown(const Answers& answers);

}  // namespace coracle::acl::test
