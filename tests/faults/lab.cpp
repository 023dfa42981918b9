#include "lab.hpp"

#include "support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace coracle::test {

using namespace std::chrono_literals;

void Lab::serve() {
  watch();
  begin();
}

void Lab::watch(std::chrono::seconds limit) {
  if (!watchdog_) watchdog_.emplace("nodes in processes", limit * slowness);
}

std::function<void()> Lab::with(std::string name, Doer::What what) const {
  return [this, name, what] {
    Node node(this->node());
    node.adopt(name, std::make_unique<Doer>(what));
    node.wait();
    (void)node.stop(5s);
  };
}

Doer::What passing_on(Name to, std::string last) {
  return [to, last](Agent& me) -> Task<> {
    std::string text;
    while (text != last) {
      const Message message = co_await me.receive();
      text = message.text();
      const std::string copy = (message.redelivered() ? "!" : "") + text;
      co_await me.send(to, copy);
    }
  };
}

void agents_talk_and_count_every_message(Lab& lab) {
  Process other(lab.with("bob", passing_on("ann", "999")));
  lab.serve();
  Node node(lab.node());
  int answers = 0;
  node.adopt("ann", std::make_unique<Doer>([&answers](Agent& me) -> Task<> {
               for (int i = 0; i < 1000; ++i) co_await me.send("bob", std::to_string(i));
               for (; answers < 1000; ++answers) {
                 const Message message = co_await me.receive();
                 if (message.text() != std::to_string(answers)) co_return;
               }
             }));
  node.wait();
  BOOST_TEST(answers == 1000);
  BOOST_TEST(other.wait());
  const StopReport report = node.stop(5s);
  BOOST_TEST(report.ledger.balanced());
  BOOST_TEST(report.ledger.passed_on == 1000u);
  BOOST_TEST(report.ledger.received == 1000u);
}

void what_a_killed_process_had_not_read_goes_to_the_next_holder(Lab& lab) {
  Bell reading;
  // The first process reads two, and is killed with a third read and seven in its mailbox.
  Process first(lab.with("bob", [&reading](Agent& me) -> Task<> {
    for (int i = 0; i < 2; ++i) (void)co_await me.receive();
    const Message third = co_await me.receive();
    reading.ring();
    co_await me.pause(std::chrono::hours(1));
  }));
  Bell killed;
  Process second([&] {
    killed.await();
    lab.with("bob", passing_on("ann", "10"))();
  });
  lab.serve();
  Node node(lab.node());
  std::vector<std::string> received;
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (int i = 1; i <= 10; ++i) co_await me.send("bob", std::to_string(i));
               while (received.empty() || received.back() != "!10") {
                 const Message message = co_await me.receive();
                 received.emplace_back(message.text());
               }
             }));
  reading.await();
  const Time begin = steady_clock().now();
  first.kill();
  while (*node.directory().try_look_up("bob")) std::this_thread::yield();
  const Duration silence = steady_clock().now() - begin;
  killed.ring();
  node.wait();
  BOOST_TEST(second.wait());
  BOOST_TEST((silence < std::min<Duration>(12s * slowness, 25s)));
  // Messages that the first process had read may have died with it before they were reported.
  BOOST_TEST(received.size() >= 8u);
  std::vector<std::string> expected;
  for (std::size_t i = 11 - received.size(); i <= 10; ++i)
    expected.push_back("!" + std::to_string(i));
  BOOST_TEST(received == expected, boost::test_tools::per_element());
}

// Messages that the nodes take back from each other meanwhile may come twice, marked; nothing is
// lost.
void a_server_that_begins_again_costs_no_message(Lab& lab) {
  constexpr int count = 300;
  Process other(lab.with("bob", [](Agent& me) -> Task<> {
    for (int last = 0; last < count - 1;) {
      const Message message = co_await me.receive();
      last = std::stoi(std::string(message.text()));
      co_await me.send("ann", message.text());
    }
  }));
  lab.serve();
  Node node(lab.node());
  std::vector<bool> seen(count);
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (std::size_t i = 0; i < seen.size(); ++i) {
                 if (i == 100) lab.stop_serving();
                 if (i == 200 || (i == 100 && !lab.runs_without())) lab.serve();
                 co_await me.send("bob", std::to_string(i));
                 while (!seen[i]) {
                   const Message message = co_await me.receive();
                   const auto number =
                       static_cast<std::size_t>(std::stoi(std::string(message.text())));
                   BOOST_TEST((!seen.at(number) || message.redelivered() || number < i));
                   seen[number] = true;
                 }
               }
             }));
  node.wait();
  BOOST_TEST(other.wait());
  BOOST_TEST(std::count(seen.begin(), seen.end(), true) == count);
  // Names can be registered again.
  node.adopt("cid", std::make_unique<Doer>([](Agent&) -> Task<> { co_return; }));
  node.wait();
  (void)node.stop(5s);
}

void a_large_content_arrives_whole_among_small_ones(Lab& lab) {
  const std::string large(5u << 20, 'x');
  Process other(lab.with("bob", [&large](Agent& me) -> Task<> {
    for (int round = 0; round < 3; ++round) {
      const Message first = co_await me.receive();
      const Message second = co_await me.receive();
      const bool is_whole = first.text() == large && second.text() == "small";
      co_await me.send("ann", is_whole ? "whole" : "broken");
    }
  }));
  lab.serve();
  Node node(lab.node());
  int whole = 0;
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (int round = 0; round < 3; ++round) {
                 co_await me.send("bob", large);
                 co_await me.send("bob", "small");
               }
               for (int round = 0; round < 3; ++round) {
                 const Message answer = co_await me.receive();
                 whole += answer.text() == "whole" ? 1 : 0;
               }
             }));
  node.wait();
  BOOST_TEST(whole == 3);
  BOOST_TEST(other.wait());
  (void)node.stop(5s);
}

void a_node_makes_a_thousand_agents(Lab& lab) {
  lab.serve();
  Node node(lab.node());
  for (int number = 0; number < 1000; ++number) {
    node.adopt("lab/" + std::to_string(number),
               std::make_unique<Doer>([](Agent&) -> Task<> { co_return; }));
  }
  node.wait();
  BOOST_TEST(node.stop(5s).ledger.balanced());
}

void is_refused_for_its_key(Realization realization) {
  try {
    const Node node(std::move(realization));
    BOOST_ERROR("it was let in");
  } catch (const Error& error) {
    BOOST_TEST(error.errc() == Errc::not_permitted);
    BOOST_TEST(error.sentence().find("key") != std::string::npos, error.sentence());
  }
}

}  // namespace coracle::test
