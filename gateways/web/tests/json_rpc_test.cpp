#include "coracle/web/json_rpc.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::web {
namespace {

RpcRequest request_in(const char* text) { return std::get<RpcRequest>(read_rpc_request(text)); }
BadRpc fault_in(std::string_view text) { return std::get<BadRpc>(read_rpc_request(text)); }

BOOST_AUTO_TEST_SUITE(json_rpc)

BOOST_AUTO_TEST_CASE(an_id_comes_back_as_it_was_sent) {
  for (const char* id : {"7", "\"x\\\"y\"", "null", "-1"}) {
    const auto request =
        request_in((std::string(R"({"jsonrpc":"2.0","method":"m","id":)") + id + "}").c_str());
    BOOST_REQUIRE(request.id.has_value());
    BOOST_TEST(write_rpc_result(*request.id, "[1]") ==
               std::string(R"({"jsonrpc":"2.0","id":)") + id + ",\"result\":[1]}");
  }
}

BOOST_AUTO_TEST_CASE(a_request_without_an_id_is_a_notification) {
  const RpcRequest request = request_in(R"({"jsonrpc":"2.0","method":"m","params":{"a":1}})");
  BOOST_TEST(!request.id.has_value());
  BOOST_TEST(request.params.find("a")->if_whole().value() == 1);
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_request_get_the_error_of_the_specification) {
  BOOST_TEST(fault_in("{").error.code == rpc_code::parse_error);
  BOOST_TEST(fault_in("[]").error.code == rpc_code::invalid_request);
  BOOST_TEST(fault_in("5").error.code == rpc_code::invalid_request);
  BOOST_TEST(fault_in(R"({"method":"m","id":4})").error.code == rpc_code::invalid_request);
  BOOST_TEST((fault_in(R"({"method":"m","id":4})").id == Json(4)));
  for (const char* wrong :
       {R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","method":5,"id":1})",
        R"({"jsonrpc":"2.0","method":"","id":1})", R"({"jsonrpc":"2.0","method":"m","id":{}})",
        R"({"jsonrpc":"2.0","method":"m","id":1.5})", R"({"jsonrpc":2.0,"method":"m","id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":"x","id":1})"})
    BOOST_TEST(fault_in(wrong).error.code == rpc_code::invalid_request, wrong);
}

BOOST_AUTO_TEST_CASE(a_response_is_read_as_it_was_written) {
  const auto result = read_rpc_response(write_rpc_result(Json("a"), R"({"x":2})")).value();
  BOOST_TEST((result.id == Json("a")));
  BOOST_TEST(std::get<Json>(result.outcome).find("x")->if_whole().value() == 2);
  const RpcError sent{-32001, "no task", Json().push("more")};
  const auto error = read_rpc_response(write_rpc_error(Json(3), sent)).value();
  const auto& read = std::get<RpcError>(error.outcome);
  BOOST_TEST(read.code == -32001);
  BOOST_TEST(read.message == "no task");
  BOOST_TEST((read.data == sent.data));
  for (const char* wrong :
       {"[]", R"({"jsonrpc":"2.0","id":1})", R"({"id":1,"result":1})",
        R"({"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}})",
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1e99,"message":""}})"})
    BOOST_TEST(!read_rpc_response(wrong).has_value(), wrong);
}

BOOST_AUTO_TEST_CASE(a_request_is_read_as_it_was_written) {
  const RpcRequest sent{"SendMessage", Json().set("a", "b"), Json(9)};
  const RpcRequest read = request_in(write_rpc(sent).c_str());
  BOOST_TEST(read.method == sent.method);
  BOOST_TEST((read.params == sent.params));
  BOOST_TEST((read.id == sent.id));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
