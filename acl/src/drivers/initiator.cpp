#include "coracle/acl/initiator.hpp"

#include "drivers/dialogue.hpp"

#include <algorithm>
#include <utility>

namespace coracle::acl {

namespace {

using Act = Performative;

// Decides about the proposals of one round. Returns false if there is none.
bool decide(Dialogue& dialogue, const Choose& choose) {
  Initiation& net = dialogue.conversation();
  const Answers all = dialogue.answers();
  Answers proposals;
  std::vector<std::size_t> bidders;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (net.sessions()[i].state() != State::proposed) continue;
    bidders.push_back(i);
    proposals.push_back(all[i]);
  }
  if (bidders.empty()) return false;
  std::vector<Speech> decisions = choose(proposals);
  decisions.resize(bidders.size(), Speech(Act::reject_proposal));
  for (std::size_t i = 0; i < bidders.size(); ++i) {
    if (net.say(bidders[i], std::move(decisions[i]), dialogue.now())) continue;
    (void)net.say(bidders[i], Speech(Act::reject_proposal), dialogue.now());
  }
  return true;
}

// Rounds, until no proposal is open; then the results of those that were accepted.
Task<Answers> bid_and_decide(Agent& self, const Protocol& protocol, Message message, Choose choose,
                             Terms terms) {
  Dialogue dialogue(self, protocol, std::move(message), std::move(terms));
  while (!dialogue.conversation().is_over()) {
    (void)co_await dialogue.step();
    if (dialogue.conversation().count(State::asked) == 0) (void)decide(dialogue, choose);
  }
  co_await dialogue.send();
  co_return dialogue.answers();
}

}  // namespace

Task<Answers> converse(Agent& self, const Protocol& protocol, Message message, Terms terms) {
  Dialogue dialogue(self, protocol, std::move(message), std::move(terms));
  while (!dialogue.conversation().is_over()) (void)co_await dialogue.step();
  co_return dialogue.answers();
}

Task<Answers> request(Agent& self, Message message, Terms terms) {
  return converse(self, request_protocol, std::move(message), std::move(terms));
}

Task<Answers> request_when(Agent& self, Message message, Terms terms) {
  return converse(self, request_when_protocol, std::move(message), std::move(terms));
}

Task<Answers> query(Agent& self, Message message, Terms terms) {
  return converse(self, query_protocol, std::move(message), std::move(terms));
}

Task<Answers> propose(Agent& self, Message message, Terms terms) {
  return converse(self, propose_protocol, std::move(message), std::move(terms));
}

Choose choose_best(std::function<bool(const Answer& a, const Answer& b)> is_better) {
  return [is_better = std::move(is_better)](const Answers& proposals) {
    std::vector<Speech> decisions(proposals.size(), Speech(Act::reject_proposal));
    const auto best = std::ranges::min_element(proposals, is_better);
    decisions[static_cast<std::size_t>(best - proposals.begin())].act = Act::accept_proposal;
    return decisions;
  };
}

Task<Answers> contract_net(Agent& self, Message message, Choose choose, Terms terms) {
  return bid_and_decide(self, contract_net_protocol, std::move(message), std::move(choose),
                        std::move(terms));
}

Task<Answers> iterated_contract_net(Agent& self, Message message, Choose choose, Terms terms) {
  return bid_and_decide(self, iterated_contract_net_protocol, std::move(message), std::move(choose),
                        std::move(terms));
}

// --- subscriptions ---

class Subscription::Impl {
 public:
  Impl(Agent& self, Message message, Terms terms)
      : dialogue(self, subscribe_protocol, std::move(message), std::move(terms)) {}

  Dialogue dialogue;
};

Subscription::Subscription(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Subscription::Subscription(Subscription&&) noexcept = default;
Subscription& Subscription::operator=(Subscription&&) noexcept = default;
Subscription::~Subscription() = default;

Task<Subscription> subscribe(Agent& self, Message message, Terms terms) {
  Subscription made(
      std::make_unique<Subscription::Impl>(self, std::move(message), std::move(terms)));
  co_await made.impl_->dialogue.send();
  co_return made;
}

bool Subscription::is_open() const noexcept { return !impl_->dialogue.conversation().is_over(); }

Answers Subscription::answers() const { return impl_->dialogue.answers(); }

Task<std::optional<Message>> Subscription::next(Deadline until) {
  Dialogue& dialogue = impl_->dialogue;
  const Time end = until.at(dialogue.now());
  while (is_open()) {
    const Initiation::Hearing hearing = co_await dialogue.step(end);
    if (hearing.heard == Heard::taken) {
      const Session& session = dialogue.conversation().sessions()[hearing.session];
      if (session.heard().performative == Act::inform) co_return session.heard();
    } else if (dialogue.now() >= end) {
      break;
    }
  }
  co_return std::nullopt;
}

Task<> Subscription::cancel(Body content, Duration within) {
  Dialogue& dialogue = impl_->dialogue;
  dialogue.conversation().cancel_all(Speech(Act::cancel, std::move(content), within),
                                     dialogue.now());
  const Time end = Deadline(within).at(dialogue.now());
  const auto waits = [&] {
    return std::ranges::any_of(dialogue.conversation().sessions(), &Session::is_cancelling);
  };
  while (waits() && dialogue.now() < end) (void)co_await dialogue.step(end);
}

}  // namespace coracle::acl
