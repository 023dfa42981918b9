#include "coracle/mcp/remote_calls.hpp"

#include "support/society.hpp"

namespace coracle::mcp {

using namespace test;

BOOST_AUTO_TEST_SUITE(called_tools)

BOOST_AUTO_TEST_CASE(a_remote_function_is_a_tool_with_a_schema_of_its_types) {
  Society society;
  society.gateway->add(
      remote_calls<Planner>("lab/office").function("plan", "Plans a way", {"from", "to"}, true));
  const Json tools = society.ask(request(1, "tools/list"));
  BOOST_TEST(at(tools, "result/tools/3/name") == "call_lab__office__forget");
  BOOST_TEST(at(tools, "result/tools/4/name") == "call_lab__office__plan");
  BOOST_TEST(at(tools, "result/tools/4/inputSchema/required") == R"(["from","to"])");
  BOOST_TEST(at(tools, "result/tools/4/outputSchema/type") == "array");
  BOOST_TEST(at(tools, "result/tools/4/annotations/readOnlyHint") == "true");
  BOOST_TEST(at(tools, "result/tools/5/name").starts_with("ask_"));  // a stream is no tool
}

BOOST_AUTO_TEST_CASE(a_call_gives_the_value_of_the_function) {
  Society society;
  society.gateway->add(remote_calls<Planner>("lab/office").function("plan", "", {"from", "to"}));
  const Json plan =
      society.ask(use(1, "call_lab__office__plan", R"({"from":{"x":1,"y":2},"to":{"x":3,"y":4}})"));
  BOOST_TEST(at(plan, "result/structuredContent") == R"([{"x":1,"y":2},{"x":3,"y":4}])");
  BOOST_TEST(at(society.ask(use(2, "call_lab__office__forget", "{}")), "result/content/0/text") ==
             "done");
}

BOOST_AUTO_TEST_CASE(a_function_that_throws_gives_its_reason) {
  Society society;
  society.gateway->add(remote_calls<Planner>("lab/office"));
  const Json end = society.ask(
      use(1, "call_lab__office__plan", R"({"arg1":{"x":1,"y":2},"arg2":{"x":-1,"y":4}})"));
  BOOST_TEST(at(end, "result/isError") == "true");
  BOOST_TEST(at(end, "result/content/0/text").find("there is no way") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_not_sent) {
  Society society;
  society.gateway->add(remote_calls<Planner>("lab/office"));
  for (const char* const arguments : {"{}", R"({"arg1":{"x":1,"y":2}})", R"({"arg1":1,"arg2":2})",
                                      R"({"arg1":{"x":1,"y":2},"arg2":{"x":1,"y":2},"arg3":1})"}) {
    const Json end = society.ask(use(1, "call_lab__office__plan", arguments));
    BOOST_TEST(at(end, "result/isError") == "true");
    BOOST_TEST(at(end, "result/content/0/text").find("arguments") != std::string::npos);
  }
  BOOST_TEST(at(society.ask(use(2, "call_lab__office__forget", R"({"x":1})")), "result/isError") ==
             "true");
}

BOOST_AUTO_TEST_CASE(functions_are_described_once_and_with_names_that_differ) {
  Society society;
  society.gateway->add(remote_calls<Planner>("lab/office"));
  BOOST_CHECK_THROW(society.gateway->add(remote_calls<Planner>("lab/office")), Error);
  BOOST_CHECK_THROW(remote_calls<Planner>("a").function("none", ""), Error);
  BOOST_CHECK_THROW(remote_calls<Planner>("a").function("plan", "", {"x", "x"}), Error);
  BOOST_CHECK_THROW(remote_calls<Planner>("a").function("forget", "", {"x"}), Error);
}

BOOST_AUTO_TEST_CASE(a_program_adds_tools_of_its_own) {
  Society society;
  ToolInfo info{"count"};
  society.gateway->add(info, [](Agent&, ToolUse use) -> Task<ToolResult> {
    const Json* const by = use.arguments.find("by");
    if (by == nullptr) throw Error(Errc::bad_options, "count by a number");
    web::Progress progress{"counting", 0, 2};
    use.show(progress);
    co_return ToolResult::value(Json().set("sum", *by).set("caller", use.caller));
  });
  const Json sum = society.ask(use(1, "count", R"({"by":3})"));
  BOOST_TEST(at(sum, "result/structuredContent") == R"({"sum":3,"caller":"ann"})");
  BOOST_TEST(at(society.client->notes(1)[0], "params/message") == "counting");
  const Json failed = society.ask(use(2, "count", "{}"));
  BOOST_TEST(at(failed, "result/isError") == "true");
  BOOST_TEST(at(failed, "result/content/0/text").find("count by a number") != std::string::npos);
  for (const char* const name : {"count", "society_why", "ask_boss", "with space", ""})
    BOOST_CHECK_THROW(society.gateway->add(ToolInfo{name}, nullptr), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
