// A wait of an agent that a thread outside the library settles.
#include "coracle/detail/owed.hpp"

#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"
#include "tests/support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;
using coracle::detail::Owed;

}  // namespace

BOOST_AUTO_TEST_SUITE(owed)

BOOST_AUTO_TEST_CASE(another_thread_lets_the_agent_continue_on_its_worker) {
  Node node(in_memory());
  const auto debt = std::make_shared<Owed>();
  std::promise<void> waits;
  std::promise<std::thread::id> before, after;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    before.set_value(std::this_thread::get_id());
    Owed::Wait wait = debt->settled();
    waits.set_value();
    co_await wait;
    after.set_value(std::this_thread::get_id());
  });
  waits.get_future().get();
  BOOST_TEST(debt->is_open());
  BOOST_TEST(debt->settle());
  BOOST_TEST(!debt->settle());
  BOOST_TEST(!debt->is_open());
  BOOST_TEST((after.get_future().get() == before.get_future().get()));
}

BOOST_AUTO_TEST_CASE(what_is_settled_before_takes_no_wait) {
  Node node(in_memory());
  const auto debt = std::make_shared<Owed>();
  BOOST_TEST(debt->settle());
  std::promise<void> done;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    Owed::Wait wait = debt->settled();
    co_await wait;
    done.set_value();
  });
  done.get_future().get();
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_ends_the_wait) {
  Node node(in_memory());
  const auto debt = std::make_shared<Owed>();
  std::promise<void> waits;
  std::promise<std::optional<Error>> ended;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    Owed::Wait wait = debt->settled();
    waits.set_value();
    try {
      co_await wait;
      ended.set_value(std::nullopt);
    } catch (const Error& error) {
      ended.set_value(error);
      throw;
    }
  });
  waits.get_future().get();
  node.stop(10s);
  const std::optional<Error> error = ended.get_future().get();
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST((error->errc() == Errc::stopped));
  BOOST_TEST(!debt->settle());
}

BOOST_AUTO_TEST_CASE(many_threads_settle_while_the_node_stops) {
  for (int round = 0; round < 50; ++round) {
    Node node(in_memory());
    const auto debt = std::make_shared<Owed>();
    std::promise<void> waits;
    node.create<Doer>("ann", [&](Agent&) -> Task<> {
      Owed::Wait wait = debt->settled();
      waits.set_value();
      co_await wait;
    });
    waits.get_future().get();
    std::thread settles([&] { (void)debt->settle(); });
    node.stop(10s);
    settles.join();
    BOOST_TEST(!debt->is_open());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
