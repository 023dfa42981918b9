// The ways in which a node gets what is for it (decision 0032), over sockets.
#include "coracle/coracle.hpp"
#include "coracle/realizations/central.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace coracle::central {

namespace {

using namespace std::chrono_literals;

// A society with a node to which everything is sent, and which gets it in the way that a test
// chooses.
struct Meeting {
  Meeting() {
    ServerOptions options;
    options.listen = {"unix://" + (folder / "server")};
    server.emplace(std::move(options));
  }
  Realization node(const Delivery& delivery = {}) const {
    Options options;
    options.server = server->endpoints().front();
    options.delivery = delivery;
    return realization(std::move(options));
  }

  const test::TemporaryFolder folder;
  std::optional<Server> server;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(delivery)

BOOST_AUTO_TEST_CASE(a_node_that_asks_seldom_gets_nothing_before_it_asks) {
  Meeting meeting;
  Node north(meeting.node()), south(meeting.node({Delivery::How::poll, 1h, 1}));
  Port ann(north, "ann"), bob(south, "bob");
  ann.send("bob", "hello");
  BOOST_TEST(!bob.receive(Match(), Deadline(300ms)).has_value());
}

BOOST_AUTO_TEST_CASE(a_node_that_asks_often_gets_everything_in_order) {
  Meeting meeting;
  Node north(meeting.node()), south(meeting.node({Delivery::How::poll, 1ms, 1}));
  Port ann(north, "ann"), bob(south, "bob");
  for (int number = 0; number < 100; ++number) ann.send("bob", std::to_string(number));
  for (int number = 0; number < 100; ++number)
    BOOST_TEST(bob.receive().text() == std::to_string(number));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_told_asks_without_waiting) {
  Meeting meeting;
  Node north(meeting.node()), south(meeting.node({Delivery::How::notify, 1h, 1}));
  Port ann(north, "ann"), bob(south, "bob");
  for (int round = 0; round < 20; ++round) {
    ann.send("bob", "ping");
    BOOST_TEST(bob.receive().text() == "ping");
    bob.send("ann", "pong");
    BOOST_TEST(ann.receive().text() == "pong");
  }
  // This is more than may wait at the server for bob's node.
  ann.send("bob", Content(std::string(std::size_t{3} << 20, 'x')));
  BOOST_TEST(bob.receive().content().size() == std::size_t{3} << 20);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused) {
  Meeting meeting;
  const auto refused = [&](const Delivery& delivery) {
    try {
      (void)meeting.node(delivery);
      return false;
    } catch (const Error& error) {
      return error.errc() == Errc::bad_options;
    }
  };
  BOOST_TEST(refused({Delivery::How::poll, 0ms, 1}));
  BOOST_TEST(refused({Delivery::How::notify, 1ms, 0}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
