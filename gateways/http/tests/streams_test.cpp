#include "coracle/http/client.hpp"
#include "support/echo_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using test::EchoServer;
using test::RawClient;

// What has come by a stream, as the thread of the loop has seen it.
struct Heard {
  std::optional<Response> head;
  std::vector<Event> events;
  bool has_ended = false;
  std::optional<Error> error;

  void listen_to(const EventSource& source) {
    source.listen([this](const Response& response) { head = response; },
                  [this](Event event) { events.push_back(std::move(event)); },
                  [this](const std::optional<Error>& why) { error = why, has_ended = true; });
  }
};

Request request_for(const Url& url, const Headers& headers = {}) {
  Request request;
  request.url = url;
  request.headers = headers;
  return request;
}

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(events_come_as_they_are_sent) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/events"));
  const EventStream stream = echo.take(echo.streams);
  const std::string head = client.receive("\r\n\r\n");
  BOOST_TEST(head.find("Content-Type: text/event-stream\r\n") != std::string::npos);
  BOOST_TEST(head.find("Cache-Control: no-store\r\n") != std::string::npos);
  BOOST_TEST(stream.send({"hello", "greeting", "1"}));
  BOOST_TEST(client.receive("\n\n\r\n") == "23\r\nevent: greeting\nid: 1\ndata: hello\n\n\r\n");
  stream.close();
  BOOST_TEST(client.receive("0\r\n\r\n") == "0\r\n\r\n");
  BOOST_TEST(!stream.send({"late"}));
  client.send(EchoServer::get("/hello"));  // the connection stays
  BOOST_TEST(client.receive("hello\n").find("200 OK") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_client_reads_a_stream_to_its_end) {
  EchoServer echo;
  Heard heard;
  Client client(echo.loop);
  const EventSource source =
      client.events(request_for(echo.url("/events"), {{"Last-Event-ID", "41"}}));
  heard.listen_to(source);
  EventStream stream = echo.take(echo.streams);
  echo.await([&] {
    return echo.requests[0].headers.find("Last-Event-ID") == "41" &&
           echo.requests[0].headers.find("Accept") == "text/event-stream";
  });
  for (int i = 0; i < 1000; ++i) {
    stream.send({std::string(100, 'x'), "", std::to_string(42 + i)});
    if (i % 100 == 0) echo.await([&] { return heard.events.size() > static_cast<std::size_t>(i); });
  }
  stream.close();
  echo.await([&] { return heard.has_ended; });
  BOOST_TEST(heard.events.size() == 1000U);
  BOOST_TEST(!heard.error.has_value());
  BOOST_TEST(heard.head->status == 200);
  BOOST_TEST(source.last_id() == "1041");
  BOOST_TEST(!source.is_open());
}

BOOST_AUTO_TEST_CASE(a_stream_that_stopped_before_anybody_listened_goes_on) {
  // More than fills the inbox, which has 256 events, and one read of the socket.
  constexpr int all = 2000;
  EchoServer echo;
  echo.stream_options.queue = all;
  echo.stream_options.queue_bytes = std::size_t{4} << 20;
  Heard heard;
  Client client(echo.loop);
  const EventSource source = client.events(request_for(echo.url("/events")));
  EventStream stream = echo.take(echo.streams);
  for (int i = 1; i <= all; ++i) stream.send({std::string(1000, 'x'), "", std::to_string(i)});
  stream.close();
  echo.await([&] { return !source.last_id().empty() && std::stoi(source.last_id()) >= 256; });
  heard.listen_to(source);
  echo.await([&] { return heard.has_ended; });
  BOOST_TEST(heard.events.size() == static_cast<std::size_t>(all));
}

BOOST_AUTO_TEST_CASE(another_response_is_given_with_its_body) {
  EchoServer echo;
  Heard heard;
  Client client(echo.loop);
  const EventSource source = client.events(request_for(echo.url("/hello")));
  heard.listen_to(source);
  echo.await([&] { return heard.has_ended; });
  BOOST_TEST(heard.head->body == "hello\n");
  BOOST_TEST(heard.events.empty());
}

BOOST_AUTO_TEST_CASE(a_reader_that_closes_is_noticed_by_the_sender) {
  EchoServer echo;
  Heard heard;
  Client client(echo.loop);
  EventSource source = client.events(request_for(echo.url("/events")));
  const EventStream stream = echo.take(echo.streams);
  std::atomic<bool> is_closed{false};
  stream.on_close([&] { is_closed = true; });
  heard.listen_to(source);
  stream.send({"x"});
  echo.await([&] { return heard.events.size() == 1; });
  source = EventSource();
  echo.await([&] { return is_closed.load(); });
  BOOST_TEST(!stream.is_open());
  bool is_called_at_once = false;
  stream.on_close([&] { is_called_at_once = true; });
  BOOST_TEST(is_called_at_once);
}

BOOST_AUTO_TEST_CASE(a_stream_whose_connection_breaks_ends_with_an_error) {
  EchoServer echo;
  Heard heard;
  Client client(echo.loop);
  const EventSource source = client.events(request_for(echo.url("/events")));
  heard.listen_to(source);
  const EventStream stream = echo.take(echo.streams);
  stream.send({"x"});
  echo.await([&] { return heard.events.size() == 1; });
  echo.server.reset();
  echo.await([&] { return heard.has_ended; });
  BOOST_TEST((heard.error->errc() == Errc::disconnected));
}

BOOST_AUTO_TEST_CASE(a_client_that_takes_events_slowly_meets_the_overflow_policy) {
  for (const Overflow policy : {Overflow::close, Overflow::drop_oldest, Overflow::drop_newest}) {
    EchoServer echo;
    echo.stream_options.queue = 4;
    echo.stream_options.overflow = policy;
    RawClient client = echo.client();
    client.take_little();
    client.send(EchoServer::get("/events"));
    const EventStream stream = echo.take(echo.streams);
    const std::string large(100'000, 'x');
    int sent = 0;
    // The system's buffers take some megabytes.
    for (; sent < 1000 && stream.dropped() < 3 && stream.is_open(); ++sent)
      stream.send({std::to_string(sent) + ' ' + large});
    BOOST_TEST(sent < 1000);
    BOOST_TEST(stream.is_open() == (policy != Overflow::close));
    BOOST_TEST(echo.server->counts().buffered_bytes < 1U << 20);
    stream.close();
    client.shut_down();
  }
}

BOOST_AUTO_TEST_CASE(a_budget_is_shared_and_part_of_a_larger_one) {
  const auto whole = std::make_shared<StreamBudget>(10);
  StreamBudget one(8, whole), other(8, whole);
  BOOST_TEST(one.take(8));
  BOOST_TEST(!one.take(1));
  BOOST_TEST(!other.take(3));
  BOOST_TEST(other.used() == 0);
  BOOST_TEST(other.take(2));
  one.give_back(8);
  BOOST_TEST(other.take(6));
  BOOST_TEST(whole->used() == 8);
}

BOOST_AUTO_TEST_CASE(several_streams_hold_no_more_than_their_budget) {
  EchoServer echo;
  const auto budget = std::make_shared<StreamBudget>(300'000);
  echo.stream_options.queue = 10'000;
  echo.stream_options.queue_bytes = std::size_t{1} << 30;
  echo.stream_options.budget = budget;
  RawClient slow = echo.client(), other = echo.client();
  slow.take_little();
  slow.send(EchoServer::get("/events"));
  const EventStream first = echo.take(echo.streams);
  other.send(EchoServer::get("/events"));
  const EventStream second = echo.take(echo.streams);
  const std::string large(100'000, 'x');
  for (int i = 0; i < 1000 && first.is_open(); ++i) first.send({large});
  BOOST_TEST(!first.is_open());
  BOOST_TEST(second.send({"small"}));  // the first one has given its bytes back
  other.receive("small");
  echo.await([&] { return budget->used() == 0; });
  slow.shut_down();
}

BOOST_AUTO_TEST_CASE(a_text_that_no_queue_has_room_for_is_dropped) {
  EchoServer echo;
  echo.stream_options.queue_bytes = 100;
  echo.stream_options.overflow = Overflow::drop_oldest;
  RawClient client = echo.client();
  client.send(EchoServer::get("/events"));
  const EventStream stream = echo.take(echo.streams);
  BOOST_TEST(!stream.send_text(std::string(101, 'x')));
  BOOST_TEST(stream.dropped() == 1U);
  BOOST_TEST(stream.send_text("short"));
  client.receive("short");
}

BOOST_AUTO_TEST_CASE(a_last_event_has_room_in_a_full_queue) {
  EchoServer echo;
  echo.stream_options.queue_bytes = 100;
  echo.stream_options.overflow = Overflow::drop_newest;
  const auto budget = std::make_shared<StreamBudget>(100);
  echo.stream_options.budget = budget;
  RawClient client = echo.client();
  client.send(EchoServer::get("/events"));
  const EventStream stream = echo.take(echo.streams);
  const std::string large(1000, 'x');
  BOOST_TEST(!stream.send({large}));
  BOOST_TEST(stream.close_with({large}));
  BOOST_TEST(!stream.is_open());
  BOOST_TEST(!stream.close_with({"late"}));
  BOOST_TEST(client.receive("0\r\n\r\n").find("data: " + large + "\n\n") != std::string::npos);
  echo.await([&] { return budget->used() == 0; });
}

BOOST_AUTO_TEST_CASE(a_comment_is_sent_when_nothing_else_is) {
  EchoServer echo;
  echo.stream_options.heartbeat = 10ms;
  RawClient client = echo.client();
  client.send(EchoServer::get("/events"));
  const EventStream stream = echo.take(echo.streams);
  client.receive("\r\n\r\n");
  BOOST_TEST(client.receive(": \n\n").ends_with(": \n\n"));
  BOOST_TEST(client.receive(": \n\n").ends_with(": \n\n"));
}

BOOST_AUTO_TEST_CASE(streams_end_when_the_server_stops) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/events"));
  const EventStream stream = echo.take(echo.streams);
  stream.send({"last"});
  BOOST_TEST(echo.server->stop() == 0U);
  const std::string all = client.receive_all();
  BOOST_TEST(all.find("data: last\n\n") != std::string::npos);
  BOOST_TEST(all.ends_with("0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(a_stream_for_head_has_only_a_head) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send("HEAD /events HTTP/1.1\r\nHost: h\r\n\r\n" +
              EchoServer::get("/hello", "Connection: close\r\n"));
  const EventStream stream = echo.take(echo.streams);
  BOOST_TEST(client.receive_all().ends_with("hello\n"));
  echo.await([&] { return !stream.is_open(); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
