#include "coracle/caf/market.hpp"

#include "trading.hpp"

namespace coracle::caf {

namespace {

// Limits: records that are kept, and requests that wait.
constexpr std::size_t kept = 8;
constexpr std::size_t waiting_limit = 1000;

}  // namespace

Market::Market(MarketTerms terms, std::vector<Good> goods, std::vector<std::string> traders,
               Random& random)
    : terms_(std::move(terms)),
      goods_(std::move(goods)),
      traders_(std::move(traders)),
      random_(random) {
  const std::string fault = fault_of(terms_, goods_, traders_);
  if (!fault.empty()) throw Error(Errc::bad_options, "a market cannot be held: " + fault);
}

void Market::on_record(const MarketRecord&) {}

Task<> Market::run() {
  // The high bits are those that no other market of this name has had; the low bits count.
  next_id_ = (random_.next() >> 33) << 32;
  set_mailbox(MailboxOptions().messages(static_cast<std::uint32_t>(1024 + 4 * goods_.size())));
  while (left_to_hold_ > 0) {
    if (waiting_.empty()) {
      Message message = co_await receive();
      co_await handle(std::move(message), nullptr);
      continue;
    }
    Message request = std::move(waiting_.front());
    waiting_.pop_front();
    co_await hold(std::move(request));
  }
}

// Handles a message. `search` is the trade in progress, or nullptr.
Task<> Market::handle(Message message, PriceSearch* search) {
  const Content content = message.content();
  if (const TradeRequest* request = content.try_as<TradeRequest>()) {
    std::string fault;
    if (!request->prices.empty()) fault = fault_of_prices(request->prices, goods_.size());
    if (waiting_.size() >= waiting_limit) fault = "too many others wait; ask later";
    if (fault.empty()) waiting_.push_back(std::move(message));
    else if (message.is_request()) co_await refuse(message, fault);
  } else if (const Clearing* clearing = content.try_as<Clearing>()) {
    const Address who = message.source();
    const std::string fault = search == nullptr
                                  ? std::string("there is no such trade, or it is over")
                                  : search->hear(who.name().view(), *clearing, now());
    if (fault.empty()) co_return;
    const Content refusal = Content::of(Refusal{clearing->id, clearing->round, "clearing", fault});
    (void)co_await try_to_tell(*this, who, refusal);
  } else if (const Refusal* refusal = content.try_as<Refusal>()) {
    if (search == nullptr || refusal->id != search->record().id) co_return;
    for (std::size_t i = 0; i < goods_.size(); ++i) {
      const bool is_of_this_round = refusal->round == search->round() && refusal->what == "call";
      if (is_of_this_round && message.source().name().view() == goods_[i].auctioneer) {
        search->give_up(i, refusal->reason, now());
      }
    }
  } else if (const MarketRecordRequest* asked = content.try_as<MarketRecordRequest>()) {
    co_await on_record_request(message, asked->id);
  } else if (message.is_request()) {
    co_await refuse(message, "a market takes requests for trades and for records");
  }
}

Task<> Market::hold(Message request) {
  std::vector<Good> goods = goods_;
  const Content content = request.content();
  const std::vector<double>& prices = content.as<TradeRequest>().prices;
  for (std::size_t i = 0; i < prices.size(); ++i) goods[i].price = prices[i];
  PriceSearch search(terms_, goods, traders_, name().str(), ++next_id_, now(), absent());
  std::uint32_t called = 0;
  while (!search.over()) {
    if (called != search.round()) {
      called = search.round();
      co_await call_auctions(search);
      continue;
    }
    const Time next = search.deadline();
    std::optional<Message> message = co_await receive(Deadline(next));
    if (message) co_await handle(std::move(*message), &search);
    search.on_time(now());
  }
  co_await conclude(request, search);
}

Task<> Market::call_auctions(PriceSearch& search) {
  const std::uint32_t round = search.round();
  for (std::size_t i = 0; i < goods_.size(); ++i) {
    const Content call = Content::of(search.call_of(i));
    const Address auctioneer = find(goods_[i].auctioneer);
    const std::string why = co_await try_to_tell(*this, auctioneer, call);
    if (!why.empty()) search.give_up(i, why, now());
    if (search.over() || search.round() != round) co_return;
  }
}

Task<> Market::conclude(const Message& request, const PriceSearch& search) {
  records_.push_back(search.record());
  if (records_.size() > kept) records_.pop_front();
  on_record(search.record());
  co_await settle(search);
  const Content closed = Content::of(MarketClosed{search.record().id});
  for (const Good& each : goods_) {
    const Address auctioneer = find(each.auctioneer);
    (void)co_await try_to_tell(*this, auctioneer, closed);
  }
  --left_to_hold_;
  const Content result = Content::of(MarketResult(search.record().result));
  if (request.is_request()) co_await answer(request, result);
}

// Returns the traders that have not consumed their result. Such a trader does not know what it has.
std::vector<std::uint32_t> Market::absent() const {
  std::vector<std::uint32_t> absent;
  for (const auto& [trader, receipt] : told_) {
    if (receipt.first().outcome != Outcome::consumed) absent.push_back(trader);
  }
  return absent;
}

// Sends all traders their results, and waits for some time until they have consumed them.
Task<> Market::settle(const PriceSearch& search) {
  std::erase_if(told_,
                [](const auto& each) { return each.second.first().outcome == Outcome::consumed; });
  for (std::uint32_t i = 0; i < traders_.size(); ++i) {
    Post post(Name(traders_[i]), Content::of(search.trades_of(i)));
    post.patience(trading_patience);
    Receipt receipt = co_await track(std::move(post));
    if (search.record().result.converged && !search.is_gone(i)) told_.insert_or_assign(i, receipt);
  }
  const Time end = Deadline(terms_.bid_within).at(now());
  for (auto& [trader, receipt] : told_) {
    (void)co_await receipt.reached(Stage::consumed, Deadline(end));
  }
}

Task<> Market::answer(const Message& request, Content content) {
  try {
    auto replying = reply(request, std::move(content));
    replying.patience(trading_patience);
    co_await replying;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    // The sender of the request has ended, or does not read.
  }
}

Task<> Market::on_record_request(const Message& message, TradeId id) {
  if (!message.is_request()) co_return;
  for (const MarketRecord& each : records_) {
    if (each.id != id) continue;
    const Content record = Content::of(MarketRecord(each));
    co_await answer(message, record);
    co_return;
  }
  co_await refuse(message, "there is no record of such a trade, not yet or not any more");
}

Task<MarketResult> hold_trade(Agent& self, Name market, std::vector<double> prices,
                              Deadline deadline) {
  const Content request = Content::of(TradeRequest{std::move(prices)});
  const Message answer = co_await self.ask(market, request, deadline);
  const Content content = answer.content();
  co_return content.as<MarketResult>();
}

}  // namespace coracle::caf
