// The initiator's side of each interaction protocol, as functions that an agent awaits:
//
//   Message message = …;  // its receivers and its content
//   for (const acl::Answer& each : co_await acl::request(*this, message, 5s)) …
//
// The agent's other tasks go on meanwhile. Receivers are agents of the society, by the names that
// Settings::naming gives them. The functions set the sender, the protocol, the conversation-id and
// each reply-with. An answer counts only if the agent that it names as its sender has sent it.
//
// They fail with Errc::bad_options for a message without receivers, and as Agent::receive() does
// when the node stops. A receiver that cannot be reached has the outcome Outcome::lost.
// Tests: tests/fipa/initiator_test.cpp.
#pragma once

#include "coracle/acl/protocols/auction.hpp"
#include "coracle/acl/protocols/brokering.hpp"
#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coracle::acl {

// The end of the conversation with one receiver.
struct Answer {
  AgentId from;
  Outcome outcome = Outcome::open;
  // The last message of the receiver; its performative is not_understood if there was none.
  Message message;

  explicit operator bool() const noexcept { return outcome == Outcome::done; }
};

// The answers, in the order of the receivers.
using Answers = std::vector<Answer>;

// Sends the message to its receivers by that protocol, and waits until all sessions are over: for
// protocols in which the initiator has only the first message.
Task<Answers> converse(Agent& self, const Protocol& protocol, Message message, Terms terms = {});

// fipa-request: Outcome::done has the result. request_when has an action and a condition in its
// content.
Task<Answers> request(Agent& self, Message message, Terms terms = {});
Task<Answers> request_when(Agent& self, Message message, Terms terms = {});
// fipa-query: a message that is no query_if becomes a query_ref.
Task<Answers> query(Agent& self, Message message, Terms terms = {});
// fipa-propose: Outcome::accepted or Outcome::rejected.
Task<Answers> propose(Agent& self, Message message, Terms terms = {});

// The decisions about proposals: for each of them an accept_proposal, a reject_proposal or, in an
// iterated contract net, a cfp for the next round. A missing one rejects. It is called when every
// bidder has answered, or when the time for the answers has ended.
using Choose = std::function<std::vector<Speech>(const Answers& proposals)>;

// Accepts the proposal for which `is_better(a, b)` holds against each other one; rejects all
// others.
Choose choose_best(std::function<bool(const Answer& a, const Answer& b)> is_better);

// fipa-contract-net and fipa-iterated-contract-net. Outcome::done has the result of a bidder whose
// proposal was accepted.
Task<Answers> contract_net(Agent& self, Message message, Choose choose, Terms terms = {});
Task<Answers> iterated_contract_net(Agent& self, Message message, Choose choose, Terms terms = {});

// A subscription that is open, to one agent or several. It ends with this object; cancel() informs
// the others of its end.
class Subscription {
 public:
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;
  ~Subscription();

  // The next news. Nothing when the deadline passes, or when all sessions are over.
  Task<std::optional<Message>> next(Deadline until = Deadline::never());
  // Returns whether news may still come.
  bool is_open() const noexcept;
  // Cancels what is open, and waits for the answers for that time.
  Task<> cancel(Body content = {}, Duration within = std::chrono::seconds(5));
  // The present state of each session.
  Answers answers() const;

 private:
  friend Task<Subscription> subscribe(Agent& self, Message message, Terms terms);
  class Impl;
  explicit Subscription(std::unique_ptr<Impl> impl) noexcept;

  std::unique_ptr<Impl> impl_;
};

// fipa-subscribe: returns when the subscription was sent.
Task<Subscription> subscribe(Agent& self, Message message, Terms terms = {});

// The next call of an auctioneer: its content, with the price. Nothing ends the auction. `number`
// counts the calls from 0; `sold` is the bid that was accepted after the call before, or nullptr.
using NextCall = std::function<std::optional<Body>(std::size_t number, const Answer* sold)>;
// The index of the bid that is accepted among the bids for one call.
using ChooseBid = std::function<std::size_t(const Answers& bids)>;

// The bids that were accepted, in their order. The last one wins an English auction; each one gets
// goods of a Dutch auction.
struct Sale {
  std::vector<Answer> accepted;
  std::size_t calls = 0;
};

// fipa-auction-english: calls until nobody bids any more. fipa-auction-dutch: calls until `next`
// returns nothing; the first bid for a call is accepted. Each call is open for Terms::reply_within,
// or 5 s.
Task<Sale> english_auction(Agent& self, Message announcement, NextCall next, ChooseBid choose = {},
                           Terms terms = {});
Task<Sale> dutch_auction(Agent& self, Message announcement, NextCall next, Terms terms = {});

// The results of a proxy message: the outcome of the broker, and the answers of the targets.
struct Brokered {
  Answer broker;
  std::vector<Message> answers;
};

// fipa-brokering and fipa-recruiting: asks `broker` to pass `proxy` on. Ends with the broker's last
// message, when `answers` final answers have come (0: any number), or at Terms::until. A
// recruiter's targets answer after the recruiter is ready, so only the last two end it.
Task<Brokered> broker(Agent& self, AgentId broker, Proxy proxy, std::size_t answers,
                      Terms terms = {});
Task<Brokered> recruit(Agent& self, AgentId recruiter, Proxy proxy, std::size_t answers,
                       Terms terms = {});

}  // namespace coracle::acl
