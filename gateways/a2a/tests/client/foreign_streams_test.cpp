// Streams of foreign agents that are lost: the next one goes on.
#include "coracle/a2a/talk.hpp"
#include "coracle/web/json_rpc.hpp"
#include "support/scripted.hpp"
#include "support/visit.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;
using namespace test;

constexpr const char* resume = "urn:coracle:a2a:resume:1";
const std::string begun = R"({"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}})";
const std::string over = R"({"statusUpdate":{"taskId":"t","contextId":"c",)"
                         R"("status":{"state":"TASK_STATE_COMPLETED"}}})";

std::string piece(const std::string& text) {
  return R"({"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":)"
         R"({"artifactId":"a","parts":[{"text":")" +
         text + R"("}]}}})";
}

// A task that works, with this result and further members.
std::string task_of(const std::string& parts, const std::string& more = "") {
  return R"({"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"},"artifacts":)"
         R"([{"artifactId":"a","parts":[)" +
         parts + "]}]" + more + "}}";
}

std::string resumed(int after, int lost) {
  return R"(,"metadata":{"urn:coracle:a2a:resume:1":{"after":)" + std::to_string(after) +
         R"(,"lost":)" + std::to_string(lost) + "}}";
}

// An item of a stream, with the number of the change.
struct Item {
  std::string json;
  std::string number = {};
};

// A server whose streams end as if they were lost.
struct Losing {
  // The first stream, and those of further subscriptions in their order. Without one, the server
  // has none. Those after the number of a change are answered with the extension.
  Losing(std::vector<std::vector<Item>> all, bool has_extension) : streams(std::move(all)) {
    loop.start();
    server.emplace(loop, true);
    if (has_extension) {
      Json card = server->card();
      Json extensions;
      extensions.push(Json().set("uri", resume));
      card.set("capabilities",
               Json().set("streaming", true).set("extensions", std::move(extensions)));
      server->set_card(std::move(card));
    }
    server->set([this](const http::Request& request, const http::Responder& to) {
      const std::lock_guard lock(mutex);
      const auto after = request.headers.find("Last-Event-ID");
      const Json call = web::parse_json(request.body).value();
      calls += *call.find("method")->if_text() + (after ? "@" + std::string(*after) : "") + " ";
      if (has(request.body, "GetTask")) return result(done.substr(8, done.size() - 9))(request, to);
      if (next == streams.size())
        return body(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"no"}})")(request,
                                                                                          to);
      http::Headers headers;
      if (after) headers.add("A2A-Extensions", resume);
      const http::EventStream stream = to.stream({}, headers);
      for (const Item& each : streams[next])
        stream.send({web::write_rpc_result(Json(1), each.json), {}, each.number});
      ++next;
      stream.close();
    });
  }

  http::Loop loop;
  std::optional<Scripted> server;
  std::mutex mutex;  // guards the next two
  std::size_t next = 0;
  std::string calls;
  const std::vector<std::vector<Item>> streams;
};

// Asks with the permission to send pieces; returns these and the reply, as texts.
coracle::Task<std::string> pieces_for(Agent& me) {
  Post post("a2a/other", Content("dig"));
  post.header(std::string(header::talks), "yes");
  const coracle::Message reply = co_await me.ask(post, 20s);
  std::string all;
  while (auto each = me.try_receive())
    if (each->content().try_as<Progress>() == nullptr) all += std::string(each->text()) + "|";
  std::string text(reply.text());
  if (const auto whole = web::parse_json(text); whole && whole->find("parts") != nullptr) {
    text.clear();
    for (const Json& part : *whole->find("parts")->if_array())
      text += *part.find("text")->if_text() + "+";
  }
  co_return all + " " + text;
}

std::string heard_from(Losing& losing) {
  Visit visit(losing.server->address());
  return Port(visit.node, "asker").act<std::string>(pieces_for);
}

const std::string one = R"({"text":"one"})", both = R"({"text":"one"},{"text":"two"})";

// Asks, and notes the first piece and the reply.
class Noting : public Agent {
 public:
  Noting(std::promise<void>& first, std::promise<std::string>& end) : first_(&first), end_(&end) {}

 private:
  coracle::Task<> run() override {
    spawn(note());
    Post post("a2a/other", Content("dig"));
    post.header(std::string(header::talks), "yes");
    const Result<coracle::Message> reply = co_await ask_result(post, 20s);
    end_->set_value(reply ? std::string(reply->text()) : reply.error().sentence());
  }
  coracle::Task<> note() {
    (void)co_await receive();
    first_->set_value();
  }

  std::promise<void>* first_;
  std::promise<std::string>* end_;
};

BOOST_AUTO_TEST_SUITE(foreign_streams)

BOOST_AUTO_TEST_CASE(a_further_stream_begins_with_the_task_as_it_is) {
  Losing losing(
      {{{begun}, {piece("one"), "1"}}, {{task_of(both), "2"}, {piece("three"), "3"}, {over}}},
      false);
  BOOST_TEST(heard_from(losing) == "one|two|three| one+two+three+");
  BOOST_TEST(losing.calls == "SendStreamingMessage SubscribeToTask ");
}

BOOST_AUTO_TEST_CASE(with_the_extension_it_goes_on_behind_the_last_change) {
  Losing losing({{{begun}, {piece("one"), "1"}},
                 {{task_of(both, resumed(1, 0)), "1"}, {piece("two"), "2"}},
                 {{task_of(both, resumed(2, 0)), "2"}, {piece("three"), "3"}, {over, "4"}}},
                true);
  BOOST_TEST(heard_from(losing) == "one|two|three| one+two+three+");
  BOOST_TEST(losing.calls == "SendStreamingMessage SubscribeToTask@1 SubscribeToTask@2 ");
}

BOOST_AUTO_TEST_CASE(instead_of_changes_that_are_not_kept_the_task_is_taken) {
  Losing losing({{{begun}, {piece("one"), "1"}},
                 {{task_of(both, resumed(1, 5)), "1"}, {piece("two"), "7"}},
                 {{task_of(both), "7"}, {over, "8"}}},
                true);
  BOOST_TEST(heard_from(losing) == "one|two| one+two+");
  BOOST_TEST(losing.calls == "SendStreamingMessage SubscribeToTask@1 SubscribeToTask ");
}

BOOST_AUTO_TEST_CASE(without_further_streams_the_task_is_looked_at) {
  Losing losing({{{begun}, {piece("one"), "1"}}}, false);
  BOOST_TEST(heard_from(losing) == "one|dug| dug");
  BOOST_TEST(losing.calls == "SendStreamingMessage SubscribeToTask GetTask ");
}

BOOST_AUTO_TEST_CASE(streams_without_a_change_end_the_tries) {
  std::vector<std::vector<Item>> streams(10, {{task_of(one)}});
  streams[0] = {{begun}};
  streams[3].push_back({piece("two")});
  Losing losing(std::move(streams), false);
  BOOST_TEST(heard_from(losing) == "one|two|one|dug| dug");
  std::string calls = "SendStreamingMessage ";
  for (int i = 0; i < 8; ++i) calls += "SubscribeToTask ";
  BOOST_TEST(losing.calls == calls + "GetTask ");
}

// The first server ends with its connections; another one at its place goes on.
BOOST_AUTO_TEST_CASE(a_stream_whose_connection_breaks_goes_on_too) {
  http::Loop loop;
  loop.start();
  std::optional<http::EventStream> kept;
  const auto begin = [&](const http::Request&, const http::Responder& to) {
    kept = to.stream();
    for (const std::string& each : {begun, piece("one")})
      kept->send({web::write_rpc_result(Json(1), each), {}, {}});
  };
  std::optional<Scripted> server(std::in_place, loop, true, "JSONRPC", begin);
  ForeignOptions options = Visit::at(server->address());
  options.poll_time = 100ms;  // there is no server for a moment
  const http::Url url = http::Url::parse(server->address()).value();
  Visit visit(std::move(options));
  std::promise<void> first;
  std::promise<std::string> end;
  visit.node.create<Noting>("asker", std::ref(first), std::ref(end));
  first.get_future().wait();
  server.reset();
  server.emplace(loop, true, "JSONRPC", stream_of({task_of(both), over}),
                 url.host + ":" + std::to_string(url.port));
  const std::string reply = end.get_future().get();
  BOOST_TEST(has(reply, "\"two\""), reply);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
