// Promise 10, within a process: bad input gets its own Errc and a sentence with the next step.
#include "coracle/realizations/open.hpp"
#include "coracle/typed.hpp"
#include "play.hpp"

namespace coracle::conformance {

namespace {

void an_invalid_name_is_refused_with_bad_name(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const std::string too_long(256, 'x');
    for (const std::string& text :
         {std::string(), std::string("a//b"), std::string("/a"), std::string("a/"),
          std::string("a/../b"), std::string("a\nb"), std::string("\xff\xfe"), too_long}) {
      expect_error(test::error_from([&] { Name name(text); }), Errc::bad_name, "a name");
      expect_error(test::error_from([&] { (void)me.find(text); }), Errc::bad_name, "a look-up");
      expect_error(co_await error_of([](Agent& self, const std::string& to) -> Task<> {
                     co_await self.send(to, "x");
                   }(me, text)),
                   Errc::bad_name, "a send");
    }
    expect_equal(me.node().ledger().sent, 0u, "nothing was sent");
  });
}

void content_over_the_limit_is_refused_before_anything_is_sent(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.content_limit = 1000;
  play(subject, options, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), echo_to("main"));
    const std::string too_much(1001, 'x');
    expect_error(co_await me.send_result("ann", too_much), Errc::too_large, "a send");
    const std::vector<Name> both = {"ann", "bob"};
    Post post(both, too_much);
    expect_error(co_await error_of(me.send(std::move(post))), Errc::too_large, "to several");
    expect_error(co_await me.ask_result("ann", too_much, soon), Errc::too_large, "a request");
    const std::string enough(1000, 'x');
    co_await me.send("ann", enough);
    expect_equal((co_await hear(me)).size(), 1000u, "what fits arrives");
  });
}

// A society whose second node, the place of the agent that is started first, takes less.
std::vector<Realization> of_two_limits(const Subject& subject) {
  std::vector<Realization> nodes = nodes_of(subject);
  nodes.at(1).content_limit = 1000;
  return nodes;
}

void content_over_its_readers_limit_is_refused_alone(const Subject& subject) {
  Society society(of_two_limits(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", echo_to("main"));
    const std::string enough(1000, 'x'), too_much(1001, 'x');
    for (const std::string& text : {std::string("first"), too_much, enough, std::string("last")}) {
      Receipt receipt = co_await me.track(Post("ann", text));
      (void)co_await receipt.reached(Stage::consumed, soon);
      const Outcome wanted = text == too_much ? Outcome::refused : Outcome::consumed;
      expect(receipt.first().outcome == wanted, std::to_string(text.size()) + " bytes");
    }
    expect_error(co_await me.ask_result("ann", too_much, soon), Errc::too_large, "a request");
    for (const std::string& text : {std::string("first"), enough, std::string("last")})
      expect_equal(co_await hear(me), text, "what fits arrives in its order");
    co_await hear_nothing(me);
    expect(me.node().ledger().balanced(), "the ledger of the sender is balanced");
  });
  const StopReport report = society.stop();
  expect(report.clean() && report.ledger.balanced(), report.to_string());
}

void copies_over_an_eavesdroppers_limit_are_in_a_gap(const Subject& subject) {
  Society society(of_two_limits(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    Body eavesdrop = [](Agent& eve) -> Task<> {
      const Tap tap = co_await eve.overhear(Pattern().source_is("main"));
      co_await eve.send("main", "ready");
      const Message gap = co_await take(eve, overheard_by(tap));
      expect_equal(gap.gap(), 1u, "the copy that is too large");
      expect_equal(co_await hear(eve, overheard_by(tap)), "small", "the next copy");
      co_await eve.send("main", "done");
    };
    co_await start(me, "eve", eavesdrop);
    expect_equal(co_await hear(me), "ready", "eve overhears");
    const std::string too_much(1001, 'x');
    co_await me.send(me.self(), too_much);
    co_await me.send(me.self(), "small");
    expect_equal(co_await hear(me), too_much, "the conversation goes on");
    expect_equal(co_await hear(me), "small", "the conversation goes on");
    expect_equal(co_await hear(me), "done", "eve has seen all");
  });
}

void an_unknown_realization_is_refused_with_bad_realization(const Subject&) {
  for (const char* text : {"nonsense:", "local", "local:colour=blue", ":", "local:names=many"})
    expect_error(test::error_from([&] { open(text); }), Errc::bad_realization, text);
}

void a_pattern_that_cannot_be_compiled_is_refused_with_bad_pattern(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    for (const char* regex : {"(", "[z-a]", "a{1001}", "*"})
      expect_error(test::error_from([&] { Pattern().text(regex); }), Errc::bad_pattern, regex);
    expect_error(test::error_from([] { Pattern().format("%q"); }), Errc::bad_pattern, "a format");
    expect_error(test::error_from([] { (void)where("name").matches("("); }), Errc::bad_pattern,
                 "a condition");
    expect_equal(me.pending(), 0u, "nothing happened");
    co_return;
  });
}

void reading_on_a_node_that_stops_fails_with_stopped(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    Body patient = [](Agent& ann) -> Task<> {
      std::optional<Error> error;
      try {
        co_await ann.receive();
      } catch (const Error& caught) {
        error = caught;
      }
      expect_error(error, Errc::stopped, "the receive");
    };
    co_await start(me, across(me, "ann"), patient);
  });
  society.stop();
}

void a_node_that_has_stopped_takes_no_more_agents(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  society.run([](Agent&) -> Task<> { co_return; });
  society.stop();
  Body nothing = [](Agent&) -> Task<> { co_return; };
  const auto error = test::error_from([&] {
    society.node().adopt("late", std::make_unique<test::Actor>(nothing, society.proceedings()));
  });
  expect_error(error, Errc::stopped, "an agent that comes too late");
}

struct Plan {
  static constexpr std::string_view content_type = "plan/v1";
  int steps = 0;
};

void reading_the_wrong_type_fails_with_wrong_type_and_loses_nothing(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await me.send(me.self(), "just text");
    const Message message = co_await take(me);
    expect_error(test::error_from([&] { (void)message.as<Plan>(); }), Errc::wrong_type,
                 "text as a plan");
    expect_equal(message.text(), "just text", "the message is still whole");
    const Content rubbish = Content::bytes(std::as_bytes(std::span("rubbish")), "plan/v1");
    co_await me.send(me.self(), rubbish);
    const Message second = co_await take(me);
    expect_error(test::error_from([&] { (void)second.as<Plan>(); }), Errc::bad_encoding,
                 "rubbish as a plan");
    co_await me.send(me.self(), Content::of(Plan{3}));
    expect_equal((co_await take(me)).as<Plan>().steps, 3, "a plan as a plan");
  });
}

void impossible_options_are_refused_with_bad_options(const Subject& subject) {
  const auto opened_with = [&](auto change) {
    NodeOptions options = options_for(subject);
    change(options);
    return test::error_from([&] { Node node(subject.open(), options); });
  };
  expect_error(opened_with([](NodeOptions& o) { o.workers = 257; }), Errc::bad_options, "workers");
  expect_error(opened_with([](NodeOptions& o) { o.mailbox.messages(0); }), Errc::bad_options,
               "a mailbox without room");
  expect_error(opened_with([](NodeOptions& o) { o.patience = Duration(-1); }), Errc::bad_options,
               "a negative patience");
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec nowhere("ann");
    nowhere.on_worker(1000);
    expect_error(co_await error_of(start(me, nowhere, deaf())), Errc::bad_options, "worker 1000");
    expect(!co_await me.node().directory().look_up("ann"), "ann was not registered");
  });
}

void a_node_cannot_be_used_like_from_outside_by_its_agents(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body nothing = [](Agent&) -> Task<> { co_return; };
    auto& proceedings = dynamic_cast<test::Actor&>(me).proceedings();
    expect_error(test::error_from([&] {
                   me.node().adopt("ann", std::make_unique<test::Actor>(nothing, proceedings));
                 }),
                 Errc::wrong_thread, "Node::adopt by an agent");
    co_return;
  });
}

}  // namespace

Cases bad_input_cases() {
  return {
      CORACLE_CASE(10, an_invalid_name_is_refused_with_bad_name),
      CORACLE_CASE(10, content_over_the_limit_is_refused_before_anything_is_sent),
      CORACLE_CASE_NEEDS(10, content_over_its_readers_limit_is_refused_alone, second_node),
      CORACLE_CASE_NEEDS(10, copies_over_an_eavesdroppers_limit_are_in_a_gap, second_node),
      CORACLE_CASE(10, an_unknown_realization_is_refused_with_bad_realization),
      CORACLE_CASE(10, a_pattern_that_cannot_be_compiled_is_refused_with_bad_pattern),
      CORACLE_CASE(10, reading_on_a_node_that_stops_fails_with_stopped),
      CORACLE_CASE(10, a_node_that_has_stopped_takes_no_more_agents),
      CORACLE_CASE(10, reading_the_wrong_type_fails_with_wrong_type_and_loses_nothing),
      CORACLE_CASE(10, impossible_options_are_refused_with_bad_options),
      CORACLE_CASE(10, a_node_cannot_be_used_like_from_outside_by_its_agents),
      CORACLE_CASE_ELSEWHERE(
          10, a_peer_that_sends_nonsense_loses_its_connection_alone, connection,
          "tests/faults/central/campaign_central_strangers_test.cpp: "
          "those_who_say_little_or_nonsense_are_sent_away_and_nobody_else_suffers"),
  };
}

}  // namespace coracle::conformance
