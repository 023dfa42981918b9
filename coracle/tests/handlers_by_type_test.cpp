// Handlers by type, in virtual time. The cases that do not compile are in
// refused/handlers_by_type.cpp.
#include "coracle/on.hpp"

#include "coracle/coracle.hpp"
#include "coracle/testing/society.hpp"
#include "support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <variant>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;
using testing::Body;
using testing::start;

struct Bid {
  static constexpr std::string_view content_type = "bid/v1";
  int amount = 0;
  std::string by;
};
struct Refusal {
  static constexpr std::string_view content_type = "refusal/v1";
  std::string reason;
};

Content bid(int amount) {
  Bid one;
  one.amount = amount;
  one.by = "somebody whose name does not fit into a small string";
  return Content::of(std::move(one));
}
Content refusal(std::string reason) {
  Refusal one;
  one.reason = std::move(reason);
  return Content::of(std::move(one));
}
Content bad_bid() { return Content::bytes(std::as_bytes(std::span("?")), "bid/v1"); }

template <class... Contents>
Task<> send_self(Agent& me, Contents... contents) {
  const std::vector<Content> all = {Content(contents)...};
  for (const Content& each : all) co_await me.send(me.self(), each);
}

// Returns the types of the messages that are still in the mailbox.
std::string rest(Agent& me) {
  std::string types;
  while (const auto message = me.try_receive()) {
    types += std::string(message->content().type()) + " ";
  }
  return types;
}

void play(Body body, NodeOptions options = {}) {
  sim::World world;
  testing::Society society(world, std::move(options));
  society.act(std::move(body));
}

int amount_of(const Bid& one) noexcept { return one.amount; }

}  // namespace

BOOST_AUTO_TEST_SUITE(handlers_by_type)

BOOST_AUTO_TEST_CASE(each_message_goes_to_the_handler_of_its_type) {
  const Body body = [](Agent& me) -> Task<> {
    std::string said;
    const auto handlers = on([&](Bid one) { said += std::to_string(one.amount); },
                             [&](const Refusal& one) { said += one.reason; },
                             [&](std::string&& text) { said += (text += "!"); },
                             [&](std::int64_t number) { said += std::to_string(number); });
    co_await me.send(me.self(), bid(7));
    co_await me.send(me.self(), "text");
    co_await me.send(me.self(), refusal("no"));
    co_await me.send(me.self(), Content::of(12));
    for (int i = 0; i < 4; ++i) co_await handlers.receive(me);
    expect_equal(said, "7text!no12", "in the order in which they were sent");
  };
  play(body);
  NodeOptions encoding;
  encoding.always_encode = true;
  play(body, encoding);
}

BOOST_AUTO_TEST_CASE(messages_without_a_handler_keep_their_place) {
  play([](Agent& me) -> Task<> {
    const Content other = Content::bytes({}, "other/v1");
    co_await send_self(me, other, refusal("a"), "text", bid(1), Content(), bid(2));
    int sum = 0;
    auto handlers = on([&](const Bid& one) { sum += one.amount; });
    expect_equal(me.pending(handlers.match()), 2U, "those that it takes");
    co_await handlers.receive(me);
    co_await handlers.receive(me);
    expect_equal(sum, 3, "both bids");
    expect_equal(rest(me), "other/v1 refusal/v1 text/plain  ", "the rest");
  });
}

BOOST_AUTO_TEST_CASE(the_last_handler_may_take_anything_else) {
  play([](Agent& me) -> Task<> {
    std::string said;
    const auto handlers =
        on([&](const Bid& one) { said += std::to_string(one.amount) + ' '; },
           [&](const Message& message) { said += std::string(message.content().type()) + ' '; });
    co_await send_self(me, "text", bid(1), Content(), refusal("a"));
    for (int i = 0; i < 4; ++i) co_await handlers.receive(me);
    expect_equal(said, "text/plain 1  refusal/v1 ", "in the order in which they were sent");
  });
}

BOOST_AUTO_TEST_CASE(what_the_handlers_give_is_returned_as_what_it_has_in_common) {
  play([](Agent& me) -> Task<> {
    const auto handlers = on(amount_of, [&me](Refusal one) -> Task<double> {
      co_await me.pause(1s);
      co_return static_cast<double>(one.reason.size()) / 2;
    });
    co_await send_self(me, refusal("abc"), bid(4));
    const double of_refusal = co_await handlers.receive(me);
    const std::optional<double> of_bid = co_await handlers.receive(me, 1s);
    expect(of_refusal == 1.5 && of_bid == 4, "both results");
    co_await me.send(me.self(), "text");
    const Message text = co_await on([](Message message) { return message; }).receive(me);
    expect_equal(text.text(), "text", "the message itself");
  });
}

BOOST_AUTO_TEST_CASE(a_read_whose_deadline_passes_gives_nothing) {
  play([](Agent& me) -> Task<> {
    co_await me.send(me.self(), "text");
    const Time begun = me.now();
    auto silent = on([](const Bid&) {});
    auto counting = on([](const Bid& one) { return one.amount; });
    expect(!co_await silent.receive(me, 2s), "nothing came");
    expect(!co_await counting.receive(me, from("nobody"), 3s), "nothing came from nobody");
    expect(me.now() - begun == 5s, "it has waited as long as it should");
    co_await send_self(me, bid(1), bid(2));
    expect(co_await silent.receive(me, 0s), "one was there");
    expect_equal((co_await counting.receive(me, from(me.self()), 0s)).value(), 2, "the other one");
    expect_equal(rest(me), "text/plain ", "the rest");
  });
}

BOOST_AUTO_TEST_CASE(a_read_may_be_limited_to_a_sender_or_a_conversation) {
  play([](Agent& me) -> Task<> {
    co_await me.send(me.self(), bid(1), 1);
    co_await me.send(me.self(), refusal("no"), 2);
    co_await me.send(me.self(), bid(2), 2);
    const auto handlers = on([](const Bid& one) { return one.amount; });
    expect_equal(co_await handlers.receive(me, in_conversation(2)), 2, "of conversation 2");
    const auto any = on([](const Message& m) { return m.conversation(); });
    expect_equal(co_await any.receive(me, in_conversation(2)), 2U, "anything of conversation 2");
    expect_equal(rest(me), "bid/v1 ", "the rest");
  });
}

BOOST_AUTO_TEST_CASE(a_handler_may_reply_and_a_reply_be_handled_by_type) {
  play([](Agent& me) -> Task<> {
    co_await start(me, "clerk", [](Agent& clerk) -> Task<> {
      // A result that can be awaited is awaited.
      const auto answer = on([&](const Bid& one, const Message& message) {
        return clerk.reply(message, one.amount > 5 ? bid(one.amount + 1) : refusal("too low"));
      });
      for (;;) co_await answer.receive(clerk);
    });
    const auto answers =
        on<std::variant<Bid, Refusal>>([](const Bid& one) { return std::to_string(one.amount); },
                                       [](const Refusal& one, Message) { return one.reason; });
    expect_equal(co_await answers.handle(co_await me.ask("clerk", bid(3))), "too low", "of 3");
    expect_equal(co_await answers.handle(co_await me.ask("clerk", bid(8))), "9", "of 8");
  });
}

BOOST_AUTO_TEST_CASE(a_message_without_a_handler_is_not_handled_and_comes_again) {
  play([](Agent& me) -> Task<> {
    co_await me.send(me.self(), "text");
    Message text = co_await me.receive();
    const auto handlers = on([](const Bid&) {});
    const auto error = co_await error_of(handlers.handle(std::move(text)));
    expect_error(error, Errc::wrong_type, "text is not a bid");
    expect((co_await me.receive()).redelivered(), "it was given back");
  });
}

BOOST_AUTO_TEST_CASE(a_message_is_acknowledged_when_its_handler_has_ended) {
  play([](Agent& me) -> Task<> {
    const auto in_hand = [&me] { return me.node().ledger().in_hand; };
    co_await send_self(me, bid(1), refusal("a"), refusal("b"));
    const auto handlers = on(
        [&](const Bid& one) -> Task<> {
          co_await me.pause(1s);
          expect_equal(in_hand(), 1U, "while it is handled");
          expect_equal(one.amount, 1, "the value is still there");
        },
        [&](const Refusal& one, Message message) -> Task<> {
          Message(std::move(message));
          expect_equal(in_hand(), 0U, "when the handler let it go");
          co_await me.pause(1s);
          expect_equal(one.reason, "a", "the value outlives its message");
        });
    co_await handlers.receive(me);
    expect_equal(in_hand(), 0U, "after the first");
    co_await handlers.receive(me);
    co_await on([&](const Refusal& one, Message& message) {
      message.acknowledge();
      expect_equal(one.reason, "b", "the value outlives the acknowledgement");
    }).receive(me);
    expect_equal(in_hand(), 0U, "after all");
    expect_equal(me.pending(), 0U, "all are read");
  });
}

BOOST_AUTO_TEST_CASE(an_exception_in_a_handler_gives_the_message_back) {
  play([](Agent& me) -> Task<> {
    co_await send_self(me, bid(1), bid(2));
    const auto fails = [] { throw Error(Errc::refused, "there is no time now; try again"); };
    const auto plain = on([&](const Bid&) { fails(); });
    const auto waiting = on([&](Bid&&, Message) -> Task<int> {
      co_await me.pause(1s);
      fails();
      co_return 1;
    });
    expect_error(co_await error_of(plain.receive(me)), Errc::refused, "of a function");
    expect_error(co_await error_of(waiting.receive(me)), Errc::refused, "of a coroutine");
    const auto in_time = [&]() -> Task<> { (void)co_await waiting.receive(me, 5s); };
    expect_error(co_await error_of(in_time()), Errc::refused, "with a deadline");
    const auto read = on([](const Bid& one, const Message& message) {
      return std::to_string(one.amount) + (message.redelivered() ? " again" : "");
    });
    expect_equal(co_await read.receive(me), "1 again", "the one that was given back");
    expect_equal(co_await read.receive(me), "2", "the next");
  });
}

BOOST_AUTO_TEST_CASE(content_that_is_not_what_it_says_fails_and_goes_to_the_dead_letters_at_last) {
  NodeOptions options;
  options.redelivery_limit = 2;
  play(
      [](Agent& me) -> Task<> {
        co_await send_self(me, bad_bid(), bid(2));
        const auto handlers =
            on([](const Bid& one) { return one.amount; }, [](const Message&) { return -1; });
        const auto receive = [&]() -> Task<> { (void)co_await handlers.receive(me); };
        for (int i = 0; i < 3; ++i) {
          expect_error(co_await error_of(receive()), Errc::bad_encoding, "no handler gets it");
        }
        expect_equal(co_await handlers.receive(me), 2, "the next");
        expect_equal(me.pending(), 0U, "it is not there any more");
        bool is_buried = false;
        co_await start(me, Node::dead_letters(), [&](Agent& undertaker) -> Task<> {
          const Message letter = co_await undertaker.receive();
          is_buried = letter.content().type() == "bid/v1";
        });
        while (!is_buried) co_await me.pause(1ms);
      },
      options);
}

BOOST_AUTO_TEST_CASE(a_value_is_shared_or_copied_as_the_handler_asks) {
  play([](Agent& me) -> Task<> {
    const Content content = bid(1);
    const Bid* const original = &content.as<Bid>();
    co_await send_self(me, content, content, content);
    co_await on([&](const Bid& one) { expect(&one == original, "the same"); }).receive(me);
    co_await on([&](Bid one) {
      expect(one.by.data() != original->by.data(), "a copy");
    }).receive(me);
    co_await on([&](Bid&& one) { one.by.clear(); }).receive(me);
    expect(!original->by.empty(), "the content is as it was");
  });
}

BOOST_AUTO_TEST_CASE(a_temporary_set_lives_as_long_as_its_read) {
  play([](Agent& me) -> Task<> {
    int sum = 0;
    const std::string owner = "a text that does not fit into a small string";
    Task<> first = on([&sum, owner](const Bid& one) {
                     sum += one.amount + (owner.empty() ? 100 : 0);
                   }).receive(me);
    me.spawn(on([&sum, &me, owner](const Bid& one) -> Task<> {
               co_await me.pause(1s);
               sum += one.amount + (owner.size() == 44 ? 0 : 100);
             }).receive(me));
    co_await send_self(me, bid(1), bid(20));
    co_await std::move(first);
    co_await me.pause(2s);
    expect_equal(sum, 21, "both have been handled");
  });
}

BOOST_AUTO_TEST_CASE(a_handler_may_change_what_it_holds) {
  play([](Agent& me) -> Task<> {
    const auto counting = on([count = 0](const Bid&) mutable { return ++count; });
    co_await send_self(me, bid(1), bid(1));
    expect_equal(co_await counting.receive(me), 1, "the first");
    expect_equal(co_await counting.receive(me), 2, "the second");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
