#include "bindings/call.hpp"

#include "coracle/a2a/model_json.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace coracle::a2a {
namespace {

using Operation = RestPath::Operation;

std::string fault_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Fault& fault) {
    return reason_of(fault.kind()) + (" " + fault.field());
  }
  return "none";
}

http::Request request(const char* method, const char* query = "", const char* body = "") {
  http::Request made;
  made.method = method;
  made.url.query = query;
  made.body = body;
  return made;
}

BOOST_AUTO_TEST_SUITE(bindings)

BOOST_AUTO_TEST_CASE(each_call_is_the_same_request_of_json_rpc) {
  SendMessageRequest send{"lab/ann", {"m"}};
  send.message.role = Role::user;
  send.message.parts.push_back({std::string("hi")});
  const PushConfig push{"", "p", "t", "https://x"};
  const std::vector<Call> calls = {SendCall{send, false},
                                   SendCall{send, true},
                                   GetTaskRequest{"x", "t", 3},
                                   ListTasksRequest{"x", "c"},
                                   CancelTaskRequest{"x", "t"},
                                   SubscribeRequest{"x", "t"},
                                   CreatePushCall{push},
                                   GetPushCall{{"x", "t", "p"}},
                                   ListPushConfigsRequest{"x", "t"},
                                   DeletePushCall{{"x", "t", "p"}},
                                   GetCardRequest{"x"}};
  for (const Call& each : calls) {
    const web::RpcRequest rpc = rpc_request_of(each, Json(1));
    const Call again = call_in(rpc);
    BOOST_TEST(again.index() == each.index());
    BOOST_TEST(is_stream(again) == is_stream(each));
    BOOST_TEST(tenant_of(again) == tenant_of(each));
    BOOST_TEST((rpc_request_of(again, Json(1)).params == rpc.params));
    BOOST_TEST(rpc_request_of(again, Json(1)).method == rpc.method);
  }
}

BOOST_AUTO_TEST_CASE(wrong_requests_of_json_rpc_get_their_errors) {
  BOOST_TEST(fault_of([] { call_in({"message/send", {}, Json(1)}); }) == "METHOD_NOT_FOUND ");
  BOOST_TEST(fault_of([] { call_in({"GetTask", {}, Json(1)}); }) == "INVALID_PARAMS id");
  BOOST_TEST(fault_of([] {
               call_in({"GetTask", Json().push(1), Json(1)});
             }) == "INVALID_PARAMS params");
  BOOST_TEST(
      fault_of([] {
        call_in({"SendMessage", Json().set("message", Json().set("messageId", "m")), Json(1)});
      }) == "INVALID_PARAMS message.role");
}

BOOST_AUTO_TEST_CASE(paths_name_the_agent_and_the_operation) {
  const auto found = [](const char* method, const char* path) {
    const auto path_found = rest_path_in(method, path);
    if (!path_found) return std::string("none");
    return std::to_string(static_cast<int>(path_found->operation)) + " " + path_found->agent + " " +
           path_found->task + " " + path_found->config;
  };
  BOOST_TEST(found("POST", "message:send") == "0   ");
  BOOST_TEST(found("POST", "lab/ann/message:send") == "0 lab/ann  ");
  BOOST_TEST(found("POST", "ann/message:stream") == "1 ann  ");
  BOOST_TEST(found("GET", "lab/ann/tasks/7") == "2 lab/ann 7 ");
  BOOST_TEST(found("GET", "lab/ann/tasks") == "3 lab/ann  ");
  BOOST_TEST(found("POST", "ann/tasks/7:cancel") == "4 ann 7 ");
  BOOST_TEST(found("POST", "ann/tasks/7:subscribe") == "5 ann 7 ");
  BOOST_TEST(found("GET", "ann/tasks/7:subscribe") == "5 ann 7 ");
  BOOST_TEST(found("POST", "ann/tasks/7/pushNotificationConfigs") == "6 ann 7 ");
  BOOST_TEST(found("GET", "ann/tasks/7/pushNotificationConfigs/p") == "7 ann 7 p");
  BOOST_TEST(found("GET", "ann/tasks/7/pushNotificationConfigs") == "8 ann 7 ");
  BOOST_TEST(found("DELETE", "ann/tasks/7/pushNotificationConfigs/p") == "9 ann 7 p");
  BOOST_TEST(found("GET", "ann/extendedAgentCard") == "10 ann  ");
  for (const char* path : {"", "ann", "lab/ann", "tasks/7:other/x", "ann/tasks/7"})
    BOOST_TEST(found("POST", path) == "none", path);
  BOOST_TEST(found("DELETE", "ann/tasks/7") == "none");
  BOOST_TEST(found("GET", "ann/tasks/") == "none");
}

BOOST_AUTO_TEST_CASE(queries_become_requests) {
  const Call call =
      call_in({Operation::list, "ann"},
              request("GET",
                      "contextId=c&status=input-required&pageSize=7&includeArtifacts=true"
                      "&historyLength=0&statusTimestampAfter=2026-11-30T08%3A15%3A00Z"));
  const auto& list = std::get<ListTasksRequest>(call);
  BOOST_TEST(list.context_id == "c");
  BOOST_TEST((list.status == TaskState::input_required));
  BOOST_TEST(list.page_size.value() == 7);
  BOOST_TEST(list.history_length.value() == 0);
  BOOST_TEST(list.include_artifacts);
  BOOST_TEST(list.status_timestamp_after.has_value());
  const auto list_with = [](const char* query) {
    return fault_of([query] { call_in({Operation::list, "ann"}, request("GET", query)); });
  };
  BOOST_TEST(list_with("pageSize=many") == "INVALID_PARAMS pageSize");
  BOOST_TEST(list_with("status=busy") == "INVALID_PARAMS status");
  BOOST_TEST(list_with("a=%zz") == "INVALID_REQUEST ");
}

BOOST_AUTO_TEST_CASE(the_path_counts_and_not_the_body) {
  const Call call = call_in({Operation::cancel, "ann", "7"}, request("POST", "", R"({"id":"8"})"));
  BOOST_TEST(std::get<CancelTaskRequest>(call).id == "7");
  BOOST_TEST(fault_of([] {
               call_in({Operation::send, "ann"}, request("POST", "", "{"));
             }) == "PARSE_ERROR ");
  BOOST_TEST(fault_of([] {
               call_in({Operation::send, "ann"}, request("POST", "", "[]"));
             }) == "INVALID_PARAMS the body");
}

BOOST_AUTO_TEST_CASE(only_version_1_0_is_supported) {
  const auto version = [](const char* header, const char* query = "") {
    http::Request made = request("GET", query);
    if (*header != '\0') made.headers.add("a2a-version", header);
    return fault_of([&made] { check_version(made); });
  };
  BOOST_TEST(version("1.0") == "none");
  BOOST_TEST(version("1.0.1") == "none");
  BOOST_TEST(version("", "A2A-Version=1.0") == "none");
  for (const char* other : {"", "0.3", "1", "1.1", "2.0", "x"})
    BOOST_TEST(version(other) == "VERSION_NOT_SUPPORTED ", other);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
