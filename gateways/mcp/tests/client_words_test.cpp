#include "client/words.hpp"

#include "coracle/web/json_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::mcp {

namespace {

Json value_from(std::string_view text) { return web::parse_json(text).value(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(client_words)

BOOST_AUTO_TEST_CASE(a_request_states_the_client_in_the_present_revision_only) {
  const OwnRequest request{"tools/list"};
  const Json present = value_from(request_text(7, request, false));
  const Json* const meta = present.find("params")->find("_meta");
  BOOST_TEST((*meta->find(meta::version) == Json(present_version)));
  BOOST_TEST(meta->find(meta::capabilities)->find("elicitation") != nullptr);
  BOOST_TEST(value_from(request_text(7, request, true)).find("params")->find("_meta") == nullptr);
}

BOOST_AUTO_TEST_CASE(headers_repeat_the_request) {
  OwnRequest request{"tools/call"};
  request.name = "caf\xc3\xa9";
  const http::Headers headers = request_headers(request, present_version);
  BOOST_TEST(headers.find("Mcp-Name").value() == "=?base64?Y2Fmw6k=?=");
  BOOST_TEST(encoded_header("plain") == "plain");
  BOOST_TEST(encoded_header(" x").starts_with("=?base64?"));
  BOOST_TEST(request_headers(request, "2025-11-25").count("Mcp-Name") == 0U);
}

BOOST_AUTO_TEST_CASE(the_steps_of_a_use_are_read) {
  const Step text = read_step(value_from(R"({"content":[{"type":"text","text":"a"},)"
                                         R"({"type":"text","text":"b"}]})"));
  BOOST_TEST(std::get<Finished>(text).text == "a\nb");
  BOOST_TEST(!std::get<Finished>(text).value.has_value());
  const Step image = read_step(value_from(
      R"({"resultType":"complete","content":[{"type":"image","data":"","mimeType":"a/b"}]})"));
  BOOST_TEST(std::get<Finished>(image).value->if_array()->size() == 1U);
  const Step task = read_step(
      value_from(R"({"resultType":"task","taskId":"t","status":"working","pollIntervalMs":1})"));
  BOOST_TEST(std::get<Waiting>(task).task == "t");
  BOOST_TEST((std::get<Waiting>(task).pause == std::chrono::milliseconds(100)));
  const Step done =
      read_step(value_from(R"({"taskId":"t","status":"completed","result":{"content":[]}})"), "t");
  BOOST_TEST(std::holds_alternative<Finished>(done));
  BOOST_CHECK_THROW(
      read_step(value_from(R"({"taskId":"t","status":"failed","error":{"code":1,"message":"x"}})"),
                "t"),
      ServerFault);
  for (const char* const bad :
       {R"({})", R"({"content":[{"type":1}]})", R"({"resultType":"other"})",
        R"({"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}})",
        R"({"resultType":"task","taskId":"t","status":"odd"})"})
    BOOST_CHECK_THROW(read_step(value_from(bad)), web::JsonError);
  BOOST_CHECK_THROW(read_step(value_from(R"({"taskId":"u","status":"working"})"), "t"),
                    web::JsonError);
}

BOOST_AUTO_TEST_CASE(a_question_is_answered_by_its_member_or_by_an_object) {
  const auto asked = [](const char* properties) {
    return std::get<Asked>(read_step(value_from(
        std::string(R"({"resultType":"input_required","requestState":"s","inputRequests":{"k":)"
                    R"({"method":"elicitation/create","params":{"message":"m","requestedSchema":)"
                    R"({"type":"object","properties":)") +
        properties + "}}}}}")));
  };
  const Asked one = asked(R"({"n":{"type":"string"}})");
  BOOST_TEST(one.question == "m");
  BOOST_TEST(one.state == "s");
  BOOST_TEST(web::to_text(responses_to(one, "x")) ==
             R"({"k":{"action":"accept","content":{"n":"x"}}})");
  const Asked two = asked(R"({"n":{"type":"string"},"m":{"type":"integer"}})");
  BOOST_TEST(web::to_text(responses_to(two, R"({"m":1})")) ==
             R"({"k":{"action":"accept","content":{"m":1}}})");
  BOOST_TEST(web::to_text(responses_to(two, "no object")) == R"({"k":{"action":"decline"}})");
  BOOST_TEST(web::to_text(responses_to(one, std::nullopt)) == R"({"k":{"action":"decline"}})");
}

BOOST_AUTO_TEST_CASE(tools_with_impossible_names_are_left_out) {
  const ToolPage page = read_tool_page(value_from(
      R"({"tools":[{"name":"","inputSchema":{}},{"name":"a","inputSchema":{"type":"object"}}],)"
      R"("nextCursor":"c"})"));
  BOOST_TEST(page.tools.size() == 1U);
  BOOST_TEST(page.next == "c");
  BOOST_CHECK_THROW(read_tool_page(value_from(R"({"tools":[{"name":"a"}]})")), web::JsonError);
}

BOOST_AUTO_TEST_CASE(tools_with_enormous_descriptions_of_arguments_are_left_out) {
  const std::string large(200'000, 'x');
  const ToolPage page =
      read_tool_page(value_from(R"({"tools":[{"name":"a","inputSchema":{"description":")" + large +
                                R"("}},{"name":"b","inputSchema":{}}]})"));
  BOOST_REQUIRE(page.tools.size() == 1U);
  BOOST_TEST(page.tools[0].name == "b");
}

BOOST_AUTO_TEST_CASE(messages_of_a_server_are_responses_notices_or_requests) {
  const auto read = [](const char* text) { return read_from_server(text, 1000).value(); };
  BOOST_TEST(read(R"({"jsonrpc":"2.0","id":1,"result":{}})").response.has_value());
  BOOST_TEST(
      read(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{}})").id.is_null());
  BOOST_TEST(!read(R"({"jsonrpc":"2.0","id":"s1","method":"roots/list"})").id.is_null());
  BOOST_TEST(!read_from_server("{", 1000).has_value());
  BOOST_TEST(!read_from_server(std::string(2000, ' '), 1000).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
