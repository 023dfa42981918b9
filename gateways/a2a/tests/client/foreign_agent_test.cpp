// Agents of other systems in the society: with our own server, and with servers that lie.
#include "coracle/a2a/foreign_agent.hpp"

#include "coracle/a2a/talk.hpp"
#include "support/place.hpp"
#include "support/scripted.hpp"
#include "support/visit.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;
using namespace test;

BOOST_AUTO_TEST_SUITE(foreign_agent)

BOOST_AUTO_TEST_CASE(a_request_becomes_a_task_and_its_result_the_reply) {
  Place place;
  Visit visit(place.server->address() + "/a2a/lab/helper");
  BOOST_TEST(visit.ask("hello") == "you said hello");
  BOOST_TEST(has(visit.ask("refuse"), "no coffee"));
  BOOST_TEST(has(visit.ask("ask"), "which colour?"));  // it takes no questions
  BOOST_TEST(has(visit.ask("pieces"), "\"two\""));     // several parts are a whole message
  BOOST_TEST(has(visit.ask("fail"), "has failed at the task"));  // it has ended
}

BOOST_AUTO_TEST_CASE(its_card_becomes_its_properties) {
  Visit visit_of_none("http://127.0.0.1:1/");
  BOOST_TEST(has(visit_of_none.ask("hello"), "refused: "));
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  server.set(result(done));
  Visit visit(server.address());
  BOOST_TEST(visit.ask("dig") == "dug");
  const auto found = Port(visit.node, "asker").act<std::vector<Entry>>([](Agent& me) {
    return me.search(where("skill/dig").exists() && where("title") == "Digger");
  });
  BOOST_REQUIRE(found.size() == 1);
  BOOST_TEST(found[0].name.view() == "a2a/other");
}

// Asks with the permission to ask back.
coracle::Task<std::vector<std::string>> talk_with(Agent& me) {
  std::vector<std::string> all;
  Post post("a2a/other", Content("ask"));
  post.header(std::string(header::talks), "yes");
  const auto answer = [](Agent& self) -> coracle::Task<> {
    coracle::Message question = co_await self.receive(of_type(std::string(Question::content_type)));
    co_await self.reply(question, "red");
  };
  me.spawn(answer(me));
  const coracle::Message painted = co_await me.ask(post);
  all.emplace_back(painted.text());
  Post pieces("a2a/other", Content("pieces"));
  pieces.header(std::string(header::talks), "yes");
  const coracle::Message whole = co_await me.ask(pieces);
  while (auto each = me.try_receive()) {
    const Content content = each->content();
    const auto* const progress = content.try_as<Progress>();
    all.push_back(progress != nullptr ? progress->text : std::string(content.text()));
  }
  co_return all;
}

BOOST_AUTO_TEST_CASE(who_permits_it_gets_progress_pieces_and_questions) {
  Place place;
  Visit visit(place.server->address() + "/a2a/lab/helper");
  const auto heard = Port(visit.node, "asker").act<std::vector<std::string>>(talk_with);
  BOOST_TEST(
      heard == (std::vector<std::string>{"painted red", "painted red", "half done", "one", "two"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(both_bindings_with_and_without_streams_are_spoken) {
  Place place;
  for (const char* binding : {"JSONRPC", "HTTP+JSON"}) {
    for (const bool streams : {true, false}) {
      Scripted other(place.loop, streams, binding);
      Json card = other.card();
      Json at;
      at.set("url", place.server->address() + "/a2a").set("protocolBinding", binding);
      at.set("protocolVersion", "1.0").set("tenant", "lab/helper");
      card.set("supportedInterfaces", Json().push(std::move(at)));
      other.set_card(card);
      ForeignOptions options = Visit::at(other.address());
      options.origins = {place.server->address()};
      Visit visit(std::move(options));
      BOOST_TEST(visit.ask("hello") == "you said hello");
      BOOST_TEST(has(visit.ask("refuse"), "no coffee"));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_task_without_a_stream_is_looked_at_until_it_ends) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  std::atomic<int> looks{0};
  server.set([&](const http::Request& request, const http::Responder& to) {
    const std::string begun = R"({"id":"t","status":{"state":"TASK_STATE_WORKING"}})";
    if (has(request.body, "SendMessage")) return result("{\"task\":" + begun + "}")(request, to);
    if (++looks < 3) return result(begun)(request, to);
    result(done.substr(8, done.size() - 9))(request, to);
  });
  Visit visit(server.address());
  BOOST_TEST(visit.ask("dig") == "dug");
  BOOST_TEST(looks == 3);
}

// On a slow machine the time may be over before the task is known; then there is nothing to cancel,
// and the next try has more time.
BOOST_AUTO_TEST_CASE(a_task_that_takes_too_long_is_canceled) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  std::promise<void> canceled;
  std::atomic<bool> is_canceled{false}, is_known{false};
  server.set([&](const http::Request& request, const http::Responder& to) {
    if (has(request.body, "CancelTask") && !is_canceled.exchange(true)) canceled.set_value();
    if (has(request.body, "GetTask")) is_known = true;
    const std::string task = R"({"id":"t","status":{"state":"TASK_STATE_WORKING"}})";
    result(has(request.body, "SendMessage") ? "{\"task\":" + task + "}" : task)(request, to);
  });
  for (Duration time = 30ms; !is_known; time *= 2) {
    ForeignOptions options = Visit::at(server.address());
    options.task_time = time;
    Visit visit(std::move(options));
    const std::string answer = visit.ask("dig");
    if (!is_known) continue;
    BOOST_TEST(has(answer, "not done the task in time"), answer);
    canceled.get_future().wait();
  }
}

// Each answer of a server that lies refuses the request, and the agent goes on.
BOOST_AUTO_TEST_CASE(answers_that_make_no_sense_refuse_the_request) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  Visit visit(server.address());
  const std::string working = R"({"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}})";
  const std::vector<Scripted::Answer> answers = {
      body("no json"),
      body("[]"),
      body(""),
      body(std::string(200, '[')),
      body(R"({"jsonrpc":"2.0","id":2,"result":)" + done + "}"),
      body(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}})", 500),
      body("{}", 404),
      body("x", 503, "text/html"),
      body(std::string(std::size_t{3} << 20, 'x')),
      result("7"),
      result("{}"),
      result(R"({"task":{"id":7}})"),
      result(R"({"task":{"id":"","status":{"state":"TASK_STATE_COMPLETED"}}})"),
      result(R"({"task":{"id":"t","status":{"state":"MERRY"}}})"),
      result(R"({"statusUpdate":{"taskId":"t","contextId":"c"}})"),
      [&](const http::Request& request, const http::Responder& to) {
        const bool begins = has(request.body, "SendMessage");
        result(begins ? working : R"({"id":"u","status":{"state":"TASK_STATE_COMPLETED"}})")(
            request, to);
      },
      [&](const http::Request&, const http::Responder& to) {
        http::Response response = http::Response::plain(307);
        response.headers.add("Location", server.address() + "/elsewhere");
        to.send(std::move(response));
      },
  };
  for (const Scripted::Answer& each : answers) {
    server.set(each);
    const std::string answer = visit.ask("dig");
    BOOST_TEST(answer.starts_with("refused: "), answer);
  }
  server.set(result(done));
  BOOST_TEST(visit.ask("dig") == "dug");
}

BOOST_AUTO_TEST_CASE(streams_that_make_no_sense_refuse_the_request) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, true);
  ForeignOptions options = Visit::at(server.address());
  options.changes_per_task = 100;
  options.bytes_per_task = 100'000;
  Visit visit(std::move(options));
  const std::string begun = R"({"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}})";
  const std::string more =
      R"({"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}})";
  const std::string of_other =
      R"({"statusUpdate":{"taskId":"u","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}})";
  const std::string large =
      R"({"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":)"
      R"({"artifactId":"a","parts":[{"text":")" +
      std::string(30'000, 'x') + R"("}]}}})";
  const std::vector<Scripted::Answer> answers = {
      stream_of({}),
      stream_of({"7"}),
      stream_of({begun, of_other}),
      stream_of(std::vector<std::string>(200, more)),
      stream_of({begun, large, large, large, large}),
      stream_of({begun, R"({"message":{"messageId":"m","role":"ROLE_AGENT","parts":[]}})"}),
      body("no stream"),
      body("no stream", 200, "text/event-stream"),
  };
  for (const Scripted::Answer& each : answers) {
    server.set(each);
    const std::string answer = visit.ask("dig");
    BOOST_TEST(answer.starts_with("refused: "), answer);
  }
  server.set(stream_of({begun, more, done}));
  BOOST_TEST(visit.ask("dig") == "dug");
}

// Each message of the stream is within its limits.
BOOST_AUTO_TEST_CASE(a_result_that_its_asker_could_not_read_is_refused) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, true);
  Visit visit(server.address());
  const auto artifact = [](const std::string& id, int parts, std::size_t bytes) {
    Json all;
    for (int i = 0; i < parts; ++i) all.push(Json().set("text", std::string(bytes, 'x')));
    Json update;
    update.set("taskId", "t").set("contextId", "c");
    update.set("artifact", Json().set("artifactId", id).set("parts", std::move(all)));
    return web::to_text(Json().set("artifactUpdate", std::move(update)));
  };
  const std::string over = R"({"statusUpdate":{"taskId":"t","contextId":"c",)"
                           R"("status":{"state":"TASK_STATE_COMPLETED"}}})";
  server.set(stream_of({artifact("a", 501, 1), artifact("b", 501, 1), over}));
  BOOST_TEST(has(visit.ask("dig"), "more parts than"));
  server.set([&](const http::Request&, const http::Responder& to) {
    http::StreamOptions wide;
    wide.queue_bytes = std::size_t{8} << 20;
    const http::EventStream stream = to.stream(wide);
    for (const char* id : {"a", "b", "c", "d", "e"})
      stream.send({R"({"jsonrpc":"2.0","id":1,"result":)" + artifact(id, 1, 900'000) + "}"});
    stream.send({R"({"jsonrpc":"2.0","id":1,"result":)" + over + "}"});
    stream.close();
  });
  BOOST_TEST(has(visit.ask("dig"), "larger result than"));
  server.set(stream_of({artifact("a", 500, 1), artifact("b", 500, 1), over}));
  BOOST_TEST(visit.ask("dig").starts_with("{"));
}

// Also if these are no requests, which have no conversation.
BOOST_AUTO_TEST_CASE(the_messages_of_two_agents_have_different_ids) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  std::mutex mutex;  // guards the ids
  std::vector<std::string> ids;
  std::promise<void> both;
  server.set([&](const http::Request& request, const http::Responder& to) {
    const Json call = web::parse_json(request.body).value();
    const std::lock_guard lock(mutex);
    ids.push_back(*call.find("params")->find("message")->find("messageId")->if_text());
    result(done)(request, to);
    if (ids.size() == 2) both.set_value();
  });
  Visit visit(server.address());
  Port(visit.node, "ann").send("a2a/other", "dig");
  Port(visit.node, "bob").send("a2a/other", "dig");
  both.get_future().wait();
  const std::lock_guard lock(mutex);
  BOOST_TEST(ids[0] != ids[1]);
}

BOOST_AUTO_TEST_CASE(a_card_leads_nobody_to_another_place) {
  http::Loop loop;
  loop.start();
  Scripted right(loop, false), liar(loop, false);
  right.set(result(done));
  liar.set_card(right.card());
  Visit visit(liar.address());
  BOOST_TEST(has(visit.ask("dig"), "places of another origin only"));
  ForeignOptions options = Visit::at(liar.address());
  options.origins = {right.address()};
  Visit permitted(std::move(options));
  BOOST_TEST(permitted.ask("dig") == "dug");
}

BOOST_AUTO_TEST_CASE(proofs_go_to_the_server) {
  Place place(with_callers());
  ForeignOptions options = Visit::at(place.server->address() + "/a2a/lab/helper");
  options.token = eves_token;
  Visit visit(options);
  BOOST_TEST(visit.ask("who") == "eve");
  options.token = "wrong";
  Visit stranger(options);
  const std::string answer = stranger.ask("who");
  BOOST_TEST(has(answer, "token is not accepted"), answer);
  options.token = "a\r\nb";
  BOOST_CHECK_THROW(ForeignAgent(*place.client, options), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
