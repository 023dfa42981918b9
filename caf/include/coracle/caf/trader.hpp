// An agent that trades at a market. Derive from it and define the quantity of a good that it wants
// at each price; or use a Consumer or a Producer as they are. Tests:
// tests/markets/markets_test.cpp.
#pragma once

#include "coracle/caf/markets/trade.hpp"
#include "coracle/caf/participant.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

// An agent that trades, at several markets if they call it. It may have further roles. Then its
// run() passes each message to attend_in_turn(), or a handler of another role passes the message to
// attend().
class Trader : public virtual Participant {
 public:
  // Trades until retire() is called, or until its node stops.
  Task<> run() override;

 protected:
  // Returns the quantity of quote.good that the trader wants at each price, as long as the other
  // prices are those of the quote.
  virtual Curve bid(const Quote& quote) = 0;
  // The same, for a trader that must request something of others or computes for long. By default
  // it calls bid(). It is not called once the auctioneer does not wait for this trader any more;
  // on_refusal() is called then.
  virtual Task<Curve> consider_quote(const Quote& quote);
  // Called at the end of each trade with the quantities that this trader gets and gives.
  virtual void on_trades(const Trades& trades);
  // Called when a message that this trader sent has no effect, with the reason.
  virtual void on_refusal(const Refusal& refusal);

  // Takes a message of a market, which is handled when its turn has come. Returns false, and does
  // nothing, if the message is not from a market's protocol.
  bool attend_in_turn(Message& message);
  // Handles a message of a market now, and returns when that is done.
  Task<bool> attend(const Message& message);

 private:
  Task<> answer_foreign(Message message);
  static Kind kind_of(std::string_view type) noexcept;
  Task<> handle(Message kept, Address market, Content content, Time at);
  Task<> answer_quote(Address auctioneer, const Quote& quote, Time at);
};

// A part of a producer's profit. Its holder knows the producer's technology.
struct Holding {
  Technology technology;
  double share = 1;
};

// A trader that has an endowment and preferences, and buys what is best for it at each price.
class Consumer : public Trader {
 public:
  // Fails with Errc::bad_options for negative numbers and values that are not numbers.
  Consumer(Preferences likes, Basket has, std::vector<Holding> holdings = {});

  // The goods that it has; trades change them.
  const Basket& has() const noexcept { return has_; }
  // The utility of these goods.
  double utility() const { return caf::utility(likes_, has_); }

 protected:
  Curve bid(const Quote& quote) override;
  // An override must call this function, too.
  void on_trades(const Trades& trades) override;

 private:
  Preferences likes_;
  Basket has_;
  std::vector<Holding> holdings_;
};

// A trader that makes one good of others, as much as brings it the greatest profit.
class Producer : public Trader {
 public:
  // Fails with Errc::bad_options for values that are not numbers, and when more of every input
  // would bring more than a proportional output.
  explicit Producer(Technology technology);

 protected:
  Curve bid(const Quote& quote) override;

 private:
  Technology technology_;
};

}  // namespace coracle::caf
