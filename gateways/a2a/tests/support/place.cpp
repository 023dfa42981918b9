#include "support/place.hpp"

#include "coracle/a2a/talk.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "coracle/web/json_rpc.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

namespace coracle::a2a::test {

using namespace std::chrono_literals;

coracle::Task<> Helper::run() {
  co_await describe(Properties().set("description", "helps"));
  for (;;) {
    coracle::Message message = co_await receive();
    const std::string text(message.text());
    if (text == "refuse") {
      co_await refuse(message, "no coffee");
    } else if (text == "drop") {
      continue;
    } else if (text == "fail") {
      throw Error(Errc::disk_full, "a secret of the society");
    } else if (text == "pieces") {
      co_await report_progress(*this, message, "half done");
      co_await send_piece(*this, message, "one");
      co_await reply(message, "two");
    } else if (text == "ask") {
      spawn(talk(std::move(message), false));
    } else if (text == "permit") {
      spawn(talk(std::move(message), true));
    } else if (text == "wait") {
      kept_.push_back(std::move(message));
    } else if (text == "who") {
      const std::string who(message.header(header::caller).value_or("nobody"));
      co_await reply(message, who);
    } else {
      co_await reply(message, "you said " + text);
    }
  }
}

coracle::Task<> Helper::talk(coracle::Message message, bool is_for_authorization) {
  coracle::Task<std::optional<coracle::Message>> asking =
      put_question(*this, message, {"which colour?", is_for_authorization});
  const std::optional<coracle::Message> answer = co_await asking;
  if (answer) {
    const std::string text = "painted " + std::string(answer->text());
    co_await reply(message, text);
  }
}

Place::Place(ServerOptions options) : node(coracle::test::in_memory()) {
  loop.start();
  node.create<Helper>("lab/helper");
  node.create<Helper>("hidden");
  options.exposed = {"lab/**"};
  server.emplace(node, loop, std::move(options));
  client.emplace(loop);
}

http::Response Place::fetch(const char* method, const std::string& path, const std::string& body,
                            const std::string& token, bool with_version,
                            const http::Headers& more) {
  http::Request request;
  request.method = method;
  request.url = http::Url::parse(server->address() + path).value();
  request.body = body;
  if (with_version) request.headers.add("A2A-Version", "1.0");
  if (!body.empty()) request.headers.add("Content-Type", "application/json");
  if (!token.empty()) request.headers.add("Authorization", "Bearer " + token);
  for (std::size_t i = 0; i < more.size(); ++i) request.headers.add(more[i].name, more[i].value);
  return client->fetch_and_wait(std::move(request));
}
Json Place::call(const std::string& method, const Json& params, const std::string& token) {
  const std::string body = web::write_rpc({method, params, Json(7)});
  return web::parse_json(fetch("POST", "/a2a/lab/helper", body, token).body).value();
}

Json Place::send(const std::string& text, const std::string& token, const Json& more) {
  return call("SendMessage", message(text, more), token);
}

Json Place::message(const std::string& text, const Json& more) {
  Json said = Json()
                  .set("messageId", "m" + std::to_string(++messages))
                  .set("role", "ROLE_USER")
                  .set("parts", Json().push(Json().set("text", text)));
  if (const Json::Object* const members = more.if_object())
    for (const Json::Member& each : *members) said.set(each.name, each.value);
  return Json().set("message", std::move(said));
}

std::vector<StreamItem> Place::items_of(const std::string& path, const std::string& body,
                                        bool is_rpc, const std::string& last_event) {
  return Port(node, "reader")
      .act<std::vector<StreamItem>>([&](Agent&) -> coracle::Task<std::vector<StreamItem>> {
        http::Request request;
        request.method = "POST";
        request.url = http::Url::parse(server->address() + path).value();
        request.body = body;
        request.headers.add("A2A-Version", "1.0");
        request.headers.add("Content-Type", "application/json");
        if (!last_event.empty()) {
          request.headers.add("A2A-Extensions", "urn:x, urn:coracle:a2a:resume:1");
          request.headers.add("Last-Event-ID", last_event);
        }
        const http::EventSource events =
            client->events(std::move(request), {}, {.event_bytes = std::size_t{32} << 20});
        std::vector<StreamItem> items;
        for (;;) {
          coracle::Task<std::optional<http::Event>> reading = events.next(10s);
          const std::optional<http::Event> event = co_await reading;
          if (!event) break;
          Json json = web::parse_json(event->data).value();
          if (is_rpc) json = *json.find("result");
          items.push_back(read<StreamItem>(web::JsonReader(json)));
        }
        co_return items;
      });
}

Task task_in(const Json& response) {
  const Json* const result = response.find("result");
  BOOST_REQUIRE_MESSAGE(result != nullptr, web::to_text(response));
  const Json* const task = result->find("task");
  return read<Task>(web::JsonReader(task == nullptr ? *result : *task));
}

std::string text_of(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& each : parts) text += std::get<std::string>(each.content) + "|";
  return text;
}

std::int64_t code_of(const Json& response) {
  const Json* const error = response.find("error");
  return error == nullptr ? 0 : error->find("code")->if_whole().value();
}

ServerOptions with_callers() {
  ServerOptions options;
  options.callers.tokens = {{"eve", eves_token}, {"mal", mals_token}};
  return options;
}

}  // namespace coracle::a2a::test
