// Requests of clients that are broken, or want to break something.
#include "coracle/mcp/http_server.hpp"

#include "support/society.hpp"

#include "coracle/http/client.hpp"

namespace coracle::mcp {

using namespace test;

namespace {

// A body, with the status and the code that it gets.
struct BadInput {
  const char* name;
  std::string body;
  int status;
  const char* code;
};

std::string repeated(std::size_t count, const char* text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string with_params(const std::string& params, const char* method = "tools/call") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":)" + params +
         "}";
}

std::vector<BadInput> bad_inputs() {
  const std::string deep = repeated(10'000, "[") + repeated(10'000, "]");
  return {
      {"no JSON", "hello", 400, "-32700"},
      {"nothing", "", 400, "-32700"},
      {"half of a message", R"({"jsonrpc":"2.0","id":1,)", 400, "-32700"},
      {"a broken character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, "-32700"},
      {"a list of requests", "[" + request(1, "tools/list") + "]", 400, "-32600"},
      {"another version of JSON-RPC", R"({"jsonrpc":"1.0","id":1,"method":"ping"})", 400, "-32600"},
      {"an id that is an object", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", 400, "-32600"},
      {"an id that is null",
       R"({"jsonrpc":"2.0","id":null,"method":"tools/list","params":{)" + std::string(stated_meta) +
           "}}",
       400, "-32600"},
      {"a method that is a number", R"({"jsonrpc":"2.0","id":1,"method":7})", 400, "-32600"},
      {"parameters that are a list", with_params("[]"), 400, "-32602"},
      {"no version", with_params(R"({"name":"ask_lab__clerk","arguments":{}})"), 400, "-32602"},
      {"a depth bomb", with_params(deep), 400, "-32600"},
      {"very many values", with_params("[" + repeated(200'000, "1,") + "1]"), 400, "-32600"},
      {"too much", with_params('"' + std::string(std::size_t{5} << 20, 'x') + '"'), 413, "?"},
      {"an unknown method", request(1, "tools/steal"), 404, "-32601"},
      {"an unknown tool", use(1, "ask_none", "{}"), 400, "-32602"},
      {"an agent that is not exposed", use(1, "ask_boss", R"({"text":"hi"})"), 400, "-32602"},
      {"arguments that are a list", use(1, "ask_lab__clerk", "[]"), 400, "-32602"},
      {"a state that nobody was given",
       use(1, "ask_lab__clerk", R"({"text":"x"})", R"(,"requestState":"0")"), 400, "-32602"},
      {"a cursor that nobody was given", request(1, "tools/list", R"("cursor":"%%%")"), 400,
       "-32602"},
      {"a resource that climbs",
       request(1, "resources/read", R"("uri":"society://agents/../boss")"), 400, "-32602"},
      {"a task that nobody was given", with_tasks(request(1, "tasks/get", R"("taskId":"0")")), 400,
       "-32602"},
  };
}

// The name that the header repeats.
std::string named_in(const std::string& body) {
  const auto message = web::parse_json(body);
  const Json* const params = message ? message->find("params") : nullptr;
  if (params == nullptr || params->if_object() == nullptr) return {};
  for (const char* const each : {"params/name", "params/uri", "params/taskId"})
    if (const std::string name = at(*message, each); name != "?") return name;
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(bad_input_gets_the_error_of_the_specification_and_disturbs_nobody) {
  Society society;
  http::Loop loop;
  loop.start();
  const HttpServer server(*society.gateway, loop);
  http::Client client(loop);
  const auto fetch = [&](const std::string& body) {
    http::Request made{"POST", http::Url::parse(server.address()).value()};
    made.headers = {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}};
    made.headers.add("MCP-Protocol-Version", "2026-07-28");
    if (const auto message = web::parse_json(body); message && message->find("method"))
      made.headers.add("Mcp-Method", at(*message, "method"));
    if (const std::string name = named_in(body); !name.empty()) made.headers.add("Mcp-Name", name);
    made.body = body;
    return client.fetch_and_wait(std::move(made));
  };
  for (const BadInput& each : bad_inputs()) {
    BOOST_TEST_CONTEXT(each.name) {
      const http::Response refused = fetch(each.body);
      BOOST_TEST(refused.status == each.status);
      const auto body = web::parse_json(refused.body);
      BOOST_TEST((body ? at(*body, "error/code") : std::string("?")) == each.code);
      BOOST_TEST(refused.body.size() < 2000U);
      const http::Response good = fetch(use(2, "ask_lab__clerk", R"({"text":"well"})"));
      BOOST_TEST(at(parsed(good.body), "result/content/0/text") == "well");
    }
  }
  society.until([&] { return society.gateway->counts().calls == 0; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
