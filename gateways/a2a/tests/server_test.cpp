#include "coracle/a2a/server.hpp"

#include "coracle/tests/support/in_memory.hpp"
#include "coracle/web/json_rpc.hpp"
#include "support/place.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;
using namespace test;

BOOST_AUTO_TEST_SUITE(server)

BOOST_AUTO_TEST_CASE(a_message_to_an_agent_is_a_task_with_its_reply) {
  Place place;
  const Task task = task_in(place.send("hello"));
  BOOST_TEST((task.status.state == TaskState::completed));
  BOOST_TEST(text_of(task.artifacts.at(0).parts) == "you said hello|");
  BOOST_TEST(task.history.size() == 1);
  BOOST_TEST((task_in(place.call("GetTask", Json().set("id", task.id))) == task));
  const http::Response got = place.fetch("GET", "/a2a/lab/helper/tasks/" + task.id);
  BOOST_TEST(got.status == 200);
  const Json json = web::parse_json(got.body).value();
  BOOST_TEST((read<Task>(web::JsonReader(json)) == task));
}

BOOST_AUTO_TEST_CASE(both_bindings_and_the_tenant_reach_the_same_agent) {
  Place place;
  const auto sent = [&](const std::string& path, const Json& params) {
    const http::Response response = place.fetch("POST", path, web::to_text(params));
    BOOST_TEST(response.status == 200, response.body);
    const Json json = web::parse_json(response.body).value();
    return read<Task>(web::JsonReader(*json.find("task"))).status.state;
  };
  const auto done = TaskState::completed;
  BOOST_TEST((sent("/a2a/lab/helper/message:send", place.message("a")) == done));
  BOOST_TEST((sent("/a2a/lab%2Fhelper/message:send", place.message("b")) == done));
  BOOST_TEST((sent("/a2a/message:send", place.message("c").set("tenant", "lab/helper")) == done));
  BOOST_TEST((sent("/a2a/message:send", place.message("d")) == done));  // the only one
  const Json params = place.message("e").set("tenant", "lab/helper");
  const std::string body = web::write_rpc({"SendMessage", params, Json("x")});
  const Json response = web::parse_json(place.fetch("POST", "/a2a", body).body).value();
  BOOST_TEST((task_in(response).status.state == done));
  BOOST_TEST((*response.find("id") == Json("x")));
  BOOST_TEST(code_of(place.call("SendMessage", place.message("f").set("tenant", "other"))) ==
             -32602);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_request_is_the_end_of_its_task) {
  Place place;
  const auto end = [&](const std::string& text) {
    const Task task = task_in(place.send(text));
    return std::string(to_string(task.status.state)) + " " +
           text_of(task.status.message.value().parts);
  };
  BOOST_TEST(end("refuse").starts_with("TASK_STATE_REJECTED "));
  BOOST_TEST(end("refuse").find("no coffee") != std::string::npos);
  BOOST_TEST(end("drop") == "TASK_STATE_FAILED the agent has dropped the task without an answer|");
  BOOST_TEST(end("fail") == "TASK_STATE_FAILED the agent has failed|");
}

BOOST_AUTO_TEST_CASE(an_agent_that_takes_too_long_has_failed) {
  ServerOptions options;
  options.task_time = 20ms;
  Place place(options);
  const Task task = task_in(place.send("wait"));
  BOOST_TEST((task.status.state == TaskState::failed));
}

BOOST_AUTO_TEST_CASE(pieces_are_one_result) {
  Place place;
  const Task task = task_in(place.send("pieces"));
  BOOST_TEST(task.artifacts.size() == 1);
  BOOST_TEST(text_of(task.artifacts.at(0).parts) == "one|two|");
  BOOST_TEST(text_of(task.history.back().parts) == "half done|");
}

BOOST_AUTO_TEST_CASE(a_question_to_the_client_is_answered_in_the_same_task) {
  Place place;
  const Task asked = task_in(place.send("ask"));
  BOOST_TEST((asked.status.state == TaskState::input_required));
  BOOST_TEST(text_of(asked.status.message.value().parts) == "which colour?|");
  const Task done = task_in(place.send("red", {}, Json().set("taskId", asked.id)));
  BOOST_TEST(done.id == asked.id);
  BOOST_TEST((done.status.state == TaskState::completed));
  BOOST_TEST(text_of(done.artifacts.at(0).parts) == "painted red|");
  BOOST_TEST(code_of(place.send("blue", {}, Json().set("taskId", asked.id))) == -32004);
  BOOST_TEST(code_of(place.send("blue", {}, Json().set("taskId", "none"))) == -32001);
}

BOOST_AUTO_TEST_CASE(a_task_waits_for_a_permission_with_a_message) {
  Place place;
  const Task asked = task_in(place.send("permit"));
  BOOST_TEST((asked.status.state == TaskState::auth_required));
  BOOST_TEST(text_of(asked.status.message.value().parts) == "which colour?|");
  const Task done = task_in(place.send("red", {}, Json().set("taskId", asked.id)));
  BOOST_TEST((done.status.state == TaskState::completed));
}

BOOST_AUTO_TEST_CASE(a_task_can_be_canceled_once) {
  Place place;
  const Json later = Json().set("returnImmediately", true);
  for (const char* text : {"wait", "ask"}) {
    const Task task =
        task_in(place.call("SendMessage", place.message(text).set("configuration", later)));
    const Json cancel = Json().set("id", task.id);
    BOOST_TEST((task_in(place.call("CancelTask", cancel)).status.state == TaskState::canceled));
    BOOST_TEST(code_of(place.call("CancelTask", cancel)) == -32002);
    BOOST_TEST(code_of(place.call("SubscribeToTask", cancel)) == -32004);
  }
}

BOOST_AUTO_TEST_CASE(a_stream_has_the_task_and_all_its_changes) {
  Place place;
  for (const bool is_rpc : {true, false}) {
    const Json params = place.message("pieces");
    const std::string body =
        is_rpc ? web::write_rpc({"SendStreamingMessage", params, Json(1)}) : web::to_text(params);
    const auto items =
        place.items_of(is_rpc ? "/a2a/lab/helper" : "/a2a/lab/helper/message:stream", body, is_rpc);
    BOOST_REQUIRE(items.size() == 5);
    BOOST_TEST((std::get<Task>(items[0]).status.state == TaskState::submitted));
    BOOST_TEST((std::get<TaskStatusUpdate>(items[1]).status.state == TaskState::working));
    BOOST_TEST(!std::get<TaskArtifactUpdate>(items[2]).append);
    BOOST_TEST(std::get<TaskArtifactUpdate>(items[3]).append);
    BOOST_TEST(std::get<TaskArtifactUpdate>(items[3]).last_chunk);
    BOOST_TEST((std::get<TaskStatusUpdate>(items[4]).status.state == TaskState::completed));
  }
}

BOOST_AUTO_TEST_CASE(a_stream_ends_with_a_question) {
  Place place;
  const auto items =
      place.items_of("/a2a/lab/helper/message:stream", web::to_text(place.message("ask")), false);
  BOOST_REQUIRE(items.size() == 2);
  BOOST_TEST((std::get<TaskStatusUpdate>(items[1]).status.state == TaskState::input_required));
}

BOOST_AUTO_TEST_CASE(a_message_that_comes_twice_is_worked_at_once) {
  Place place;
  const Json params = place.message("hello");
  const Task first = task_in(place.call("SendMessage", params));
  BOOST_TEST((task_in(place.call("SendMessage", params)) == first));
}

BOOST_AUTO_TEST_CASE(a_history_is_as_short_as_the_client_wants) {
  Place place;
  const Task task = task_in(place.send("pieces"));
  BOOST_TEST(task.history.size() == 2);
  const Json get = Json().set("id", task.id);
  BOOST_TEST(task_in(place.call("GetTask", Json(get).set("historyLength", 1))).history.size() == 1);
  const Json none = place.call("GetTask", Json(get).set("historyLength", 0));
  BOOST_TEST(none.find("result")->find("history") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_list_has_artifacts_only_if_they_are_wanted) {
  Place place;
  (void)place.send("pieces");
  const Json list = *place.call("ListTasks", {}).find("result");
  BOOST_TEST((*list.find("nextPageToken") == Json("")));
  BOOST_TEST((*list.find("tasks")->if_array())[0].find("artifacts") == nullptr);
  const Json whole = *place.call("ListTasks", Json().set("includeArtifacts", true)).find("result");
  BOOST_TEST((*whole.find("tasks")->if_array())[0].find("artifacts") != nullptr);
}

BOOST_AUTO_TEST_CASE(a_context_is_kept_or_made) {
  Place place;
  BOOST_TEST(!task_in(place.send("hello")).context_id.empty());
  const Task task = task_in(place.send("hello", {}, Json().set("contextId", "mine")));
  BOOST_TEST(task.context_id == "mine");
}

BOOST_AUTO_TEST_CASE(nobody_sees_the_tasks_of_others) {
  Place place(with_callers());
  BOOST_TEST(text_of(task_in(place.send("who", eves_token)).artifacts.at(0).parts) == "eve|");
  const std::string id = task_in(place.send("hello", eves_token)).id;
  const Json get = Json().set("id", id);
  BOOST_TEST(code_of(place.call("GetTask", get, eves_token)) == 0);
  for (const char* method : {"GetTask", "CancelTask", "SubscribeToTask"}) {
    const Json of_other = place.call(method, get, mals_token);
    BOOST_TEST(code_of(of_other) == -32001, method);
    Json none = place.call(method, Json().set("id", "none"), mals_token);
    BOOST_TEST(*none.find("error")->find("message")->if_text() ==
               *of_other.find("error")->find("message")->if_text());
  }
  BOOST_TEST(code_of(place.send("x", mals_token, Json().set("taskId", id))) == -32001);
  const Json list = place.call("ListTasks", {}, mals_token);
  BOOST_TEST(list.find("result")->find("totalSize")->if_whole().value() == 0);
  BOOST_TEST(place.call("ListTasks", {}, eves_token)
                 .find("result")
                 ->find("totalSize")
                 ->if_whole()
                 .value() == 2);
}

BOOST_AUTO_TEST_CASE(a_request_without_a_valid_proof_is_refused) {
  Place place(with_callers());
  const std::string body = web::write_rpc({"ListTasks", {}, Json(1)});
  for (const char* token : {"", "wrong-token-0123456789"}) {
    const http::Response response = place.fetch("POST", "/a2a/lab/helper", body, token);
    BOOST_TEST(response.status == 401);
    BOOST_TEST(response.headers.find("WWW-Authenticate").has_value());
  }
  BOOST_TEST(place.fetch("GET", "/a2a").status == 401);
  BOOST_TEST(place.fetch("GET", "/a2a/lab/helper/.well-known/agent-card.json").status == 200);
}

BOOST_AUTO_TEST_CASE(an_agent_has_a_card_and_is_in_the_list) {
  Place place;
  for (const char* path :
       {"/a2a/lab/helper/.well-known/agent-card.json", "/.well-known/agent-card.json"}) {
    const http::Response response = place.fetch("GET", path, {}, {}, false);
    BOOST_TEST(response.status == 200);
    const Json json = web::parse_json(response.body).value();
    const AgentCard card = read<AgentCard>(web::JsonReader(json));
    BOOST_TEST(card.name == "lab/helper");
    BOOST_TEST(card.description == "helps");
    BOOST_TEST(card.supported_interfaces[0].url == place.server->address() + "/a2a/lab/helper");
  }
  const http::Response list = place.fetch("GET", "/a2a");
  BOOST_TEST(list.body.find("lab/helper") != std::string::npos);
  BOOST_TEST(list.body.find("hidden") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_hidden_agent_is_as_unknown_as_one_that_does_not_exist) {
  Place place;
  for (const char* name : {"hidden", "lab/none", "none", "a2a", "x//y"}) {
    const std::string path = std::string("/a2a/") + name;
    BOOST_TEST(place.fetch("GET", path + "/.well-known/agent-card.json").status == 404, name);
    const http::Response sent =
        place.fetch("POST", path + "/message:send", web::to_text(place.message("x")));
    BOOST_TEST(sent.status == 404, name);
    BOOST_TEST(sent.body.find("AGENT_NOT_FOUND") != std::string::npos, sent.body);
  }
}

BOOST_AUTO_TEST_CASE(bad_requests_get_the_errors_of_the_specification) {
  Place place;
  const auto rpc = [&](const std::string& body, bool with_version = true) {
    const http::Response response = place.fetch("POST", "/a2a/lab/helper", body, {}, with_version);
    BOOST_TEST(response.status == 200);
    return code_of(web::parse_json(response.body).value());
  };
  BOOST_TEST(rpc("{") == -32700);
  BOOST_TEST(rpc("[]") == -32600);
  BOOST_TEST(rpc(R"({"jsonrpc":"2.0","id":1,"method":"message/send"})") == -32601);
  BOOST_TEST(rpc(R"({"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}})") == -32602);
  BOOST_TEST(rpc(R"({"jsonrpc":"2.0","id":1,"method":"ListTasks"})", false) == -32009);
  BOOST_TEST(rpc(R"({"jsonrpc":"2.0","method":"ListTasks"})") == -32600);
  BOOST_TEST(code_of(place.call("GetExtendedAgentCard", {})) == -32004);
  BOOST_TEST(code_of(place.call("ListTaskPushNotificationConfigs", Json().set("taskId", "x"))) ==
             -32001);
  BOOST_TEST(place.fetch("GET", "/a2a/lab/helper/tasks/none").status == 404);
  BOOST_TEST(place.fetch("GET", "/a2a/lab/helper/other").status == 404);
  BOOST_TEST(place.fetch("GET", "/a2a/lab/helper/tasks?pageSize=0").status == 400);
  std::string deep(100, '[');
  BOOST_TEST(rpc(R"({"jsonrpc":"2.0","id":1,"method":"x","params":)" + deep) == -32600);
}

BOOST_AUTO_TEST_CASE(large_messages_have_streams_too) {
  Place place;
  const Json params = place.message(std::string(std::size_t{3} << 19, 'x'));
  const auto items = place.items_of("/a2a/lab/helper/message:stream", web::to_text(params), false);
  BOOST_REQUIRE(items.size() == 3);
  BOOST_TEST((std::get<TaskStatusUpdate>(items[2]).status.state == TaskState::completed));
}

BOOST_AUTO_TEST_CASE(a_stream_beyond_the_bytes_of_its_caller_is_closed) {
  ServerOptions options = with_callers();
  options.limits.stream_bytes_per_caller = 5000;
  Place place(options);
  const auto stream = [&](std::size_t bytes) {
    return place.fetch("POST", "/a2a/lab/helper/message:stream",
                       web::to_text(place.message(std::string(bytes, 'x'))), eves_token);
  };
  BOOST_TEST(stream(10).body.find("TASK_STATE_COMPLETED") != std::string::npos);
  BOOST_TEST(stream(10'000).body.find("TASK_STATE_COMPLETED") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(both_bindings_take_as_much_as_the_options_say) {
  ServerOptions options;
  options.request_bytes = std::size_t{6} << 20;
  Place place(options);
  const Json params = place.message(std::string(std::size_t{5} << 20, 'x'));
  BOOST_TEST(place.fetch("POST", "/a2a/lab/helper/message:send", web::to_text(params)).status ==
             200);
  const std::string body = web::write_rpc({"SendMessage", params, Json(1)});
  const http::Response response = place.fetch("POST", "/a2a/lab/helper", body);
  BOOST_TEST(response.body.starts_with(R"({"jsonrpc":"2.0","id":1,"result":)"));
}

BOOST_AUTO_TEST_CASE(beyond_this_host_a_server_needs_tls_and_callers) {
  Node node(coracle::test::in_memory());
  http::Loop loop;
  ServerOptions options;
  options.http.endpoint = "0.0.0.0:0";
  BOOST_CHECK_THROW(Server(node, loop, options), Error);
  options.callers.tokens = {{"eve", eves_token}};
  BOOST_CHECK_THROW(Server(node, loop, options), Error);
  options.callers = {};
  options.http.insecure = true;
  BOOST_CHECK_NO_THROW(Server(node, loop, options));
}

BOOST_AUTO_TEST_CASE(clients_that_wait_get_an_answer_when_the_server_ends) {
  Place place;
  const Json later = Json().set("returnImmediately", true);
  (void)place.call("SendMessage", place.message("wait").set("configuration", later));
  BOOST_TEST(place.server->counts().tasks == 1);
  BOOST_TEST(place.server->counts().agents == 1);
  place.server.reset();
}

BOOST_AUTO_TEST_CASE(an_identifier_of_a_client_has_no_control_characters) {
  Place place;
  for (const char* id : {"a\nb", "\t", "\x7f"})
    BOOST_TEST(code_of(place.send("hello", {}, Json().set("messageId", id))) == -32602);
  BOOST_TEST(code_of(place.send("hello", {}, Json().set("messageId", "\u00e9 7"))) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
