#include "coracle/http/agent.hpp"

#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "support/raw_client.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <poll.h>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using coracle::test::in_memory;

// Replies to each text with the same in capitals, or not at all.
class Shouter : public Agent {
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      std::string text = message.content().as<std::string>();
      if (text == "silence") continue;
      for (char& each : text) each = static_cast<char>(std::toupper(each));
      co_await reply(message, Content::of(text));
    }
  }
};

Task<Response> shout(Agent& me, Request request) {
  const Message reply = co_await me.ask("shouter", Content::of(request.body), 5s);
  co_return Response::with(reply.content().as<std::string>(), "text/plain");
}

Task<> count_down(Agent& me, Request, Responder to) {
  const EventStream stream = to.stream();
  for (int i = 3; i > 0; --i) {
    stream.send({std::to_string(i)});
    co_await me.yield();
  }
}

// Echoes until the WebSocket is closed.
Task<> echo(Agent&, Request, Responder to) {
  const WebSocket socket = to.accept();
  for (;;) {
    const auto message = co_await socket.receive();
    if (!message) co_return;
    socket.send_text(message->data);
  }
}

// A node with an agent that serves, and its server; the loop runs as `where` has it.
struct Place {
  explicit Place(Loop& with, Realization realization, NodeOptions options = {})
      : loop(with), node(std::move(realization), options) {
    node.create<Shouter>("shouter");
    port.emplace(node, "gateway");
    Routes routes;
    routes.on("POST", "/shout", handled_by(*port, shout));
    routes.on("GET", "/count", handled_by(*port, count_down));
    routes.on("GET", "/echo", handled_by(*port, echo));
    routes.on("GET", "/fail", handled_by(*port, [](Agent&, Request) -> Task<Response> {
                throw Error(Errc::not_permitted, "this is a secret");
                co_return Response();
              }));
    server.emplace(loop, ServerOptions(), std::move(routes));
  }
  Url url(const std::string& path) const {
    Url made = server->url();
    made.path = path;
    return made;
  }

  Loop& loop;
  Node node;
  std::optional<Port> port;
  std::optional<Server> server;
};

// An agent that uses a client, and all that a server gives.
Task<int> try_everything(Agent& me, Place& place, Client& client) {
  Request shouting;
  shouting.method = "POST";
  shouting.url = place.url("/shout");
  for (int i = 0; i < 50; ++i) {
    shouting.body = "hello " + std::to_string(i);
    const Response response = co_await client.fetch(shouting);
    if (response.body != "HELLO " + std::to_string(i)) co_return 1;
  }
  Request counting;
  counting.url = place.url("/count");
  const EventSource source = client.events(counting);
  const Response head = co_await source.head();
  if (head.status != 200) co_return 2;
  std::string events;
  for (;;) {
    const auto event = co_await source.next();
    if (!event) break;
    events += event->data;
  }
  if (events != "321") co_return 3;
  const WebSocket socket = co_await client.connect(place.url("/echo"));
  for (int i = 0; i < 10; ++i) {
    socket.send_text(std::to_string(i));
    const auto back = co_await socket.receive();
    if (!back || back->data != std::to_string(i)) co_return 4;
  }
  if (co_await socket.receive(Deadline(1ms))) co_return 5;
  (void)me;
  co_return 0;
}

int outcome_at(Place& place) {
  Client client(place.loop);
  Port tester(place.node, "tester");
  return tester.act<int>([&](Agent& me) { return try_everything(me, place, client); });
}

BOOST_AUTO_TEST_SUITE(agent)

BOOST_AUTO_TEST_CASE(agents_serve_and_ask_beside_a_loop_with_its_own_thread) {
  Loop loop;
  loop.start();
  for (const unsigned workers : {1U, 2U}) {
    NodeOptions options;
    options.workers = workers;
    Place place(loop, in_memory(), options);
    BOOST_TEST(outcome_at(place) == 0);
  }
}

BOOST_AUTO_TEST_CASE(agents_serve_and_ask_on_the_worker_that_runs_the_loop) {
  for (const unsigned workers : {1U, 2U}) {
    Loop loop;
    Realization realization = in_memory();
    realization.reactor = loop.reactor(realization.reactor);
    NodeOptions options;
    options.workers = workers;
    Place place(loop, std::move(realization), options);
    BOOST_TEST(outcome_at(place) == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_node_without_threads_runs_the_loop_in_its_turns) {
  Loop loop;
  Realization realization = in_memory();
  realization.reactor = loop.reactor(realization.reactor);
  NodeOptions options;
  options.workers = 0;
  Place place(loop, std::move(realization), options);
  BOOST_TEST(outcome_at(place) == 0);
  // A program with a loop of its own waits at the node's descriptor.
  test::RawClient client(place.server->url());
  client.send(
      "POST /shout HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
  std::atomic<bool> is_done{false};
  std::string response;
  std::thread reader([&] {
    response = client.receive_all();
    is_done = true;
  });
  while (!is_done) {
    pollfd waits{place.node.descriptor(), POLLIN, 0};
    ::poll(&waits, 1, 20);
    while (place.node.turn()) {
    }
  }
  reader.join();
  BOOST_TEST(response.ends_with("HI"));
}

BOOST_AUTO_TEST_CASE(a_loop_runs_beside_the_sockets_of_a_realization) {
  coracle::test::TemporaryFolder folder;
  distributed::DirectoryOptions directory;
  directory.society = "tests";
  directory.listen = {"unix://" + (folder / "directory")};
  const distributed::DirectoryServer server(directory);
  distributed::Options options;
  options.society = "tests";
  options.folder = folder.path();
  options.directories = server.endpoints();
  Loop loop;
  Realization realization = distributed::realization(options);
  realization.reactor = loop.reactor(realization.reactor);
  Place place(loop, std::move(realization));
  BOOST_TEST(outcome_at(place) == 0);
  // The agent that is asked lives on another node now.
  Node other(distributed::realization(options));
  Port asker(other, "asker");
  BOOST_TEST(asker.ask("shouter", Content::of(std::string("far"))).content().as<std::string>() ==
             "FAR");
}

BOOST_AUTO_TEST_CASE(the_errors_of_agents_become_statuses_without_their_sentences) {
  Loop loop;
  loop.start();
  Place place(loop, in_memory());
  Client client(loop);
  Request request;
  request.url = place.url("/fail");
  const Response response = client.fetch_and_wait(request);
  BOOST_TEST(response.status == 403);
  BOOST_TEST(response.body.find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_first_leaves_no_request_without_a_response) {
  Loop loop;
  Realization realization = in_memory();
  realization.reactor = loop.reactor(realization.reactor);
  Place place(loop, std::move(realization));
  test::RawClient client(place.server->url());
  client.send("POST /shout HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\nsilence");
  // Nobody runs the loop once the node has stopped; the server does it while it stops.
  place.node.stop(1s);
  BOOST_TEST(place.server->stop(5s) <= 1U);
  const std::string response = client.receive_all();
  BOOST_TEST((response.empty() || response.find("50") != std::string::npos), response);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
