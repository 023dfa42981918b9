#include "coracle/mcp/gateway.hpp"

#include "support/society.hpp"

namespace coracle::mcp {

using namespace test;

namespace {

std::string texts_of(const Json& response, const char* list, const char* member) {
  std::string all;
  for (const Json& each : *response.find("result")->find(list)->if_array())
    all += (all.empty() ? "" : " ") + at(each, member);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gateway)

BOOST_AUTO_TEST_CASE(a_client_discovers_the_server) {
  Society society;
  const Json found = society.ask(request(1, "server/discover"));
  BOOST_TEST(at(found, "result/supportedVersions/0") == "2026-07-28");
  BOOST_TEST(at(found, "result/resultType") == "complete");
  BOOST_TEST(at(found, "result/capabilities/tools/listChanged") == "true");
  BOOST_TEST(at(found, "result/_meta/io.modelcontextprotocol~1serverInfo") == "?");
  BOOST_TEST(found.find("result")->find("_meta")->find("io.modelcontextprotocol/serverInfo") !=
             nullptr);
  BOOST_TEST(at(found, "result/cacheScope") == "private");
}

BOOST_AUTO_TEST_CASE(each_exposed_agent_is_a_tool) {
  Society society;
  const Json tools = society.ask(request(1, "tools/list"));
  BOOST_TEST(texts_of(tools, "tools", "name") ==
             "society_agents society_inspect society_why ask_lab__clerk ask_lab__office "
             "ask_lab__other");
  BOOST_TEST(at(tools, "result/tools/3/description") == "Answers everything");
  BOOST_TEST(at(tools, "result/tools/3/inputSchema/type") == "object");
  BOOST_TEST(at(tools, "result/tools/0/annotations/readOnlyHint") == "true");
}

BOOST_AUTO_TEST_CASE(an_agent_answers_texts_and_json) {
  Society society;
  const Json text = society.ask(use(1, "ask_lab__clerk", R"({"text":"hello"})"));
  BOOST_TEST(at(text, "result/content/0/text") == "hello");
  BOOST_TEST(at(text, "result/isError") == "false");
  const Json json = society.ask(use(2, "ask_lab__clerk", R"({"json":{"a":[1,null]}})"));
  BOOST_TEST(at(json, "result/structuredContent") == R"({"a":[1,null]})");
  BOOST_TEST(at(json, "result/content/0/text") == R"({"a":[1,null]})");
}

BOOST_AUTO_TEST_CASE(a_value_of_a_type_of_the_society_needs_permission) {
  Society society({.exposed = {"lab/**"}, .types = {"plan/*"}});
  const Json given =
      society.ask(use(1, "ask_lab__clerk", R"({"json":["north",2],"type":"plan/v1"})"));
  BOOST_TEST(at(given, "result/structuredContent") == R"(["north",2])");
  const Json refused =
      society.ask(use(2, "ask_lab__clerk", R"({"json":[],"type":"rpc/call/plan"})"));
  BOOST_TEST(at(refused, "result/isError") == "true");
  BOOST_TEST(at(refused, "result/content/0/text").find("arguments.type") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_request_is_told_with_its_reason) {
  Society society({.exposed = {"lab/**"}, .call_time = std::chrono::milliseconds(50)});
  const auto text_of = [&](const char* word) {
    const Json end =
        society.ask(use(1, "ask_lab__clerk", R"({"text":")" + std::string(word) + R"("})"));
    BOOST_TEST(at(end, "result/isError") == "true");
    return at(end, "result/content/0/text");
  };
  BOOST_TEST(text_of("refuse").find("closed today") != std::string::npos);
  BOOST_TEST(text_of("silence").find("will not") != std::string::npos);
  BOOST_TEST(text_of("fail").find("failed") != std::string::npos);
  const Json late = society.ask(use(2, "ask_lab__office", R"({"text":"no call"})"));
  BOOST_TEST(at(late, "result/content/0/text").find("in time") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(agents_that_are_not_exposed_look_like_none) {
  Society society;
  const Json hidden = society.ask(use(1, "ask_boss", R"({"text":"hi"})"));
  const Json none = society.ask(use(1, "ask_none", R"({"text":"hi"})"));
  BOOST_TEST(at(hidden, "error/code") == "-32602");
  BOOST_TEST(at(none, "error/code") == "-32602");
  BOOST_TEST(at(society.ask(use(2, "society_inspect", R"({"agent":"boss"})")), "result/isError") ==
             "true");
  BOOST_TEST(at(society.ask(request(3, "resources/read", R"("uri":"society://agents/boss")")),
                "error/code") == "-32602");
  BOOST_TEST(
      at(society.ask(use(4, "society_agents", "{}")), "result/content/0/text").find("boss") ==
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(progress_of_the_agent_reaches_the_client) {
  Society society;
  const Json end = society.ask(use(1, "ask_lab__clerk", R"({"text":"progress"})"));
  BOOST_TEST(at(end, "result/content/0/text") == "worked");
  const std::vector<Json> notes = society.client->notes(2);
  BOOST_TEST(at(notes[0], "method") == "notifications/progress");
  BOOST_TEST(at(notes[0], "params/progressToken") == "p1");
  BOOST_TEST(at(notes[1], "params/message") == "step 2");
  BOOST_TEST(at(notes[1], "params/progress") == "2");
}

BOOST_AUTO_TEST_CASE(a_question_of_the_agent_is_put_to_the_client) {
  Society society;
  const Json asked = society.ask(use(1, "ask_lab__clerk", R"({"text":"question"})"));
  BOOST_TEST(at(asked, "result/resultType") == "input_required");
  BOOST_TEST(at(asked, "result/inputRequests/question/params/message") == "How many?");
  const std::string state = R"(,"requestState":")" + at(asked, "result/requestState") + R"(")";
  const std::string answer =
      R"(,"inputResponses":{"question":{"action":"accept","content":{"answer":"seven"}}})";
  // Another caller, another tool and other arguments have nothing to do with it.
  BOOST_TEST(
      at(society.ask(use(2, "ask_lab__clerk", R"({"text":"question"})", state + answer), "bob"),
         "error/code") == "-32602");
  BOOST_TEST(at(society.ask(use(2, "ask_lab__other", R"({"text":"question"})", state + answer)),
                "error/code") == "-32602");
  BOOST_TEST(at(society.ask(use(2, "ask_lab__clerk", R"({"text":"else"})", state + answer)),
                "error/code") == "-32602");
  // An answer that is missing is asked for again.
  const Json again = society.ask(use(2, "ask_lab__clerk", R"({"text":"question"})", state));
  BOOST_TEST(at(again, "result/resultType") == "input_required");
  const std::string new_state = R"(,"requestState":")" + at(again, "result/requestState") + R"(")";
  const Json end =
      society.ask(use(3, "ask_lab__clerk", R"({"text":"question"})", new_state + answer));
  BOOST_TEST(at(end, "result/content/0/text") == "you said seven");
  // A state is used up.
  BOOST_TEST(at(society.ask(use(4, "ask_lab__clerk", R"({"text":"question"})", new_state + answer)),
                "error/code") == "-32602");
}

BOOST_AUTO_TEST_CASE(a_client_that_declines_gives_no_answer) {
  Society society;
  const Json asked = society.ask(use(1, "ask_lab__clerk", R"({"text":"question"})"));
  const Json end =
      society.ask(use(2, "ask_lab__clerk", R"({"text":"question"})",
                      R"(,"inputResponses":{"question":{"action":"decline"}},"requestState":")" +
                          at(asked, "result/requestState") + R"(")"));
  BOOST_TEST(at(end, "result/content/0/text") == "no answer");
}

BOOST_AUTO_TEST_CASE(the_caller_and_the_trace_reach_the_agent) {
  Society society;
  BOOST_TEST(at(society.ask(use(1, "ask_lab__clerk", R"({"text":"who"})")),
                "result/content/0/text") == "ann 255");
}

BOOST_AUTO_TEST_CASE(a_request_that_is_called_off_gets_no_response) {
  Society society;
  const int channel = 0;
  const auto client = std::make_shared<Client>();
  society.send(use(7, "ask_lab__office", R"({"text":"no call"})"), client, &channel);
  society.until([&] { return society.gateway->counts().calls == 1; });
  society.gateway->state().port().act<bool>([&](Agent&) -> Task<bool> {
    society.gateway->state().call_off(&channel, Json(8));  // another one
    society.gateway->state().call_off(&channel, Json(7));
    co_return true;
  });
  BOOST_TEST(at(society.ask(use(1, "ask_lab__clerk", R"({"text":"hello"})")),
                "result/content/0/text") == "hello");
  society.until([&] { return society.gateway->counts().calls == 0; });
  BOOST_TEST(client->responses() == 0U);
}

BOOST_AUTO_TEST_CASE(one_caller_takes_no_more_than_its_part) {
  Society society({.exposed = {"lab/**"}, .calls = 3, .calls_per_caller = 2});
  const auto slow = std::make_shared<Client>();
  for (int i = 1; i <= 2; ++i)
    society.send(use(i, "ask_lab__office", R"({"text":"no call"})"), slow);
  BOOST_TEST(at(society.ask(use(3, "ask_lab__clerk", R"({"text":"hello"})")), "error/code") ==
             "-32603");
  BOOST_TEST(at(society.ask(use(3, "ask_lab__clerk", R"({"text":"hello"})"), "bob"),
                "result/content/0/text") == "hello");
}

BOOST_AUTO_TEST_CASE(a_subscriber_learns_of_new_tools) {
  Society society;
  society.send(request(5, "subscriptions/listen",
                       R"("notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
                       R"("resourceSubscriptions":["society://agents","society://agents/boss"]})"),
               society.client);
  const Json acknowledged = society.client->notes(1)[0];
  BOOST_TEST(at(acknowledged, "params/notifications") ==
             R"({"toolsListChanged":true,"resourceSubscriptions":["society://agents"]})");
  society.node.create<Clerk>("lab/late");
  const std::vector<Json> notes = society.client->notes(3);
  BOOST_TEST(at(notes[1], "method") == "notifications/tools/list_changed");
  BOOST_TEST(notes[1]
                 .find("params")
                 ->find("_meta")
                 ->find("io.modelcontextprotocol/subscriptionId")
                 ->if_whole()
                 .value() == 5);
  BOOST_TEST(at(notes[2], "params/uri") == "society://agents");
  BOOST_TEST(society.gateway->counts().subscriptions == 1U);
  BOOST_TEST(at(society.ask(use(1, "ask_lab__late", R"({"text":"hello"})")),
                "result/content/0/text") == "hello");
}

BOOST_AUTO_TEST_CASE(a_client_looks_at_the_society) {
  Society society;
  society.node.create<Waiter>("lab/waiter");
  BOOST_TEST(at(society.ask(use(1, "society_agents", R"({"prefix":"lab/clerk"})")),
                "result/structuredContent/agents/0/properties/size") == "3");
  const Json why = society.ask(use(2, "society_why", R"({"agent":"lab/waiter"})"));
  BOOST_TEST(at(why, "result/structuredContent/chain/0/for") == "lab/nobody");
  const Json inspected = society.ask(use(3, "society_inspect", R"({"agent":"lab/office"})"));
  BOOST_TEST(at(inspected, "result/structuredContent/activity") == "waits");
  const Json resource =
      society.ask(request(4, "resources/read", R"("uri":"society://agents/lab/clerk")"));
  BOOST_TEST(at(resource, "result/contents/0/text").find("Answers everything") !=
             std::string::npos);
  for (const char* const uri : {"society://agents", "society://drawing", "society://counts"})
    BOOST_TEST(
        at(society.ask(request(5, "resources/read", R"("uri":")" + std::string(uri) + R"(")")),
           "result/contents/0/uri") == uri);
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_not_exposed_is_hidden_in_a_chain_of_waits) {
  class OfBoss : public Agent {
    Task<> run() override { (void)co_await ask("boss", "silence", std::chrono::hours(1)); }
  };
  class Sleeper : public Agent {
    Task<> run() override { co_await pause(Deadline::never()); }
  };
  Society society;
  society.node.create<Sleeper>("secret");
  class OfSecret : public Agent {
    Task<> run() override { (void)co_await ask("secret", "hello"); }
  };
  society.node.create<OfSecret>("lab/waiter");
  const Json why = society.ask(use(1, "society_why", R"({"agent":"lab/waiter"})"));
  BOOST_TEST(at(why, "result/structuredContent/end") == "not_allowed");
  BOOST_TEST(web::to_text(why).find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(agents_that_are_not_exposed_are_hidden_in_properties_and_errors) {
  // Asks an agent that clients may not know, and fails with the sentence of that.
  class OfVault : public Agent {
    Task<> run() override {
      co_await describe(Properties()
                            .set("role", true)
                            .set("role.client", "vault/keys\nlab/clerk\nno name!\n")
                            .set("does.inhibits", "vault/door\n"));
      for (;;) {
        const Message message = co_await receive();
        try {
          (void)co_await ask("vault/keys", "refuse");
        } catch (const Error& error) {
          if (message.text() == "fail") throw;
        }
        co_await reply(message, "well");
      }
    }
  };
  Society society;
  society.node.create<Clerk>("vault/keys");
  society.node.create<OfVault>("lab/ann");
  society.until([&] { return society.gateway->counts().agents == 4; });
  std::string all;
  BOOST_TEST(at(society.ask(use(1, "ask_lab__ann", R"({"text":"ask"})")),
                "result/content/0/text") == "well");
  const Json inspected = society.ask(use(2, "society_inspect", R"({"agent":"lab/ann"})"));
  BOOST_TEST(at(inspected, "result/structuredContent/errors/0/ago") != "?");
  all += web::to_text(inspected);
  const Json listed = society.ask(use(3, "society_agents", "{}"));
  BOOST_TEST(at(listed, "result/structuredContent/agents/0/properties/role.client") ==
             "lab/clerk\n");
  all += web::to_text(listed);
  for (const char* const uri :
       {"society://agents", "society://agents/lab/ann", "society://drawing"})
    all += web::to_text(
        society.ask(request(4, "resources/read", R"("uri":")" + std::string(uri) + R"(")")));
  BOOST_TEST(all.find("asks lab/clerk") != std::string::npos);
  all += web::to_text(society.ask(use(5, "ask_lab__ann", R"({"text":"fail"})")));
  BOOST_TEST(all.find("has failed before it answered") != std::string::npos);
  BOOST_TEST(all.find("vault") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(properties_with_very_many_names_are_left_out) {
  class OfMany : public Agent {
    Task<> run() override {
      std::string names;
      for (int i = 0; i < 2000; ++i) names += "lab/" + std::to_string(i) + "\n";
      co_await describe(Properties().set("role", true).set("role.master", names));
      (void)co_await receive();
    }
  };
  Society society;
  society.node.create<OfMany>("lab/many");
  society.until([&] { return society.gateway->counts().agents == 4; });
  BOOST_TEST(at(society.ask(use(1, "society_agents", R"({"prefix":"lab/many"})")),
                "result/structuredContent/agents/0/properties_left_out") == "true");
}

BOOST_AUTO_TEST_CASE(prompts_and_completions_know_the_agents) {
  Society society;
  BOOST_TEST(texts_of(society.ask(request(1, "prompts/list")), "prompts", "name") ==
             "look_around why_waits ask_agent");
  const Json prompt = society.ask(
      request(2, "prompts/get", R"("name":"why_waits","arguments":{"agent":"lab/clerk"})"));
  BOOST_TEST(at(prompt, "result/messages/0/content/text").find("lab/clerk") != std::string::npos);
  BOOST_TEST(at(society.ask(request(3, "prompts/get", R"("name":"why_waits")")), "error/code") ==
             "-32602");
  const Json completed = society.ask(request(4, "completion/complete",
                                             R"("ref":{"type":"ref/prompt","name":"why_waits"},)"
                                             R"("argument":{"name":"agent","value":"lab/o"})"));
  BOOST_TEST(at(completed, "result/completion/values") == R"(["lab/office","lab/other"])");
}

BOOST_AUTO_TEST_CASE(a_long_list_has_pages) {
  Society society;
  for (int i = 0; i < 250; ++i) society.node.create<Waiter>("lab/many" + std::to_string(i));
  society.helper->act<bool>([](Agent& me) -> Task<bool> {
    co_await me.node().directory().catch_up();
    co_return true;
  });
  std::string cursor;
  std::set<std::string> names;
  std::size_t pages = 0, tools = 0;
  do {
    const Json page = society.ask(
        request(1, "tools/list", cursor.empty() ? "" : R"("cursor":")" + cursor + R"(")"));
    for (const Json& each : *page.find("result")->find("tools")->if_array()) {
      names.insert(at(each, "name"));
      ++tools;
    }
    cursor = at(page, "result/nextCursor");
    ++pages;
  } while (cursor != "?");
  BOOST_TEST(pages == 3U);
  BOOST_TEST(names.size() == tools);
  BOOST_TEST(names.size() >= 250U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
