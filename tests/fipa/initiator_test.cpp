// The initiator's functions, on every realization.
#include "partners.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::acl::test {

namespace {

void a_request_gets_the_answer_of_each_receiver(Scene& scene) {
  scene.run({{"bob", says({Act::agree, Act::inform})},
             {"cy", says({Act::inform}, "(q)")},
             {"di", says({Act::refuse}, "(r)")},
             {"ed", says({Act::agree, Act::failure})},
             {"flo", says({Act::not_understood})}},
            [&](Agent& me) -> Task<> {
              const Message message = to("bob", "cy", "di", "ed", "flo");
              const Answers answers = co_await request(me, message, scene.terms());
              expect_equal(shown(answers),
                           std::string("bob: done (p), cy: done (q), di: refused (r), ed: failed "
                                       "(p), flo: not understood (p)"),
                           "the answers");
              expect(static_cast<bool>(answers[0]) && !answers[2], "what is done");
            });
}

void a_query_a_condition_and_a_proposal_are_answered(Scene& scene) {
  const auto by_protocol = [](Partner&, Talk& talk) -> Task<> {
    const bool is_proposal = talk.is_about(propose_protocol);
    Speech speech(is_proposal ? Act::accept_proposal : Act::inform,
                  "(" + std::string(to_text(talk.opening().performative)) + ")");
    (void)co_await talk.say(std::move(speech));
  };
  scene.run({{"bob", by_protocol}}, [&](Agent& me) -> Task<> {
    Message message = to("bob");
    Answers answers = co_await query(me, message, scene.terms());
    expect_equal(shown(answers), std::string("bob: done (query-ref)"), "a query");
    message.performative = Act::query_if;
    answers = co_await query(me, message, scene.terms());
    expect_equal(shown(answers), std::string("bob: done (query-if)"), "a question");
    answers = co_await request_when(me, message, scene.terms());
    expect_equal(shown(answers), std::string("bob: done (request-when)"), "a condition");
    answers = co_await propose(me, message, scene.terms());
    expect_equal(shown(answers), std::string("bob: accepted (propose)"), "a proposal");
  });
}

void who_does_not_answer_in_time_has_expired(Scene& scene) {
  const auto silent = [](Partner& me, Talk& talk) -> Task<> {
    const std::optional<Message> message = co_await talk.next();
    expect(!message, "there is nothing to hear");
    me.note(to_string(talk.session().outcome()));
    Speech late(Act::inform);
    expect(!co_await talk.say(std::move(late)), "it is too late");
  };
  scene.run({{"bob", silent}, {"cy", says({Act::inform})}}, [&](Agent& me) -> Task<> {
    const Message message = to("bob", "cy", "nobody");
    Terms terms = scene.terms().reply_within(300ms);
    const Answers answers = co_await request(me, message, terms);
    expect_equal(shown(answers), std::string("bob: expired, cy: done (p), nobody: expired"),
                 "the answers");
    while (!scene.diary().has("bob expired")) co_await me.pause(1ms);
  });
}

void an_agreement_takes_as_long_as_it_likes_until_the_end_of_all(Scene& scene) {
  const auto slow = [](Partner& me, Talk& talk) -> Task<> {
    Speech yes(Act::agree);
    expect(co_await talk.say(std::move(yes)), "it agrees");
    co_await me.pause(600ms);
    Speech done(Act::inform);
    expect(co_await talk.say(std::move(done)), "it is done");
  };
  scene.run({{"bob", slow}}, [&](Agent& me) -> Task<> {
    const Message message = to("bob");
    Terms terms = scene.terms().reply_within(500ms);
    expect_equal(shown(co_await request(me, message, terms)), std::string("bob: done"), "in time");
    terms.until(400ms);
    expect_equal(shown(co_await request(me, message, terms)), std::string("bob: expired"), "late");
  });
}

void the_best_proposal_is_accepted_and_the_others_are_rejected(Scene& scene) {
  const auto cheapest = choose_best(
      [](const Answer& a, const Answer& b) { return number_in(a.message) < number_in(b.message); });
  scene.run({{"bob", bids(7)}, {"cy", bids(3)}, {"di", bids(5)}, {"ed", says({Act::refuse})}},
            [&](Agent& me) -> Task<> {
              const Message message = to("bob", "cy", "di", "ed", "nobody");
              Terms terms = scene.terms().reply_within(300ms);
              const Answers answers = co_await contract_net(me, message, cheapest, terms);
              expect_equal(shown(answers),
                           std::string("bob: rejected ((price 7)), cy: done ((done cy)), di: "
                                       "rejected ((price 5)), ed: refused (p), nobody: expired"),
                           "the answers");
              while (scene.diary().count("bob has lost") + scene.diary().count("di has lost") < 2) {
                co_await me.pause(1ms);
              }
            });
}

void several_may_be_accepted_and_a_missing_decision_rejects(Scene& scene) {
  const auto first_two = [](const Answers& proposals) {
    expect_equal(proposals.size(), 3U, "proposals");
    return std::vector<Speech>(2, Speech(Act::accept_proposal));
  };
  scene.run({{"bob", bids(1)}, {"cy", bids(2)}, {"di", bids(3)}}, [&](Agent& me) -> Task<> {
    const Message message = to("bob", "cy", "di");
    const Answers answers = co_await contract_net(me, message, first_two, scene.terms());
    expect_equal(shown(answers),
                 std::string("bob: done ((done bob)), cy: done ((done cy)), di: rejected "
                             "((price 3))"),
                 "the answers");
  });
}

void an_iterated_net_calls_again_until_it_accepts(Scene& scene) {
  // Each bidder asks for 2 less in each round.
  const auto yielding = [](int price) {
    return [price](Partner&, Talk& talk) -> Task<> {
      int now = price;
      for (;;) {
        Speech bid(Act::propose, "((price " + std::to_string(now) + "))");
        (void)co_await talk.say(std::move(bid));
        const std::optional<Message> next = co_await talk.next();
        if (!next || next->performative == Act::reject_proposal) co_return;
        if (next->performative == Act::accept_proposal) break;
        now -= 2;
      }
      Speech done(Act::inform, "((sold " + std::to_string(now) + "))");
      (void)co_await talk.say(std::move(done));
    };
  };
  const auto below_five = [](const Answers& proposals) {
    std::vector<Speech> decisions;
    for (const Answer& each : proposals) {
      const int price = number_in(each.message);
      decisions.emplace_back(price < 5    ? Act::accept_proposal
                             : price > 20 ? Act::reject_proposal
                                          : Act::cfp);
    }
    return decisions;
  };
  scene.run({{"bob", yielding(9)}, {"cy", yielding(50)}, {"di", yielding(5)}},
            [&](Agent& me) -> Task<> {
              const Message message = to("bob", "cy", "di");
              const Answers answers =
                  co_await iterated_contract_net(me, message, below_five, scene.terms());
              expect_equal(shown(answers),
                           std::string("bob: done ((sold 3)), cy: rejected ((price 50)), di: done "
                                       "((sold 3))"),
                           "the answers");
            });
}

void a_subscription_gives_news_until_it_is_cancelled(Scene& scene) {
  const auto ticking = [](Partner& me, Talk& talk) -> Task<> {
    for (int i = 0; !talk.is_cancelling(); ++i) {
      Speech news(Act::inform, "((tick " + std::to_string(i) + "))");
      if (!co_await talk.say(std::move(news))) break;
      (void)co_await talk.next(10ms);
    }
    me.note("stops");
  };
  scene.run({{"bob", ticking}}, [&](Agent& me) -> Task<> {
    const Message message = to("bob");
    Subscription news = co_await subscribe(me, message, scene.terms());
    for (int i = 0; i < 3; ++i) {
      const std::optional<Message> tick = co_await news.next(5s);
      expect(tick.has_value(), "there is news");
      expect_equal(number_in(*tick), i, "in order");
    }
    co_await news.cancel();
    expect(!news.is_open(), "it is over");
    expect(news.answers().at(0).outcome == Outcome::cancelled, "it was cancelled");
    expect(!co_await news.next(1s), "no more news");
    while (!scene.diary().has("bob stops")) co_await me.pause(1ms);
  });
}

void a_subscription_ends_when_the_publisher_refuses_or_fails(Scene& scene) {
  scene.run({{"bob", says({Act::agree, Act::inform, Act::failure})}, {"cy", says({Act::refuse})}},
            [&](Agent& me) -> Task<> {
              const Message message = to("bob", "cy");
              Subscription news = co_await subscribe(me, message, scene.terms());
              expect((co_await news.next()).has_value(), "one message comes");
              expect(!co_await news.next(), "then it ends by itself");
              expect_equal(shown(news.answers()), std::string("bob: failed (p), cy: refused (p)"),
                           "the answers");
              Subscription none = co_await subscribe(me, message, scene.terms());
              (void)co_await none.next(0ms);
            });
}

const bool registered_initiators = on_every_ground(
    "initiator", {GROUND_CASE(a_request_gets_the_answer_of_each_receiver),
                  GROUND_CASE(a_query_a_condition_and_a_proposal_are_answered),
                  GROUND_CASE(who_does_not_answer_in_time_has_expired),
                  GROUND_CASE(an_agreement_takes_as_long_as_it_likes_until_the_end_of_all),
                  GROUND_CASE(the_best_proposal_is_accepted_and_the_others_are_rejected),
                  GROUND_CASE(several_may_be_accepted_and_a_missing_decision_rejects),
                  GROUND_CASE(an_iterated_net_calls_again_until_it_accepts),
                  GROUND_CASE(a_subscription_gives_news_until_it_is_cancelled),
                  GROUND_CASE(a_subscription_ends_when_the_publisher_refuses_or_fails)});

}  // namespace

}  // namespace coracle::acl::test
