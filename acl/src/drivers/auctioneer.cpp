#include "coracle/acl/initiator.hpp"

#include "drivers/correspondence.hpp"
#include "drivers/dialogue.hpp"

#include <algorithm>
#include <utility>

namespace coracle::acl {

namespace {

constexpr Duration default_bidding = std::chrono::seconds(5);

// The driver of an Auction.
class Hall {
 public:
  Hall(Agent& self, const Protocol& protocol, Message announcement, Terms terms)
      : self_(self),
        terms_(std::move(terms)),
        auction_(protocol, opened_by(self, protocol, std::move(announcement), terms_),
                 terms_.settings().ids, terms_.settings().calendar, self.now()),
        correspondence_(self, terms_.settings(), auction_.conversation().conversation_id()),
        end_(terms_.until().at(self.now())) {}

  Task<Sale> run(NextCall next, ChooseBid choose, bool ends_unsold) {
    Sale sale;
    const Answer* sold = nullptr;
    for (; now() < end_; ++sale.calls) {
      if (ends_unsold && sale.calls > 0 && sold == nullptr) break;
      std::optional<Body> content = next(sale.calls, sold);
      const Duration open = terms_.reply_within().value_or(default_bidding);
      if (!content || !auction_.call(std::move(*content), open, now())) break;
      co_await take_bids();
      sold = award(choose, sale);
    }
    auction_.close({}, now());
    co_await send();
    co_return sale;
  }

 private:
  Time now() const noexcept { return self_.now(); }

  Task<> send() {
    for (;;) {
      std::vector<Initiation::Outgoing> messages = auction_.take_outgoing();
      if (messages.empty()) co_return;
      Task<std::vector<std::size_t>> sending =
          send_all(self_, terms_.settings(), std::move(messages));
      for (const std::size_t each : co_await std::move(sending)) {
        auction_.end(each, Outcome::lost, now());
      }
    }
  }

  Task<> take_bids() {
    co_await send();
    while (auction_.phase() == AuctionPhase::bidding && now() < end_) {
      const Time until = std::min(end_, auction_.conversation().deadline());
      const std::optional<Message> message = co_await correspondence_.receive(until);
      if (message) (void)auction_.hear(*message, now());
      else auction_.on_time(now());
    }
  }

  // Accepts a bid; returns it, or nullptr if there was none.
  const Answer* award(const ChooseBid& choose, Sale& sale) {
    if (auction_.phase() != AuctionPhase::choosing || auction_.bids().empty()) return nullptr;
    Answers bids;
    for (const std::size_t each : auction_.bids()) {
      const Session& session = auction_.conversation().sessions()[each];
      bids.push_back({session.partner(), Outcome::accepted, session.heard()});
    }
    const std::size_t chosen = choose ? choose(bids) : 0;
    if (chosen >= bids.size()) return nullptr;
    if (!auction_.award(auction_.bids()[chosen], {}, now())) return nullptr;
    sale.accepted.push_back(std::move(bids[chosen]));
    return &sale.accepted.back();
  }

  Agent& self_;
  Terms terms_;
  Auction auction_;
  Correspondence correspondence_;
  Time end_;
};

// The driver of a proxy message.
Task<Brokered> pass_on(Agent& self, const Protocol& protocol, AgentId to, Proxy proxy,
                       std::size_t answers, Terms terms) {
  Message message;
  message.language = "fipa-sl2";
  message.receivers = {to};
  proxy.message.sender = terms.settings().naming.agent_of(self.name());
  proxy.message.reply_with = terms.settings().ids();
  message.content = proxy_content(to, proxy);
  Dialogue dialogue(self, protocol, std::move(message), std::move(terms));
  dialogue.conversation().expect_answers_to(0, proxy.message.reply_with);
  Brokered brokered;
  std::size_t finals = 0;
  Message last_of_broker;
  while (!dialogue.conversation().is_over()) {
    const Initiation::Hearing hearing = co_await dialogue.step();
    const Session& session = dialogue.conversation().sessions()[0];
    if (hearing.heard == Heard::taken) last_of_broker = session.heard();
    if (hearing.heard != Heard::relayed) continue;
    brokered.answers.push_back(session.heard());
    if (session.heard().performative != Performative::agree) ++finals;
    if (answers > 0 && finals >= answers) dialogue.conversation().end(0, Outcome::done);
  }
  const Session& session = dialogue.conversation().sessions()[0];
  brokered.broker = {session.partner(), session.outcome(), std::move(last_of_broker)};
  co_return brokered;
}

}  // namespace

Task<Sale> english_auction(Agent& self, Message announcement, NextCall next, ChooseBid choose,
                           Terms terms) {
  Hall hall(self, english_auction_protocol, std::move(announcement), std::move(terms));
  co_return co_await hall.run(std::move(next), std::move(choose), true);
}

Task<Sale> dutch_auction(Agent& self, Message announcement, NextCall next, Terms terms) {
  Hall hall(self, dutch_auction_protocol, std::move(announcement), std::move(terms));
  co_return co_await hall.run(std::move(next), {}, false);
}

Task<Brokered> broker(Agent& self, AgentId broker, Proxy proxy, std::size_t answers, Terms terms) {
  return pass_on(self, brokering_protocol, std::move(broker), std::move(proxy), answers,
                 std::move(terms));
}

Task<Brokered> recruit(Agent& self, AgentId recruiter, Proxy proxy, std::size_t answers,
                       Terms terms) {
  return pass_on(self, recruiting_protocol, std::move(recruiter), std::move(proxy), answers,
                 std::move(terms));
}

}  // namespace coracle::acl
