#include "coracle/asio.hpp"

#include "support/in_memory.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::test {

namespace {

// The calls of a completion handler, and the last result.
struct Told {
  int times = 0;
  std::string result;
  Errc errc{};

  void take(const std::exception_ptr& error, std::string what) {
    ++times;
    result = std::move(what);
    if (!error) return;
    try {
      std::rethrow_exception(error);
    } catch (const Error& known) {
      errc = known.errc();
    }
  }
};

Task<std::string> name_of(Agent& me) { co_return me.name().str(); }

Task<std::string> wait_for_a_message(Agent& me) {
  const Message message = co_await me.receive();
  co_return std::string(message.text());
}

// Makes an agent "ann" run `body`, and runs the loop until the handler has been called.
template <class Body>
Told play(Node& node, Body body) {
  boost::asio::io_context loop;
  Told told;
  const auto noting = [&told](const std::exception_ptr& error, std::string result) {
    told.take(error, std::move(result));
  };
  async_act(node, "ann", body, boost::asio::bind_executor(loop.get_executor(), noting));
  BOOST_TEST(told.times == 0);
  loop.run();
  return told;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(asio)

BOOST_AUTO_TEST_CASE(what_the_agent_gives_comes_to_the_loop_that_waits_for_it) {
  Node node(in_memory());
  const Told told = play(node, name_of);
  BOOST_TEST(told.times == 1);
  BOOST_TEST(told.result == "ann");
  BOOST_TEST((told.errc == Errc{}));
}

BOOST_AUTO_TEST_CASE(what_leaves_the_body_comes_as_the_error) {
  Node node(in_memory());
  const Told told = play(node, [](Agent&) -> Task<std::string> {
    throw Error(Errc::refused, "no");
    co_return "";
  });
  BOOST_TEST(told.times == 1);
  BOOST_TEST((told.errc == Errc::refused));
}

BOOST_AUTO_TEST_CASE(a_name_that_is_taken_comes_as_the_error) {
  Node node(in_memory());
  auto first = async_act(node, "ann", wait_for_a_message, boost::asio::use_future);
  const Told told = play(node, name_of);
  BOOST_TEST(told.times == 1);
  BOOST_TEST((told.errc == Errc::name_taken));
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_ends_the_wait) {
  boost::asio::io_context loop;
  Told told;
  {
    Node node(in_memory());
    async_act(node, "ann", wait_for_a_message,
              boost::asio::bind_executor(loop.get_executor(),
                                         [&](const std::exception_ptr& error, std::string result) {
                                           told.take(error, std::move(result));
                                         }));
  }
  loop.run();
  BOOST_TEST(told.times == 1);
  BOOST_TEST((told.errc == Errc::stopped));
}

BOOST_AUTO_TEST_CASE(a_future_is_a_completion_token) {
  Node node(in_memory());
  auto name = async_act(node, "ann", name_of, boost::asio::use_future);
  BOOST_TEST(name.get() == "ann");
  const auto nothing = [](Agent&) -> Task<> { co_return; };
  auto done = async_act(node, "bob", nothing, boost::asio::use_future);
  done.get();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
