// Tests of a society on several hosts, with their faults, and with faults that a seed makes.
#include "coracle/coracle.hpp"
#include "coracle/testing.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::testing {

namespace {

using namespace std::chrono_literals;

class Echo : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message said = co_await receive();
      co_await reply(said, said.content());
    }
  }
};

// Counts the messages that it reads, and replies with the count.
class Counter : public Agent {
 public:
  Task<> run() override {
    for (int count = 1;; ++count) {
      const Message said = co_await receive();
      co_await reply(said, std::to_string(count));
    }
  }
};

sim::Options three_hosts() {
  sim::Options options;
  options.nodes = 3;
  options.record = true;
  return options;
}

void echo_on(Node& node) { node.create<Echo>("echo"); }
void counter_on(Node& node) { node.create<Counter>("counter"); }
void counter_at_once_on(Node& node) { node.create<Counter>(AgentSpec("counter").take_over()); }

Task<> say_hello(Agent& me) { co_await me.send("echo", "hello"); }

// Sends one request; a crash of the counter's host ends that.
void asks_once(sim::World& world, const sim::Faults& faults) {
  Society society(world);
  society.host(counter_on);
  society.suffer(faults);
  society.act([](Agent& me) -> Task<> {
    for (int round = 0; round < 10; ++round) {
      co_await me.pause(20ms);
      const auto answer = co_await me.ask_result("counter", "next", 5s);
      if (!answer) throw Failure("no answer: " + answer.error().sentence());
    }
  });
}

// Repeats the request until there is a reply.
void asks_again(sim::World& world, const sim::Faults& faults) {
  Society society(world);
  society.host(counter_on);
  society.suffer(faults);
  society.act(
      [](Agent& me) -> Task<> {
        for (int round = 0; round < 10; ++round) {
          co_await me.pause(20ms);
          while (!co_await me.ask_result("counter", "next", 5s)) {
          }
        }
      },
      10min);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hosts)

BOOST_AUTO_TEST_CASE(messages_between_hosts_are_seen_by_expectations) {
  sim::World world(three_hosts());
  Society society(world);
  BOOST_TEST(society.host(echo_on) == 1U);
  BOOST_TEST(society.host([](Node& node) { node.create<Counter>("counter"); }) == 2U);
  society.act(say_hello);
  society.expect(message).from("test").to("echo").text("hello").within(1s);
  society.expect(message).from("echo").to("test").text("hello").within(1s);
  society.expect(no_message).from("echo").within(1s);
  BOOST_TEST(society.node(1).agents() == 1U);
}

BOOST_AUTO_TEST_CASE(a_way_that_is_cut_holds_messages_up_until_it_is_whole) {
  sim::World world(three_hosts());
  Society society(world);
  society.host(echo_on);
  society.cut(0, 1, 2s);
  const Time begun = society.now();
  society.play("ann", say_hello);
  society.expect(no_message).from("echo").within(1s);
  const Seen answer = society.expect(message).from("echo").within(5s);
  BOOST_TEST((answer.at - begun >= 2s));
}

BOOST_AUTO_TEST_CASE(a_host_that_pauses_answers_later) {
  sim::World world(three_hosts());
  Society society(world);
  society.host(echo_on);
  society.pause(1, 1s);
  const Time begun = society.now();
  society.play("ann", say_hello);
  const Seen answer = society.expect(message).from("echo").within(5s);
  BOOST_TEST((answer.at - begun >= 1s));
}

BOOST_AUTO_TEST_CASE(a_host_that_crashes_begins_its_program_anew) {
  sim::World world(three_hosts());
  Society society(world);
  int begun = 0;
  society.host([&begun](Node& node) {
    ++begun;
    counter_at_once_on(node);
  });
  const Body count = [](Agent& me) -> Task<> { co_await me.send("counter", "next"); };
  society.act(count);
  society.expect(message).from("counter").text("1").within(1s);
  society.act(count);
  society.expect(message).from("counter").text("2").within(1s);
  society.crash(1, 100ms);
  society.pass(50ms);
  BOOST_CHECK_THROW(society.node(1), Error);
  society.pass(10s);
  BOOST_TEST(begun == 2);
  society.act(count);
  society.expect(message).from("counter").text("1").within(30s);
}

BOOST_AUTO_TEST_CASE(a_program_whose_names_are_still_held_is_tried_again) {
  sim::World world(three_hosts());
  Society society(world);
  int tries = 0;
  society.host([&tries](Node& node) {
    ++tries;
    counter_on(node);
  });
  society.crash(1, 100ms);
  society.pass(1min);
  BOOST_TEST(tries > 2);
  BOOST_TEST(society.node(1).agents() == 1U);
  society.act([](Agent& me) -> Task<> { co_await me.send("counter", "next"); });
  society.expect(message).from("counter").text("1").within(1s);
}

BOOST_AUTO_TEST_CASE(recovering_ends_what_goes_wrong) {
  sim::World world(three_hosts());
  Society society(world);
  society.host(echo_on);
  society.cut(0, 1, 1h);
  society.pass(10ms);
  society.recover();
  society.play("ann", say_hello);
  society.expect(message).from("echo").within(5s);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  sim::World world(three_hosts());
  Society society(world);
  society.host(echo_on);
  society.host(counter_on);
  const auto is_bad = [](const Error& error) { return error.errc() == Errc::bad_options; };
  BOOST_CHECK_EXCEPTION(society.host(echo_on), Error, is_bad);
  BOOST_CHECK_EXCEPTION(society.crash(0, 1s), Error, is_bad);
  BOOST_CHECK_EXCEPTION(society.cut(0, 7, 1s), Error, is_bad);
  Society alone;
  BOOST_CHECK_EXCEPTION(alone.host(echo_on), Error, is_bad);
  BOOST_CHECK_EXCEPTION(first_finding(asks_once, Seeds()), Error, is_bad);
}

BOOST_AUTO_TEST_CASE(a_seed_finds_the_fault_that_a_program_does_not_survive) {
  Seeds seeds;
  seeds.count = 200;
  seeds.world = three_hosts();
  const std::optional<Finding> found = first_finding(asks_once, seeds);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST_REQUIRE(!found->faults.empty());
  const std::string text = found->to_string();
  BOOST_TEST(text.find("these faults suffice:") != std::string::npos, text);
  BOOST_TEST(text.find("test asks counter \"next\"") != std::string::npos, text);
  for (const char* inner : {" w0 ", "carried", "lease", "#"})
    BOOST_TEST(story_of(found->trace, 50).find(inner) == std::string::npos, text);
  sim::Options options = seeds.world;
  options.seed = found->seed;
  sim::World again(options, sim::scripted(found->shortest));
  BOOST_CHECK_THROW(asks_once(again, found->faults), Failure);
}

BOOST_AUTO_TEST_CASE(a_program_that_asks_again_survives_them_all) {
  Seeds seeds;
  seeds.count = 50;
  seeds.world = three_hosts();
  for_each_seed(asks_again, seeds);
}

BOOST_AUTO_TEST_CASE(a_trace_is_told_in_the_words_of_its_reader) {
  const std::string trace =
      "1000000000 w0 local opens a lease\n"
      "1000000000 - - part 0/2\n"
      "1000010000 w0 ann is claimed\n"
      "1000020000 w0 manager sends #3 of manager to ann \"build!\": carried\n"
      "1000030000 w0 ann keeps #3 of manager\n"
      "1000035000 w0 bob keeps #4 of manager, a request\n"
      "1000035000 w0 manager sends #4 of manager, a request to bob \"bid?\": carried\n"
      "1000040000 w0 ann sends #1 of ann, a request to bob: full\n"
      "1000050000 - - host 1 pauses\n"
      "1000060000 w0 ann ends by an exception: no nails\n"
      "1000070000 w0 ann leaves\n";
  BOOST_TEST(story_of(trace, 50) ==
             "  1.000010 s  ann begins\n"
             "  1.000020 s  manager sends ann \"build!\"\n"
             "  1.000030 s  ann gets \"build!\" from manager\n"
             "  1.000035 s  manager asks bob \"bid?\"\n"
             "  1.000035 s  bob gets \"bid?\" from manager\n"
             "  1.000040 s  ann asks bob something, in vain: there is no room\n"
             "  1.000050 s  host 1 pauses\n"
             "  1.000060 s  ann ends by an exception: no nails\n"
             "  1.000070 s  ann ends\n");
  BOOST_TEST(story_of(trace, 1) == "  1.000070 s  ann ends\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
