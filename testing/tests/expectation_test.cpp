// Tests of expectations: the messages that meet them, and the text when none does.
#include "coracle/coracle.hpp"
#include "coracle/testing.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::testing {

namespace {

using namespace std::chrono_literals;

struct Numbers {
  static constexpr std::string_view content_type = "numbers/v1";
  std::vector<int> all;
};

// Sends the texts to `to`, one each second.
Body telling(std::string to, std::vector<std::string> texts) {
  return [to, texts](Agent& me) -> Task<> {
    for (const std::string& text : texts) {
      co_await me.send(to, text);
      co_await me.pause(1s);
    }
  };
}

Body reading() {
  return [](Agent& me) -> Task<> {
    for (;;) co_await me.receive();
  };
}

Body deaf() {
  return [](Agent& me) -> Task<> { co_await me.pause(1000h); };
}

template <class Action>
std::string failure_of(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

bool says(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (text.find(part) == std::string::npos) {
      BOOST_TEST_MESSAGE("'" << part << "' is missing in: " << text);
      return false;
    }
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expectation)

BOOST_FIXTURE_TEST_CASE(a_message_that_comes_in_time_meets_it, Society) {
  const Time before = now();
  play("b", reading());
  play("a", telling("b", {"hello"}));
  const Seen seen = expect(message).from("a").to("b").within(2s);
  BOOST_TEST(seen.text() == "hello");
  BOOST_TEST((seen.at >= before && seen.at < before + 1s));
}

BOOST_FIXTURE_TEST_CASE(a_message_meets_one_expectation, Society) {
  play("b", reading());
  play("a", telling("b", {"x", "x"}));
  const Seen first = expect(message).text("x").within(3s);
  const Seen second = expect(message).text("x").within(3s);
  BOOST_TEST(first.number < second.number);
  BOOST_TEST(!expect(message).text("x").judge_within(3s).met);
}

BOOST_FIXTURE_TEST_CASE(what_came_before_counts_unless_it_is_forgotten, Society) {
  play("b", reading());
  play("a", telling("b", {"one", "two"}));
  pass(5s);
  expect(message).text("two").within(0s);
  expect(message).text("one").within(0s);
  play("c", telling("b", {"three"}));
  pass(5s);
  forget();
  BOOST_TEST(!expect(message).text("three").judge_within(1s).met);
}

BOOST_FIXTURE_TEST_CASE(an_order_can_be_asked_for, Society) {
  play("b", reading());
  play("a", telling("b", {"one", "two"}));
  const Seen two = expect(message).text("two").within(5s);
  BOOST_TEST(!expect(message).text("one").after(two).judge_within(1s).met);
  expect(message).text("one").within(0s);
}

BOOST_FIXTURE_TEST_CASE(one_that_is_not_met_says_what_came_near_and_how_to_repeat_it, Society) {
  play("b", reading());
  play("c", reading());
  play("a", telling("b", {"hello", "goodbye"}));
  const std::string text =
      failure_of([&] { expect(message).from("a").to("c").text("hello").within(1500ms); });
  BOOST_TEST(says(text, {"expectation_test.cpp:", "expected a message from a to c",
                         "with the text \"hello\" within 1.5 s, and none came",
                         "a to b \"hello\" (not to c)", "CORACLE_SEED=1", "unit-testing"}));
  BOOST_TEST(text.find("goodbye") != std::string::npos, text);
}

BOOST_FIXTURE_TEST_CASE(the_nearest_are_named_when_there_are_many, Society) {
  play("b", reading());
  std::vector<std::string> texts(20, "noise");
  texts[3] = "almost";
  play("a", telling("b", texts));
  pass(30s);
  const auto fits = [](const Seen& seen) { return seen.text() == "almost" && seen.number > 99; };
  const Judgement judgement =
      expect(message).containing("most").that("the hundredth", fits).judge_within(1s);
  BOOST_TEST(says(judgement.what, {"a to b \"almost\" (not that is the hundredth)"}));
  BOOST_TEST(std::count(judgement.what.begin(), judgement.what.end(), '\n') == 5);
}

BOOST_FIXTURE_TEST_CASE(silence_is_said_to_be_silence, Society) {
  const std::string text = failure_of([&] { expect(message).within(1s); });
  BOOST_TEST(says(text, {"expected a message within 1 s", "No message was sent at all"}));
}

BOOST_FIXTURE_TEST_CASE(no_message_is_broken_by_the_one_that_comes, Society) {
  play("b", reading());
  play("a", telling("b", {"one", "two"}));
  expect(message).text("one").within(1s);
  expect(no_message).text("two").within(500ms);
  const std::string text = failure_of([&] { expect(no_message).to("b").within(10s); });
  BOOST_TEST(says(text, {"expected no message to b within 10 s, and one came", "a to b \"two\""}));
}

BOOST_FIXTURE_TEST_CASE(an_hour_of_nothing_takes_no_time, Society) {
  const Time before = now();
  expect(no_message).within(1h);
  BOOST_TEST((now() >= before + 1h));
}

BOOST_FIXTURE_TEST_CASE(everything_is_read_or_it_is_said_what_is_not, Society) {
  play("b", reading());
  play("a", telling("b", {"one", "two"}));
  expect(quiet).within(3s);
  play("c", deaf());
  play("d", telling("c", {"for nobody"}));
  pass(2s);
  const std::string text = failure_of([&] { expect(quiet).within(1s); });
  BOOST_TEST(says(text, {"expected that everything that was sent is read within 1 s",
                         "1 waited in mailboxes"}));
}

BOOST_FIXTURE_TEST_CASE(a_condition_is_waited_for, Society) {
  int doors = 0;
  play("porter", [&doors](Agent& me) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      co_await me.pause(1s);
      ++doors;
    }
  });
  expect("two doors are open", [&] { return doors == 2; }).within(3s);
  const Judgement judgement = expect("three are", [&] { return doors == 3; }).judge_within(3s);
  BOOST_TEST(says(judgement.what, {"expected that three are within 3 s", "that never happened"}));
}

BOOST_FIXTURE_TEST_CASE(members_replies_and_conversations_are_told_apart, Society) {
  const Body answering = [](Agent& me) -> Task<> {
    co_await me.join(group("all"));
    for (;;) {
      const Message asked = co_await me.receive();
      if (asked.is_request()) co_await me.reply(asked, "yes");
    }
  };
  play("b", answering);
  play("c", answering);
  pass(1ms);
  act([](Agent& me) -> Task<> {
    co_await me.send("b", "seven", 7);
    co_await me.multicast(group("all"), "everybody");
    (void)co_await me.ask("c", "well?", 1s);
  });
  expect(message).to("b").in_conversation(7).within(0s);
  for (const char* name : {"b", "c"}) expect(message).to(name).text("everybody").within(0s);
  expect(message).from("c").to("test").text("yes").within(0s);
  BOOST_TEST(expect(message).text("well?").within(0s).is_request);
}

BOOST_FIXTURE_TEST_CASE(typed_content_is_seen_as_it_is, Society) {
  play("b", reading());
  play("a", [](Agent& me) -> Task<> {
    Numbers numbers;
    numbers.all = {1, 2, 3};
    const Content content = Content::of(numbers);
    co_await me.send("b", content);
  });
  const auto three = [](const Seen& seen) {
    const auto* numbers = seen.content.try_as<Numbers>();
    return numbers != nullptr && numbers->all.size() == 3;
  };
  const Seen seen = expect(message).that("three numbers", three).within(1s);
  BOOST_TEST(seen.text() == "<numbers/v1>");
}

BOOST_FIXTURE_TEST_CASE(an_actor_that_fails_fails_the_test, Society) {
  play("a", [](Agent& me) -> Task<> {
    co_await me.pause(1s);
    fail("it is raining");
  });
  const std::string text = failure_of([&] { expect(no_message).within(1h); });
  BOOST_TEST(says(text, {"a: ", "it is raining", "CORACLE_SEED=1"}));
  BOOST_TEST((now() < Time(1h)));
}

BOOST_FIXTURE_TEST_CASE(a_test_that_does_not_end_is_ended, Society) {
  const std::string text = failure_of([&] { act(deaf(), 5s); });
  BOOST_TEST(says(text, {"has not ended within 5"}));
}

BOOST_AUTO_TEST_CASE(on_threads_time_is_real) {
  sim::Options options;
  options.trace_messages = false;
  sim::World world(options);
  Realization parts = world.realization();  // a transport, a directory, and queues
  parts.driver = nullptr;
  parts.clock = nullptr;
  Society society(std::move(parts));
  society.play("b", reading());
  society.play("a", telling("b", {"hello"}));
  society.expect(message).from("a").to("b").text("hello").within(20s);
  society.expect(quiet).within(20s);
  const std::string text = failure_of([&] { society.expect(message).to("b").within(10ms); });
  BOOST_TEST(says(text, {"and none came", "has met another expectation", "ran on threads"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
