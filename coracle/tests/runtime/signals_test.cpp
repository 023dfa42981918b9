#include "coracle/signals.hpp"

#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"

#include <signal.h>

#include <boost/test/unit_test.hpp>

namespace coracle::test {

namespace {

// Reads messages until the node ends it.
Task<> reads_on(Agent& me) {
  for (;;) (void)co_await me.receive();
}

volatile sig_atomic_t caught = 0;

// An agent that raises the signal as soon as the program handles it in another way than `before`.
// It raises the signal in its own thread: the thread sanitizer may put off for ever a signal that
// is sent to the process and arrives in a thread that waits.
auto raiser_of(int signal, void (*before)(int)) {
  return [=](Agent& me) -> Task<> {
    struct sigaction now {};
    do {
      co_await me.yield();
      ::sigaction(signal, nullptr, &now);
    } while (now.sa_handler == before);
    ::raise(signal);
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signals)

BOOST_AUTO_TEST_CASE(a_signal_ends_a_node_whose_agents_go_on) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Node node(in_memory());
    node.create<Doer>("bob", reads_on);
    node.create<Doer>("ann", [](Agent& me) -> Task<> { co_await me.send("bob", "word"); });
    node.create<Doer>("cid", raiser_of(signal, SIG_DFL));
    const StopReport report = run_until_signal(node);
    BOOST_TEST(report.clean(), report.to_string());
    BOOST_TEST(report.ledger.consumed == 1);
  }
}

BOOST_AUTO_TEST_CASE(without_a_signal_it_waits_for_the_agents) {
  Node node(in_memory());
  node.create<Doer>("ann", [](Agent& me) -> Task<> { co_await me.yield(); });
  BOOST_TEST(!wait_until_signal(node));
}

BOOST_AUTO_TEST_CASE(afterwards_signals_do_what_they_did_before) {
  struct sigaction counts {
  }, old{};
  counts.sa_handler = [](int) { caught = caught + 1; };
  ::sigaction(SIGTERM, &counts, &old);
  {
    Node node(in_memory());
    node.create<Doer>("bob", reads_on);
    node.create<Doer>("ann", raiser_of(SIGTERM, counts.sa_handler));
    (void)run_until_signal(node);
  }
  BOOST_TEST(caught == 0);
  ::raise(SIGTERM);
  BOOST_TEST(caught == 1);
  ::sigaction(SIGTERM, &old, nullptr);
}

BOOST_AUTO_TEST_CASE(a_signal_that_comes_early_ends_the_node_as_well) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const EarlySignals early;
    ::raise(signal);
    Node node(in_memory());
    node.create<Doer>("bob", reads_on);
    const StopReport report = run_until_signal(node);
    BOOST_TEST(report.clean(), report.to_string());
  }
  const EarlySignals early;
  Node node(in_memory());
  node.create<Doer>("ann", [](Agent& me) -> Task<> { co_await me.yield(); });
  BOOST_TEST(!wait_until_signal(node));
  node.create<Doer>("bob", reads_on);
  node.create<Doer>("cid", [](Agent&) -> Task<> {
    ::raise(SIGTERM);
    co_return;
  });
  BOOST_TEST(wait_until_signal(node));
}

BOOST_AUTO_TEST_CASE(an_agent_may_not_wait_there) {
  Node node(in_memory());
  Errc errc{};
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    try {
      (void)wait_until_signal(node);
    } catch (const Error& error) {
      errc = error.errc();
    }
    co_return;
  });
  node.wait();
  BOOST_TEST((errc == Errc::wrong_thread));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
