// Auctioneers, brokers and recruiters, on every realization.
#include "partners.hpp"

#include "coracle/acl/broker.hpp"
#include "coracle/acl/sl/text.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coracle::acl::test {

namespace {

// A bidder that pays up to `most`. In a Dutch auction it waits until the price is that low.
Partner::Conversing pays(int most) {
  return [most](Partner& me, Talk& talk) -> Task<> {
    while (const std::optional<Message> message = co_await talk.next()) {
      switch (message->performative) {
        case Act::cfp:
          if (number_in(*message) <= most) {
            Speech bid(Act::propose, message->content);
            (void)co_await talk.say(std::move(bid));
          }
          break;
        case Act::accept_proposal:
          me.note("leads");
          break;
        case Act::inform:
          me.note("goes home");
          break;
        default:
          break;
      }
    }
  };
}

Body price(int amount) { return "((price " + std::to_string(amount) + "))"; }

Task<> have_gone_home(Scene& scene, Agent& me) {
  const Diary& diary = scene.diary();
  for (const char* each : {"bob", "cy", "di"}) {
    while (!diary.has(each + std::string(" goes home"))) co_await me.pause(1ms);
  }
}

void the_price_of_an_english_auction_rises_until_nobody_bids(Scene& scene) {
  scene.run({{"bob", pays(30)}, {"cy", pays(45)}, {"di", pays(20)}}, [&](Agent& me) -> Task<> {
    const auto next = [](std::size_t number, const Answer*) -> std::optional<Body> {
      return price(10 * static_cast<int>(number + 1));
    };
    const Message message = to("bob", "cy", "di");
    Terms terms = scene.terms().reply_within(200ms);
    const Sale sale = co_await english_auction(me, message, next, {}, terms);
    expect_equal(sale.calls, 5U, "calls");
    expect_equal(sale.accepted.size(), 4U, "accepted bids");
    expect_equal(sale.accepted.back().from.name, std::string("cy"), "the winner");
    expect_equal(number_in(sale.accepted.back().message), 40, "the price");
    co_await have_gone_home(scene, me);
  });
}

void the_auctioneer_may_choose_the_bid_and_end_the_auction(Scene& scene) {
  scene.run({{"bob", pays(30)}, {"cy", pays(45)}, {"di", pays(20)}}, [&](Agent& me) -> Task<> {
    const auto next = [](std::size_t number, const Answer* sold) -> std::optional<Body> {
      expect((number == 0) == (sold == nullptr), "the bid before");
      if (number == 2) return std::nullopt;
      return price(10);
    };
    const auto last_name = [](const Answers& bids) {
      std::size_t found = 0;
      for (std::size_t i = 0; i < bids.size(); ++i) {
        if (bids[i].from.name > bids[found].from.name) found = i;
      }
      return found;
    };
    const Message message = to("bob", "cy", "di");
    const Sale sale = co_await english_auction(me, message, next, last_name, scene.terms());
    expect_equal(sale.accepted.size(), 2U, "accepted bids");
    expect_equal(sale.accepted.back().from.name, std::string("di"), "the chosen one");
    co_await have_gone_home(scene, me);
  });
}

void the_price_of_a_dutch_auction_falls_until_the_goods_are_sold(Scene& scene) {
  scene.run({{"bob", pays(30)}, {"cy", pays(45)}, {"di", pays(20)}}, [&](Agent& me) -> Task<> {
    int left = 2;
    const auto next = [&left](std::size_t number, const Answer* sold) -> std::optional<Body> {
      if (sold != nullptr) --left;
      const int amount = 60 - 10 * static_cast<int>(number);
      if (left == 0 || amount <= 0) return std::nullopt;
      return price(amount);
    };
    const Message message = to("bob", "cy", "di");
    Terms terms = scene.terms().reply_within(200ms);
    const Sale sale = co_await dutch_auction(me, message, next, terms);
    expect_equal(sale.accepted.size(), 2U, "sold");
    expect_equal(sale.accepted.at(0).from.name, std::string("cy"), "the first buyer");
    expect_equal(number_in(sale.accepted[0].message), 40, "its price");
    expect_equal(number_in(sale.accepted[1].message), 30, "the second price");
    co_await have_gone_home(scene, me);
  });
}

Proxy some_proxy() {
  Proxy proxy;
  proxy.targets = sl::term_from("(all ?x (sells ?x books))");
  proxy.message.performative = Act::request;
  proxy.message.language = "fipa-sl";
  proxy.message.content = std::string("(p)");
  return proxy;
}

// A broker that passes a proxy on to these agents.
Partner::Conversing brokers(Scene& scene, std::vector<std::string> targets) {
  return [&scene, targets](Partner& me, Talk& talk) -> Task<> {
    std::vector<AgentId> found;
    for (const std::string& each : targets) found.push_back({each, {}, {}, {}});
    if (talk.is_about(brokering_protocol)) co_await serve_as_broker(me, talk, found, scene.terms());
    else co_await serve_as_recruiter(me, talk, found);
  };
}

void a_broker_passes_the_answers_of_all_targets_back(Scene& scene) {
  scene.run({{"bob", brokers(scene, {"cy", "di"})},
             {"cy", says({Act::agree, Act::inform}, "(c)")},
             {"di", says({Act::refuse}, "(d)")}},
            [&](Agent& me) -> Task<> {
              const AgentId bob{"bob", {}, {}, {}};
              const Proxy proxy = some_proxy();
              Brokered brokered = co_await broker(me, bob, proxy, 0, scene.terms());
              expect(brokered.broker.outcome == Outcome::done, "the broker is ready");
              expect_equal(brokered.answers.size(), 3U, "with the agreement");
              brokered = co_await broker(me, bob, proxy, 1, scene.terms());
              expect(brokered.broker.outcome == Outcome::done, "one answer was enough");
            });
}

void the_targets_of_a_recruiter_answer_by_themselves(Scene& scene) {
  scene.run({{"bob", brokers(scene, {"cy", "di"})},
             {"cy", says({Act::inform}, "(c)")},
             {"di", says({Act::inform}, "(d)")}},
            [&](Agent& me) -> Task<> {
              const AgentId bob{"bob", {}, {}, {}};
              const Proxy proxy = some_proxy();
              const Brokered brokered = co_await recruit(me, bob, proxy, 2, scene.terms());
              std::vector<std::string> senders;
              for (const Message& each : brokered.answers) senders.push_back(each.sender.name);
              std::ranges::sort(senders);
              std::string all = to_string(brokered.broker.outcome);
              for (const std::string& each : senders) all += " " + each;
              expect_equal(all, std::string("done cy di"), "both have answered");
            });
}

void a_broker_that_finds_nobody_or_does_not_understand_fails(Scene& scene) {
  scene.run({{"bob", brokers(scene, {})}, {"cy", says({Act::inform})}}, [&](Agent& me) -> Task<> {
    const AgentId bob{"bob", {}, {}, {}};
    Proxy proxy = some_proxy();
    Brokered brokered = co_await broker(me, bob, proxy, 0, scene.terms());
    expect(brokered.broker.outcome == Outcome::failed, "nobody was found");
    expect(brokered.answers.empty(), "no answers");
    brokered = co_await recruit(me, bob, proxy, 1, scene.terms());
    expect(brokered.broker.outcome == Outcome::failed, "no recruits");
    proxy.message.performative = Act::cfp;
    brokered = co_await broker(me, bob, proxy, 0, scene.terms());
    expect(brokered.broker.outcome == Outcome::refused, "contract nets are not passed on");
  });
}

const bool registered_auctions = on_every_ground(
    "auctions", {GROUND_CASE(the_price_of_an_english_auction_rises_until_nobody_bids),
                 GROUND_CASE(the_auctioneer_may_choose_the_bid_and_end_the_auction),
                 GROUND_CASE(the_price_of_a_dutch_auction_falls_until_the_goods_are_sold),
                 GROUND_CASE(a_broker_passes_the_answers_of_all_targets_back),
                 GROUND_CASE(the_targets_of_a_recruiter_answer_by_themselves),
                 GROUND_CASE(a_broker_that_finds_nobody_or_does_not_understand_fails)});

}  // namespace

}  // namespace coracle::acl::test
