// Who trades at a market: derive, and say how much you want of a good at which price; or take a
// Consumer or a Producer as they are. Contract: tests/markets/markets_test.cpp.
#pragma once

#include "coracle/caf/participant.hpp"
#include "coracle/caf/trade.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

// An agent that trades, at several markets if they ask it. It may play further roles beside this
// one: then its run() gives each message to attend_in_turn(), or a handler of another role gives it
// to attend().
class Trader : public virtual Participant {
 public:
  // Trades until retire(), or until its node stops.
  Task<> run() override;

 protected:
  // How much it wants of quote.good at which price, as long as other prices are those of the quote.
  virtual Curve bid(const Quote& quote) = 0;
  // The same, for a trader that must ask others or compute for long. Otherwise it calls the one
  // above. It is not called once the auctioneer does not wait for it any more; on_refusal() is
  // then.
  virtual Task<Curve> consider_quote(const Quote& quote);
  // Told of the end of each trade: what it gets and gives.
  virtual void on_trades(const Trades& trades);
  // Told when something that it said has no effect, and why.
  virtual void on_refusal(const Refusal& refusal);

  // Takes a message of a market, which is dealt with when its turn has come; false, and nothing
  // happens, if it is something else.
  bool attend_in_turn(Message& message);
  // Deals with a message of a market now, and returns when that is done.
  Task<bool> attend(const Message& message);

 private:
  Task<> answer_foreign(Message message);
  static Kind kind_of(std::string_view type) noexcept;
  Task<> handle(Message kept, Address market, Content content, Time at);
  Task<> answer_quote(Address auctioneer, const Quote& quote, Time at);
};

// A part of a producer's profit; whoever has it knows what the producer can do.
struct Holding {
  Technology technology;
  double share = 1;
};

// A trader that has something, likes something, and buys what is best for it at each price.
class Consumer : public Trader {
 public:
  // Fails with Errc::bad_options for negative numbers and such that are none.
  Consumer(Preferences likes, Basket has, std::vector<Holding> holdings = {});

  // What it has; trades change it.
  const Basket& has() const noexcept { return has_; }
  // How much it likes that.
  double utility() const { return caf::utility(likes_, has_); }

 protected:
  Curve bid(const Quote& quote) override;
  // Whoever overrides it calls it, too.
  void on_trades(const Trades& trades) override;

 private:
  Preferences likes_;
  Basket has_;
  std::vector<Holding> holdings_;
};

// A trader that makes one good of others, as much as brings it the greatest profit.
class Producer : public Trader {
 public:
  // Fails with Errc::bad_options for numbers that are none, and when more of everything brought
  // more than in proportion.
  explicit Producer(Technology technology);

 protected:
  Curve bid(const Quote& quote) override;

 private:
  Technology technology_;
};

}  // namespace coracle::caf
