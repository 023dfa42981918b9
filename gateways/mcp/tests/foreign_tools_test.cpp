#include "coracle/mcp/foreign_tools.hpp"

#include "coracle/mcp/http_server.hpp"
#include "coracle/mcp/use.hpp"
#include "support/society.hpp"

#include <algorithm>

namespace coracle::mcp {

using namespace test;

namespace {

struct Numbers {
  static constexpr std::string_view field_names[] = {"a", "b"};
  int a = 0, b = 0;
};

ToolInfo tool_with(const char* name, const char* property, const char* type) {
  ToolInfo info{name};
  info.description = "A tool of the test";
  Json properties, required;
  properties.set(property, Json().set("type", type));
  required.push(property);
  info.input.set("type", "object")
      .set("properties", std::move(properties))
      .set("required", std::move(required));
  return info;
}

Task<ToolResult> add(Agent&, ToolUse use) {
  const auto part = [&](const char* name) { return use.arguments.find(name)->if_whole().value(); };
  co_return ToolResult::value(Json().set("result", part("a") + part("b")));
}

Task<ToolResult> repeat(Agent&, ToolUse use) {
  const std::string text = *use.arguments.find("text")->if_text();
  if (text == "fail") throw Error(Errc::refused, "nothing to repeat");
  co_return ToolResult::text(text + text);
}

// A society with a gateway, and another one that uses its tools by HTTP.
struct TwoSocieties : Society {
  explicit TwoSocieties(GatewayOptions options = {.exposed = {"lab/**"}})
      : Society(std::move(options)) {
    gateway->add(remote_calls<Planner>("lab/office").function("plan", "Plans", {"from", "to"}));
    gateway->add(tool_with("add", "a", "integer"), add);
    gateway->add(tool_with("repeat.it", "text", "string"), repeat);
    loop.start();
    server.emplace(*gateway, loop);
    ForeignServer there{"there"};
    there.url = server->address();
    tools.emplace(far, loop, std::move(there));
    ann.emplace(far, "ann");
  }
  bool has(const char* agent) const {
    const std::vector<Name> agents = tools->agents();
    return std::count(agents.begin(), agents.end(), Name(agent)) == 1;
  }
  std::string error_of(const char* tool, const Content& content) {
    try {
      ann->ask(tool, content, std::chrono::seconds(20));
    } catch (const Error& error) {
      return error.sentence();
    }
    return "no error";
  }

  http::Loop loop;
  std::optional<HttpServer> server;
  Node far{coracle::test::in_memory()};
  std::optional<ForeignTools> tools;
  std::optional<Port> ann;
};

Content json_of(std::string_view text) {
  return Content::bytes(std::as_bytes(std::span(text)), "application/json");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(foreign_tools)

BOOST_AUTO_TEST_CASE(each_tool_of_a_server_is_an_agent_that_describes_itself) {
  TwoSocieties both;
  BOOST_TEST(both.has("mcp/there/ask_lab__clerk"));
  BOOST_TEST(both.has("mcp/there/society_why"));
  BOOST_TEST(both.has("mcp/there/repeat.it"));
  Query query(where("tool") == "add");
  const std::vector<Entry> found = both.ann->search(query);
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST((*found[0].properties.find("description") == Value("A tool of the test")));
}

BOOST_AUTO_TEST_CASE(a_request_uses_the_tool) {
  TwoSocieties both;
  const Message sum = both.ann->ask("mcp/there/add", json_of(R"({"a":1,"b":2})"));
  BOOST_TEST(sum.content().type() == "application/json");
  BOOST_TEST(sum.text() == R"({"result":3})");
  // A text is the only argument.
  BOOST_TEST(both.ann->ask("mcp/there/repeat.it", "ha").text() == "haha");
  BOOST_TEST(both.ann->ask("mcp/there/repeat.it", json_of(R"({"text":"ho"})")).text() == "hoho");
}

BOOST_AUTO_TEST_CASE(a_tool_that_fails_refuses_with_its_reason) {
  TwoSocieties both;
  BOOST_TEST(both.error_of("mcp/there/repeat.it", "fail").find("nothing to repeat") !=
             std::string::npos);
  BOOST_TEST(both.error_of("mcp/there/add", "no object").find("object") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_typed_use_gives_a_value) {
  TwoSocieties both;
  const int sum = both.ann->act<int>([](Agent& me) -> Task<int> {
    Numbers numbers{4, 5};
    Task<int> using_it = use<int>(me, "mcp/there/add", numbers);
    const int result = co_await using_it;
    co_return result;
  });
  BOOST_TEST(sum == 9);
  const auto way = both.ann->act<std::vector<Place>>([](Agent& me) -> Task<std::vector<Place>> {
    std::map<std::string, Place> ends{{"from", {1, 2}}, {"to", {3, 4}}};
    Task<std::vector<Place>> using_it =
        use<std::vector<Place>>(me, "mcp/there/call_lab__office__plan", ends);
    std::vector<Place> result = co_await using_it;
    co_return result;
  });
  BOOST_TEST(way.at(1).y == 4);
}

BOOST_AUTO_TEST_CASE(questions_of_the_tool_are_put_to_the_asker) {
  class Asker : public Agent {
   public:
    explicit Asker(std::string* result) : result_(result) {}
    Task<> run() override {
      spawn(answer());
      Post post("mcp/there/ask_lab__clerk", "question");
      post.header(web::talk_header, "yes");
      const Message reply = co_await ask(post);
      *result_ = reply.text();
    }
    Task<> answer() {
      const Message question = co_await receive();
      const std::string text = question.content().as<web::Question>().text;
      co_await reply(question, text == "How many?" ? "seven" : "?");
    }

   private:
    std::string* const result_;
  };
  TwoSocieties both;
  std::string result;
  both.far.create<Asker>("asker", &result);
  (void)both.ann->watch("asker");
  BOOST_TEST(result == "you said seven");
  // An agent that only waits cannot be asked.
  BOOST_TEST(both.ann->ask("mcp/there/ask_lab__clerk", "question").text() == "no answer");
}

BOOST_AUTO_TEST_CASE(a_tool_may_give_a_task_and_its_end_is_awaited) {
  TwoSocieties both({.exposed = {"lab/**"}, .task_after = Duration::zero()});
  BOOST_TEST(both.ann->ask("mcp/there/ask_lab__clerk", "hello").text() == "hello");
  BOOST_TEST(both.error_of("mcp/there/ask_lab__clerk", "refuse").find("closed today") !=
             std::string::npos);
  // It is called off when there is no time left.
  BOOST_CHECK_THROW(both.ann->ask("mcp/there/ask_lab__office", "no call", std::chrono::seconds(1)),
                    Error);
}

BOOST_AUTO_TEST_CASE(agents_follow_the_tools_of_the_server) {
  TwoSocieties both;
  both.node.create<Clerk>("lab/late");
  both.until([&] { return both.gateway->counts().agents == 4; });
  both.tools->refresh();
  BOOST_TEST(both.has("mcp/there/ask_lab__late"));
  BOOST_TEST(both.ann->ask("mcp/there/ask_lab__late", "hello").text() == "hello");
  const std::size_t before = both.far.agents();
  both.tools.reset();
  BOOST_TEST(both.far.agents() + 8 < before);
}

BOOST_AUTO_TEST_CASE(a_tool_whose_name_another_agent_has_is_left_out) {
  TwoSocieties both;
  both.tools.reset();
  both.far.create<Clerk>("mcp/there/repeat.it");
  const std::size_t before = both.far.agents();
  ForeignServer there{"there"};
  there.url = both.server->address();
  both.tools.emplace(both.far, both.loop, there);
  BOOST_TEST(!both.has("mcp/there/repeat.it"));
  BOOST_TEST(both.has("mcp/there/society_why"));
  BOOST_TEST(both.ann->ask("mcp/there/repeat.it", "ha").text() == "ha");  // the clerk's answer
  both.tools.reset();
  BOOST_TEST(both.far.agents() == before);
}

BOOST_AUTO_TEST_CASE(an_error_does_not_show_the_secrets_in_an_address) {
  Node node(coracle::test::in_memory());
  http::Loop loop;
  loop.start();
  http::Routes routes;
  routes.on("POST", "/secret", [](http::Request, http::Responder to) {
    to.send(http::Response::plain(200, "hello"));
  });
  http::ServerOptions options;
  options.endpoint = "127.0.0.1:0";
  const http::Server web(loop, std::move(options), std::move(routes));
  ForeignServer server{"x"};
  server.url = web.url().text() + "secret?key=secret";
  try {
    const ForeignTools tools(node, loop, server);
    BOOST_ERROR("a page is no server of MCP");
  } catch (const Error& error) {
    BOOST_TEST(error.sentence().find(web.url().origin() + " has not answered in MCP") !=
               std::string::npos);
    BOOST_TEST(error.sentence().find("secret") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_is_none_is_refused) {
  Node node(coracle::test::in_memory());
  http::Loop loop;
  loop.start();
  ForeignServer server{"x"};
  BOOST_CHECK_THROW(ForeignTools(node, loop, server), Error);  // neither a program nor an address
  server.command = {"/none/such"};
  BOOST_CHECK_THROW(ForeignTools(node, loop, server), Error);
  server.command = {"/bin/cat"};  // it sends back what it gets
  server.begin_time = std::chrono::seconds(1);
  BOOST_CHECK_THROW(ForeignTools(node, loop, server), Error);
  server.command = {"/bin/true"};
  BOOST_CHECK_THROW(ForeignTools(node, loop, server), Error);
  server.name = "a/b";
  BOOST_CHECK_THROW(ForeignTools(node, loop, server), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
