#include "coracle/mcp/http_server.hpp"

#include "support/society.hpp"

#include "coracle/http/client.hpp"

namespace coracle::mcp {

using namespace test;

namespace {

struct Served : Society {
  explicit Served(HttpServerOptions options = {}) {
    loop.start();
    server.emplace(*gateway, loop, options);
    client.emplace(loop);
  }

  http::Request post(const std::string& body, const std::string& method,
                     const std::string& name = {}) const {
    http::Request made;
    made.method = "POST";
    made.url = http::Url::parse(server->address()).value();
    made.headers = {{"Content-Type", "application/json"},
                    {"Accept", "application/json, text/event-stream"},
                    {"MCP-Protocol-Version", "2026-07-28"},
                    {"Mcp-Method", method}};
    if (!name.empty()) made.headers.add("Mcp-Name", name);
    made.body = body;
    return made;
  }
  http::Request clerk(const std::string& text) const {
    return post(use(1, "ask_lab__clerk", R"({"text":")" + text + R"("})"), "tools/call",
                "ask_lab__clerk");
  }
  http::Response fetch(http::Request made) { return client->fetch_and_wait(std::move(made)); }

  http::Loop loop;
  std::optional<HttpServer> server;
  std::optional<http::Client> client;
};

// Shows many steps, or one before a long answer.
class Talker : public Agent {
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      const bool is_long = message.text() == "long";
      for (int i = 0; i < (is_long ? 1 : 1000); ++i)
        co_await web::report_progress(*this, message, std::string(4000, 'x'));
      co_await reply(message, std::string(is_long ? 3'000'000 : 3, 'y'));
    }
  }
};

std::vector<std::string> events_in(const http::Response& response) {
  std::vector<std::string> events;
  http::EventReader reader(http::EventLimits{std::size_t{16} << 20});
  reader.read(response.body, [&](http::Event event) { events.push_back(std::move(event.data)); });
  return events;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_server)

BOOST_AUTO_TEST_CASE(a_client_posts_a_request_and_gets_json) {
  Served served;
  const http::Response response = served.fetch(served.clerk("hello"));
  BOOST_TEST(response.status == 200);
  BOOST_TEST(response.headers.find("Content-Type").value() == "application/json");
  BOOST_TEST(at(parsed(response.body), "result/content/0/text") == "hello");
}

BOOST_AUTO_TEST_CASE(progress_makes_the_response_a_stream) {
  Served served;
  const http::Response response = served.fetch(served.clerk("progress"));
  BOOST_TEST(response.headers.find("Content-Type").value() == "text/event-stream");
  const std::vector<std::string> events = events_in(response);
  BOOST_REQUIRE(events.size() == 3U);
  BOOST_TEST(at(parsed(events[0]), "params/message") == "step 1");
  BOOST_TEST(at(parsed(events[2]), "result/content/0/text") == "worked");
}

BOOST_AUTO_TEST_CASE(a_response_arrives_whatever_its_size_and_the_steps_before_it) {
  Served served;
  served.node.create<Talker>("lab/talker");
  served.until([&] { return served.gateway->counts().agents == 4; });
  for (const char* const text : {"long", "many"}) {
    const http::Response response = served.fetch(
        served.post(use(1, "ask_lab__talker", R"({"text":")" + std::string(text) + R"("})"),
                    "tools/call", "ask_lab__talker"));
    const std::vector<std::string> events = events_in(response);
    BOOST_REQUIRE(!events.empty());
    const std::string answer = at(parsed(events.back()), "result/content/0/text");
    BOOST_TEST(answer.size() == (text == std::string("long") ? 3'000'000U : 3U));
  }
}

BOOST_AUTO_TEST_CASE(headers_that_differ_from_the_body_are_refused) {
  Served served;
  http::Request wrong = served.clerk("hello");
  wrong.headers.set("Mcp-Name", "ask_lab__other");
  http::Response response = served.fetch(std::move(wrong));
  BOOST_TEST(response.status == 400);
  BOOST_TEST(at(parsed(response.body), "error/code") == "-32020");
  http::Request without = served.clerk("hello");
  without.headers.erase("MCP-Protocol-Version");
  response = served.fetch(std::move(without));
  BOOST_TEST(response.status == 400);
}

BOOST_AUTO_TEST_CASE(errors_have_their_status) {
  Served served;
  BOOST_TEST(served.fetch(served.post(request(1, "tools/none"), "tools/none")).status == 404);
  BOOST_TEST(served.fetch(served.post("{", "x")).status == 400);
  http::Request get = served.post("", "x");
  get.method = "GET";
  BOOST_TEST(served.fetch(std::move(get)).status == 405);
  BOOST_TEST(
      served
          .fetch(served.post(
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
              "notifications/cancelled"))
          .status == 202);
}

BOOST_AUTO_TEST_CASE(web_pages_of_other_sites_are_refused) {
  Served served;
  http::Request page = served.clerk("hello");
  page.headers.add("Origin", "https://evil.example");
  BOOST_TEST(served.fetch(std::move(page)).status == 403);
  http::Request renamed = served.clerk("hello");
  renamed.headers.set("Host", "evil.example");
  BOOST_TEST(served.fetch(std::move(renamed)).status >= 400);
}

BOOST_AUTO_TEST_CASE(callers_prove_who_they_are) {
  Served served({.callers = {.tokens = {{"ann", "a-secret-of-ann-0001"}}}});
  http::Response response = served.fetch(served.clerk("who"));
  BOOST_TEST(response.status == 401);
  BOOST_TEST(response.headers.count("WWW-Authenticate") == 1U);
  http::Request proven = served.clerk("who");
  proven.headers.add("Authorization", "Bearer a-secret-of-ann-0001");
  response = served.fetch(std::move(proven));
  BOOST_TEST(at(parsed(response.body), "result/content/0/text") == "ann 255");
}

BOOST_AUTO_TEST_CASE(beyond_this_host_callers_need_a_proof) {
  Society society;
  http::Loop loop;
  HttpServerOptions options;
  options.http.endpoint = "0.0.0.0:0";
  BOOST_CHECK_THROW(HttpServer(*society.gateway, loop, options), Error);
  options.callers.tokens = {{"ann", "a-secret-of-ann-0001"}};
  BOOST_CHECK_THROW(HttpServer(*society.gateway, loop, options), Error);  // not without TLS
}

BOOST_AUTO_TEST_CASE(clients_of_an_earlier_revision_need_no_session) {
  Served served;
  http::Request first = served.post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
      "x");
  for (const char* const each : {"MCP-Protocol-Version", "Mcp-Method"}) first.headers.erase(each);
  http::Response response = served.fetch(std::move(first));
  BOOST_TEST(at(parsed(response.body), "result/protocolVersion") == "2025-06-18");
  BOOST_TEST(response.headers.count("Mcp-Session-Id") == 0U);
  http::Request later = served.post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", "x");
  later.headers.erase("Mcp-Method");
  later.headers.set("MCP-Protocol-Version", "2025-06-18");
  response = served.fetch(std::move(later));
  BOOST_TEST(at(parsed(response.body), "result/tools/0/name") == "society_agents");
}

BOOST_AUTO_TEST_CASE(a_subscription_is_a_stream_that_stays) {
  Served served;
  http::EventSource source = served.client->events(served.post(
      request(9, "subscriptions/listen", R"("notifications":{"toolsListChanged":true})"),
      "subscriptions/listen"));
  const auto next = [&] {
    return served.helper->act<std::string>([&](Agent&) -> Task<std::string> {
      auto waiting = source.next();
      const std::optional<http::Event> event = co_await waiting;
      co_return event ? event->data : "the end";
    });
  };
  BOOST_TEST(at(parsed(next()), "method") == "notifications/subscriptions/acknowledged");
  served.node.create<Clerk>("lab/late");
  BOOST_TEST(at(parsed(next()), "method") == "notifications/tools/list_changed");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
