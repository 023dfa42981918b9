#include "stream/socket_session.hpp"

#include "tests/support/numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;

// A server's side and a client's side, whose bytes the test moves.
struct SocketPair {
  struct End {
    End(const SocketOptions& options, Random* masks, Time now) : session(options, masks, now) {}
    SocketSession session;
    std::vector<std::string> received;
    std::size_t room = 1000;
  };
  explicit SocketPair(const SocketOptions& options = {})
      : server(options, nullptr, now), client(options, &masks, now) {}

  std::string written(End& by) {
    std::string text;
    std::string_view views[8];
    while (const std::size_t count = by.session.output().front(views)) {
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < count; ++i) text += views[i], bytes += views[i].size();
      by.session.output().drop(bytes);
    }
    by.session.on_written(now);
    return text;
  }
  void gives(End& to, const std::string& bytes) {
    to.session.on_bytes(
        bytes,
        [&](const SocketMessage& message) {
          to.received.push_back((message.is_text ? "t:" : "b:") + message.data);
          return to.received.size() < to.room;
        },
        now);
  }
  // Moves everything until nothing is left.
  void move() {
    for (std::string a, b; a = written(client), b = written(server), !a.empty() || !b.empty();)
      gives(server, a), gives(client, b);
  }

  coracle::test::Numbers masks;
  Time now{1000s};
  End server, client;
};

using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(socket_session)

BOOST_AUTO_TEST_CASE(messages_go_in_both_directions) {
  SocketPair pair;
  pair.client.session.send(Opcode::text, "hello", pair.now);
  pair.client.session.send(Opcode::binary, std::string("\0\xff", 2), pair.now);
  pair.server.session.send(Opcode::text, "", pair.now);
  pair.move();
  BOOST_TEST(pair.server.received == (Texts{"t:hello", std::string("b:\0\xff", 4)}));
  BOOST_TEST(pair.client.received == (Texts{"t:"}));
}

BOOST_AUTO_TEST_CASE(both_sides_send_a_close_frame) {
  SocketPair pair;
  pair.client.session.close({CloseCode::going_away, "bye"}, pair.now);
  BOOST_TEST(!pair.client.session.is_open());
  pair.move();
  BOOST_TEST(pair.server.session.is_over());
  BOOST_TEST(pair.client.session.is_over());
  BOOST_TEST((pair.server.session.closing().code == CloseCode::going_away));
  BOOST_TEST(pair.server.session.closing().reason == "bye");
  pair.server.session.send(Opcode::text, "late", pair.now);
  BOOST_TEST(pair.server.session.output().empty());
}

BOOST_AUTO_TEST_CASE(a_side_that_does_not_reply_to_a_close_frame_is_left) {
  SocketPair pair;
  pair.client.session.close({}, pair.now);
  pair.written(pair.client);
  BOOST_TEST((pair.client.session.deadline() == pair.now + 5s));
  pair.now += 5s;
  pair.client.session.on_time(pair.now);
  BOOST_TEST(pair.client.session.is_over());
}

BOOST_AUTO_TEST_CASE(a_side_that_breaks_the_rules_is_told_and_left) {
  SocketPair pair;
  pair.gives(pair.server, write_frame(Opcode::text, "no mask"));
  BOOST_TEST(pair.server.session.is_over());
  BOOST_TEST((pair.server.session.closing().code == CloseCode::protocol_error));
  pair.move();
  BOOST_TEST((pair.client.session.closing().code == CloseCode::protocol_error));
  SocketPair other;
  other.gives(other.client, write_frame(Opcode::close, "x"));
  BOOST_TEST((other.client.session.closing().code == CloseCode::protocol_error));
}

BOOST_AUTO_TEST_CASE(pings_are_answered_and_silence_ends) {
  SocketPair pair;
  const Time begin = pair.now;
  BOOST_TEST((pair.server.session.deadline() == begin + 20s));
  pair.now = begin + 20s;
  pair.server.session.on_time(pair.now);
  pair.client.session.rest(pair.now);
  pair.move();
  BOOST_TEST((pair.server.session.deadline() == begin + 40s));  // the pong has come
  pair.now = begin + 40s;
  pair.server.session.on_time(pair.now);
  pair.written(pair.server);
  pair.now = begin + 60s;
  pair.server.session.on_time(pair.now);
  BOOST_TEST(pair.server.session.is_over());
  BOOST_TEST((pair.server.session.closing().code == CloseCode::lost));
}

BOOST_AUTO_TEST_CASE(what_nobody_takes_waits) {
  SocketPair pair;
  pair.server.room = 2;
  for (const char* each : {"1", "2", "3"}) pair.client.session.send(Opcode::text, each, pair.now);
  pair.move();
  BOOST_TEST(pair.server.received.size() == 2U);
  BOOST_TEST(!pair.server.session.wants_bytes());
  pair.server.room = 10;
  pair.gives(pair.server, "");
  BOOST_TEST(pair.server.received.size() == 3U);
  BOOST_TEST(pair.server.session.wants_bytes());
}

BOOST_AUTO_TEST_CASE(a_flood_of_pings_has_to_wait_for_its_pongs) {
  SocketPair pair;
  const std::string ping = write_frame(Opcode::ping, std::string(125, 'p'), 1);
  std::string many;
  for (int i = 0; i < 100; ++i) many += ping;
  for (int i = 0; i < 100; ++i) pair.gives(pair.server, many);
  BOOST_TEST(pair.server.session.output().size() < 300U * 1024);
  BOOST_TEST(!pair.server.session.wants_bytes());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
