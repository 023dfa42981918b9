#include "model/request.hpp"

#include "model/results.hpp"

#include "coracle/web/json_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::mcp {

namespace {

const std::string meta_text = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                              R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

std::string request_text(const std::string& method, const std::string& more = {}) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + more +
         (more.empty() ? "" : ",") + meta_text + "}}";
}

Request read_one(const std::string& text, bool may_be_earlier = false) {
  Incoming incoming = read_message(text, may_be_earlier);
  if (const auto* const bad = std::get_if<web::BadRpc>(&incoming))
    BOOST_FAIL("refused: " + bad->error.message);
  return std::get<Request>(std::move(incoming));
}

web::BadRpc refused_one(const std::string& text, bool may_be_earlier = false) {
  return std::get<web::BadRpc>(read_message(text, may_be_earlier));
}

http::Headers headers_for(const char* method, std::initializer_list<const char*> names = {}) {
  http::Headers made{{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", method}};
  for (const char* const each : names) made.add("mcp-name", each);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(read_request)

BOOST_AUTO_TEST_CASE(a_request_of_the_present_revision_states_its_version) {
  const Request request = read_one(request_text("tools/call", R"("name":"t","arguments":{"a":1})"));
  BOOST_TEST((request.method == Method::call_tool));
  BOOST_TEST(request.name == "t");
  BOOST_TEST(!request.is_earlier);
  BOOST_TEST(request.can_be_asked);
  BOOST_TEST(request.arguments.find("a")->if_whole().value() == 1);
}

BOOST_AUTO_TEST_CASE(answers_to_no_question_are_not_kept) {
  const std::string answers = R"("name":"t","inputResponses":{"a":{"action":"decline"}})";
  BOOST_TEST(read_one(request_text("tools/call", answers)).input_responses.is_null());
  const Request repeated = read_one(request_text("tools/call", answers + R"(,"requestState":"s")"));
  BOOST_TEST(!repeated.input_responses.is_null());
  BOOST_TEST(
      refused_one(request_text("tools/call", R"("name":"t","inputResponses":7)")).error.code ==
      web::rpc_code::invalid_params);
}

// Each of them was looked for among all, which took seconds.
BOOST_AUTO_TEST_CASE(a_prompt_with_very_many_arguments_is_read) {
  std::string all;
  for (int i = 10'000; i < 100'000; ++i)
    all += (all.empty() ? "\"" : ",\"") + std::to_string(i) + R"(":"x")";
  const std::string begin = R"("name":"p","arguments":{)";
  const Request request = read_one(request_text("prompts/get", begin + all + "}"));
  BOOST_TEST(request.arguments.if_object()->size() == 90'000U);
  const auto bad = refused_one(request_text("prompts/get", begin + R"("a":"x","b":1})"));
  BOOST_TEST(bad.error.message.find("arguments.b") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_request_without_a_version_is_malformed) {
  const web::BadRpc bad = refused_one(R"({"jsonrpc":"2.0","id":"x","method":"tools/list"})");
  BOOST_TEST(bad.error.code == web::rpc_code::invalid_params);
  BOOST_TEST((bad.id == Json("x")));
  const auto without =
      refused_one(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)"
                  R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  BOOST_TEST(without.error.code == web::rpc_code::invalid_params);
}

BOOST_AUTO_TEST_CASE(another_version_gets_those_that_are_served) {
  std::string text = request_text("tools/list");
  text.replace(text.find("2026-07-28"), 10, "1900-01-01");
  const web::BadRpc bad = refused_one(text);
  BOOST_TEST(bad.error.code == error_code::unsupported_version);
  BOOST_TEST(web::to_text(bad.error.data) ==
             R"({"supported":["2026-07-28"],"requested":"1900-01-01"})");
}

BOOST_AUTO_TEST_CASE(a_client_of_an_earlier_revision_begins_with_initialize) {
  const Request first = read_one(R"({"jsonrpc":"2.0","id":0,"method":"initialize",)"
                                 R"("params":{"protocolVersion":"2025-06-18"}})");
  BOOST_TEST(first.is_earlier);
  BOOST_TEST(first.wanted_version == "2025-06-18");
  BOOST_TEST(read_one(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", true).is_earlier);
  // A method that only the other revision has is unknown in each.
  BOOST_TEST(
      refused_one(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})", true).error.code ==
      web::rpc_code::method_not_found);
  BOOST_TEST(refused_one(request_text("ping")).error.code == web::rpc_code::method_not_found);
  // A request that states its version is of the present revision all the same.
  BOOST_TEST(!read_one(request_text("tools/list"), true).is_earlier);
}

BOOST_AUTO_TEST_CASE(notifications_get_no_response) {
  const Incoming cancelled = read_message(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})", false);
  BOOST_TEST((std::get<Cancelled>(cancelled).id == Json(7)));
  const Incoming other = read_message(R"({"jsonrpc":"2.0","method":"notifications/x"})", false);
  BOOST_TEST(std::holds_alternative<Ignored>(other));
  const Incoming useless =
      read_message(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})", false);
  BOOST_TEST(std::holds_alternative<Ignored>(useless));
}

BOOST_AUTO_TEST_CASE(parameters_of_a_wrong_type_are_refused_with_their_place) {
  for (const char* const params :
       {R"("name":3)", R"("name":"t","arguments":[])", R"("name":"t","requestState":{})",
        R"("name":"t","inputResponses":"x")"}) {
    const web::BadRpc bad = refused_one(request_text("tools/call", params));
    BOOST_TEST(bad.error.code == web::rpc_code::invalid_params);
    BOOST_TEST(bad.error.message.find("params.") != std::string::npos);
  }
  BOOST_TEST(
      refused_one(request_text("prompts/get", R"("name":"t","arguments":{"a":1})")).error.code ==
      web::rpc_code::invalid_params);
  BOOST_TEST(refused_one(R"({"jsonrpc":"2.0","id":null,"method":"ping"})").error.code ==
             web::rpc_code::invalid_request);
  BOOST_TEST(refused_one(R"([])").error.code == web::rpc_code::invalid_request);
  BOOST_TEST(refused_one(R"({"jsonrpc")").error.code == web::rpc_code::parse_error);
}

BOOST_AUTO_TEST_CASE(headers_repeat_the_body) {
  const Request call = read_one(request_text("tools/call", R"("name":"t")"));
  BOOST_TEST(!header_error(headers_for("tools/call", {"t"}), call).has_value());
  BOOST_TEST(!header_error(headers_for("tools/call", {"=?base64?dA==?="}), call).has_value());
  for (const auto& wrong : {headers_for("tools/call"), headers_for("tools/list", {"t"}),
                            headers_for("tools/call", {"u"}), headers_for("tools/call", {"t", "t"}),
                            headers_for("tools/call", {"=?base64?dB==?="}), http::Headers{}}) {
    const auto error = header_error(wrong, call);
    BOOST_REQUIRE(error.has_value());
    BOOST_TEST(error->code == error_code::header_mismatch);
  }
  BOOST_TEST(
      !header_error(headers_for("tools/list"), read_one(request_text("tools/list"))).has_value());
}

BOOST_AUTO_TEST_CASE(a_trace_that_is_not_valid_begins_anew) {
  const std::string valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  std::string text = request_text("tools/list");
  text.replace(text.find("\"_meta\":{"), 9, R"("_meta":{"traceparent":")" + valid + R"(",)");
  BOOST_TEST(read_one(text).trace->span == 0x00f067aa0ba902b7U);
  text.replace(text.find(valid), valid.size(), "nonsense");
  BOOST_TEST(!read_one(text).trace.has_value());
}

BOOST_AUTO_TEST_CASE(cursors_are_those_that_the_server_has_given) {
  BOOST_TEST(name_in_cursor(cursor_after("ask_lab__ann")) == "ask_lab__ann");
  BOOST_CHECK_THROW(name_in_cursor("!"), web::JsonError);
  BOOST_CHECK_THROW(name_in_cursor("YQ=="), web::JsonError);
}

BOOST_AUTO_TEST_CASE(errors_have_the_status_that_http_wants) {
  BOOST_TEST(status_of({web::rpc_code::method_not_found, ""}, false) == 404);
  BOOST_TEST(status_of({error_code::header_mismatch, ""}, false) == 400);
  BOOST_TEST(status_of({web::rpc_code::internal_error, ""}, false) == 500);
  BOOST_TEST(status_of({web::rpc_code::method_not_found, ""}, true) == 200);
  BOOST_TEST(status_of({web::rpc_code::parse_error, ""}, true) == 400);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
