#include "client/session.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::http {
namespace {

struct ClientBench {
  void send(std::uint64_t id, ClientSession::Expected expected = {}) {
    expected.id = id;
    session.send("GET / HTTP/1.1\r\n\r\n", "", expected);
  }
  // Gives bytes to the session; returns what has arrived: "7:200 [body] ", with h, p and e for the
  // parts of a stream.
  std::string gets(const std::string& bytes) {
    session.on_bytes(bytes);
    return arrived();
  }
  std::string arrived() {
    std::string all;
    while (const auto one = session.next_arrival()) {
      const char kind[] = {':', 'h', 'p', 'e'};
      all += std::to_string(one->id) + kind[static_cast<int>(one->kind)] +
             std::to_string(one->response.status) + " [" + one->response.body + "] ";
    }
    return all;
  }
  ReadLimits limits{.body_bytes = 100};
  ClientSession session{limits};
};

const std::string of_two = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab";

BOOST_AUTO_TEST_SUITE(client_session)

BOOST_AUTO_TEST_CASE(responses_belong_to_the_requests_in_their_order) {
  ClientBench bench;
  bench.send(1), bench.send(2), bench.send(3);
  BOOST_TEST(bench.session.outstanding() == 3U);
  BOOST_TEST(
      bench.gets(of_two + "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\nHTTP/1.1 20") ==
      "1:200 [ab] 2:404 [] ");
  BOOST_TEST(bench.session.has_begun());
  BOOST_TEST(bench.gets("0 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n0\r\n\r\n") ==
             "3:200 [c] ");
  BOOST_TEST(bench.session.is_open());
  BOOST_TEST(!bench.session.has_begun());
}

BOOST_AUTO_TEST_CASE(a_response_to_head_has_no_body) {
  ClientBench bench;
  ClientSession::Expected head;
  head.is_head = true;
  bench.send(1, head), bench.send(2);
  BOOST_TEST(bench.gets("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + of_two) ==
             "1:200 [] 2:200 [ab] ");
}

BOOST_AUTO_TEST_CASE(interim_responses_are_skipped_but_not_for_ever) {
  ClientBench bench;
  bench.send(1);
  BOOST_TEST(bench.gets("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\n" +
                        of_two) == "1:200 [ab] ");
  bench.send(2);
  std::string many;
  for (int i = 0; i < 20; ++i) many += "HTTP/1.1 100 Continue\r\n\r\n";
  BOOST_TEST(bench.gets(many + of_two) == "");
  BOOST_TEST(bench.session.fault().has_value());
}

BOOST_AUTO_TEST_CASE(bytes_that_nobody_asked_for_end_the_connection) {
  ClientBench bench;
  bench.gets(of_two);
  BOOST_TEST(bench.session.fault().has_value());
  ClientBench other;
  other.send(1);
  BOOST_TEST(other.gets(of_two + of_two) == "1:200 [ab] ");
  BOOST_TEST(!other.session.is_open());
}

BOOST_AUTO_TEST_CASE(servers_of_jade_are_understood) {
  const std::string of_jade =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: Keep-Alive\r\n\r\n"
      "<html><body><h1>200 OK</h1></body></html>\r\n";
  ClientBench bench;
  ClientSession::Expected jade;
  jade.headers_end_response = true;
  bench.send(1, jade), bench.send(2, jade);
  BOOST_TEST(bench.gets(of_jade + of_jade) == "1:200 [] 2:200 [] ");
  BOOST_TEST(bench.session.is_open());
  bench.send(3, jade);
  BOOST_TEST(bench.gets(of_jade) == "3:200 [] ");
}

BOOST_AUTO_TEST_CASE(the_connection_ends_as_the_server_says) {
  ClientBench bench;
  bench.send(1);
  bench.gets("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  BOOST_TEST(!bench.session.is_open());
  ClientBench old;
  old.send(1);
  old.gets("HTTP/1.0 200 OK\r\n\r\nto the");
  old.gets(" end");
  old.session.on_end();
  BOOST_TEST(old.arrived() == "1:200 [to the end] ");
  ClientBench cut;
  cut.send(1);
  cut.gets("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut");
  cut.session.on_end();
  BOOST_TEST(cut.arrived() == "");
  BOOST_TEST(cut.session.outstanding() == 1U);
  BOOST_TEST(cut.session.has_begun());
}

BOOST_AUTO_TEST_CASE(a_stream_comes_in_pieces) {
  ClientBench bench;
  ClientSession::Expected stream;
  stream.is_stream = true;
  bench.send(1, stream);
  BOOST_TEST(bench.gets("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab") ==
             "1h200 [] 1p0 [ab] ");
  BOOST_TEST(bench.gets("c\r\n1\r\nd\r\n0\r\n\r\n") == "1p0 [cd] 1e200 [] ");
}

BOOST_AUTO_TEST_CASE(a_connection_is_handed_over_with_its_bytes) {
  ClientBench bench;
  ClientSession::Expected upgrade;
  upgrade.is_upgrade = true;
  bench.send(1, upgrade);
  BOOST_TEST(bench.gets("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nframes") ==
             "1:101 [] ");
  BOOST_TEST(bench.session.is_upgraded());
  BOOST_TEST(bench.session.take_unread() == "frames");
  ClientBench unasked;
  unasked.send(1);
  unasked.gets("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  BOOST_TEST(unasked.session.fault().has_value());
}

BOOST_AUTO_TEST_CASE(a_response_beyond_a_limit_is_refused) {
  ClientBench bench;
  bench.send(1);
  bench.gets("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n");
  BOOST_TEST(bench.session.fault()->status == 413);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
