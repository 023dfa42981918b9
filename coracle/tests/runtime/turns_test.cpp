// A node without threads: its agents run on the thread that takes its turns.
#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"
#include "tests/support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <poll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

NodeOptions without_threads() {
  NodeOptions options;
  options.workers = 0;
  return options;
}

bool is_readable(const Node& node, std::chrono::milliseconds longest) {
  pollfd readable{node.descriptor(), POLLIN, 0};
  return ::poll(&readable, 1, static_cast<int>(longest.count())) == 1;
}

// A loop of a program, which does nothing else.
void run_until(Node& node, const std::function<bool()>& is_over) {
  for (;;) {
    const bool is_more = node.turn();
    if (is_over()) return;
    if (!is_more) (void)is_readable(node, 10s);
  }
}

Errc code_of(const std::function<void()>& what) {
  const std::optional<Error> error = error_from(what);
  return error ? error->errc() : Errc();
}

constexpr int rounds = 1000;

Task<> answer(Agent& me) {
  for (;;) {
    Message question = co_await me.receive();
    co_await me.reply(question, "yes");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(turns)

BOOST_AUTO_TEST_CASE(agents_run_on_the_thread_that_takes_the_turns) {
  Node node(in_memory(), without_threads());
  BOOST_TEST(node.options().workers == 1U);  // a worker, which has no thread
  std::set<std::thread::id> threads;
  int answers = 0;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    for (; answers < rounds; ++answers) {
      Message answer = co_await me.ask("bob", "?");
      threads.insert(std::this_thread::get_id());
    }
  });
  node.create<Doer>("bob", &answer);
  run_until(node, [&] { return answers == rounds; });
  BOOST_TEST(threads.size() == 1U);
  BOOST_TEST(threads.contains(std::this_thread::get_id()));
  BOOST_TEST(!node.turn());
  BOOST_TEST(!is_readable(node, 0ms));
}

BOOST_AUTO_TEST_CASE(an_alarm_makes_the_descriptor_readable) {
  Node node(in_memory(), without_threads());
  int alarms = 0;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    for (; alarms < 3; ++alarms) co_await me.pause(5ms);
  });
  const Time before = steady_clock().now();
  run_until(node, [&] { return alarms == 3; });
  BOOST_TEST((steady_clock().now() - before >= 15ms));
  node.turn();
  BOOST_TEST(!is_readable(node, 20ms));
}

// A loop of a program has other things to do as well.
BOOST_AUTO_TEST_CASE(an_agent_that_works_for_long_does_not_keep_the_thread) {
  Node node(in_memory(), without_threads());
  int worked = 0;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    for (; worked < 20; ++worked) {
      const Time begun = me.now();
      while (me.now() - begun < 10ms) continue;
      co_await me.yield();
    }
  });
  BOOST_TEST(node.turn());
  BOOST_TEST(worked <= 3);
  run_until(node, [&] { return worked == 20; });
}

BOOST_AUTO_TEST_CASE(a_call_of_the_same_thread_takes_the_turns_that_it_needs) {
  Node node(in_memory(), without_threads());
  node.create<Doer>("bob", &answer);
  Port port(node, "ann");
  for (int round = 0; round < rounds; ++round) BOOST_TEST(port.ask("bob", "?").text() == "yes");
  BOOST_TEST(!port.receive(Match(), 5ms).has_value());
}

BOOST_AUTO_TEST_CASE(calls_of_other_threads_do_without_the_loop) {
  Node node(in_memory(), without_threads());
  node.create<Doer>("bob", &answer);
  std::vector<std::thread> threads;
  std::atomic<int> answers = 0;
  for (const char* const name : {"ann", "cid", "dan"}) {
    threads.emplace_back([&node, &answers, name] {
      Port port(node, name);
      for (int round = 0; round < rounds; ++round) {
        if (port.ask("bob", "?").text() == "yes") ++answers;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(answers == 3 * rounds);
}

BOOST_AUTO_TEST_CASE(a_loop_and_other_threads_lose_nothing) {
  Node node(in_memory(), without_threads());
  node.create<Doer>("bob", &answer);
  std::vector<std::thread> threads;
  std::atomic<int> left = 3;
  std::atomic<int> answers = 0;
  std::atomic<int> unbalanced = 0;
  for (const char* const name : {"ann", "cid", "dan"}) {
    threads.emplace_back([&, name] {
      {
        Port port(node, name);
        for (int round = 0; round < rounds; ++round) {
          if (port.ask("bob", "?").text() == "yes") ++answers;
          if (round % 100 == 0 && !node.ledger().balanced()) ++unbalanced;
        }
      }
      --left;
    });
  }
  // Looks again at times, because nobody tells this loop that the threads have ended.
  while (left != 0) {
    if (!node.turn()) (void)is_readable(node, 1ms);
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(answers == 3 * rounds);
  BOOST_TEST(unbalanced == 0);
}

BOOST_AUTO_TEST_CASE(what_another_thread_begins_wakes_the_loop) {
  Node node(in_memory(), without_threads());
  std::atomic<int> computed = 0;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    for (int round = 0; round < 100; ++round) {
      computed += co_await me.compute([] { return 1; });
    }
  });
  run_until(node, [&] { return computed == 100; });
  BOOST_TEST(node.agents() <= 1U);
}

BOOST_AUTO_TEST_CASE(waiting_for_the_agents_and_stopping_take_turns) {
  Node node(in_memory(), without_threads());
  int sent = 0;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    for (; sent < 10; ++sent) {
      co_await me.pause(1ms);
      co_await me.send("bob", "x");
    }
  });
  node.wait();
  BOOST_TEST(sent == 10);
  int read = 0;
  node.create<Doer>("bob", [&](Agent& me) -> Task<> {
    for (;; ++read) {
      Message message = co_await me.receive();
    }
  });
  BOOST_TEST(node.stop(10s).clean());
  BOOST_TEST(read == 10);
  BOOST_TEST(!node.turn());
  BOOST_TEST(!is_readable(node, 0ms));
}

BOOST_AUTO_TEST_CASE(stopping_ends_the_calls_of_other_threads) {
  Node node(in_memory(), without_threads());
  std::atomic<int> asked = 0;  // those threads take turns of the node, too
  node.create<Doer>("bob", [&](Agent& me) -> Task<> {
    std::vector<Message> kept;
    for (;; ++asked) kept.push_back(co_await me.receive());
  });
  std::vector<std::thread> threads;
  std::atomic<int> ended = 0;
  for (const char* const name : {"ann", "cid", "dan"}) {
    threads.emplace_back([&, name] {
      Port port(node, name);
      if (code_of([&] { (void)port.ask("bob", "?"); }) != Errc()) ++ended;
    });
  }
  run_until(node, [&] { return asked == 3; });
  node.stop(10ms);
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(ended == 3);
}

BOOST_AUTO_TEST_CASE(an_agent_that_never_waits_long_leaves_the_loop_its_share) {
  Node node(in_memory(), without_threads());
  bool is_over = false;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    while (!is_over) co_await me.yield();
  });
  BOOST_TEST(node.turn());
  BOOST_TEST(is_readable(node, 0ms));
  BOOST_TEST(node.turn());
  is_over = true;
  run_until(node, [&] { return node.agents() == 0; });
}

BOOST_AUTO_TEST_CASE(the_wrong_node_or_the_wrong_thread_is_an_error) {
  Node other(in_memory());
  BOOST_TEST((code_of([&] { other.turn(); }) == Errc::unsupported));
  BOOST_TEST((code_of([&] { (void)other.descriptor(); }) == Errc::unsupported));
  Node node(in_memory(), without_threads());
  auto doomed = std::make_unique<Node>(in_memory(), without_threads());
  std::array<Errc, 4> codes{};
  other.create<Doer>("eve", [&](Agent&) -> Task<> {
    codes[0] = code_of([&] { node.turn(); });
    codes[2] = code_of([&] { node.stop(); });
    codes[3] = code_of([&] { const Node inside(in_memory(), without_threads()); });
    doomed.reset();
    co_return;
  });
  other.wait();
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    codes[1] = code_of([&] { node.turn(); });
    co_return;
  });
  node.wait();
  BOOST_TEST((codes[0] == Errc::wrong_thread));
  BOOST_TEST((codes[1] == Errc::wrong_thread));
  BOOST_TEST((codes[2] == Errc::wrong_thread));
  BOOST_TEST((codes[3] == Errc::wrong_thread));
  BOOST_TEST(node.stop(10s).clean());
}

BOOST_AUTO_TEST_CASE(it_may_be_destroyed_with_everything_in_it) {
  Node node(in_memory(), without_threads());
  Port port(node, "cid");
  node.create<Doer>("bob", &answer);
  node.create<Doer>("ann", [](Agent& me) -> Task<> {
    co_await me.send("bob", "x");
    co_await me.pause(1h);
  });
  port.send("ann", "x");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
