#include "coracle/mcp/gateway.hpp"

#include "support/society.hpp"

namespace coracle::mcp {

using namespace test;

namespace {

// Answers a request when it gets another message: that text. "ask" makes it ask the client first.
class Slow : public Agent {
  Task<> run() override {
    const Match requests = that([](const MessageView& each) { return each.is_request(); });
    for (;;) {
      const Message request = co_await receive(requests);
      co_await web::report_progress(*this, request, "thinking");
      const Message sign = co_await receive(!requests);
      std::string text(sign.text());
      if (text == "ask") {
        const auto answer = co_await web::put_question(*this, request, "How many?");
        text = answer ? "you said " + std::string(answer->text()) : "no answer";
      }
      co_await reply(request, text);
    }
  }
};

// A society with a slow agent, whose uses become tasks at once.
struct SlowSociety : Society {
  SlowSociety() : Society({.exposed = {"lab/**"}, .task_after = Duration::zero()}) {
    node.create<Slow>("lab/slow");
    until([this] { return gateway->counts().agents == 4; });
  }

  // Begins a use, and returns the number of its task.
  std::string begin(const std::string& caller = "ann") {
    const Json begun = ask(with_tasks(use(1, "ask_lab__slow", R"({"text":"begin"})")), caller);
    BOOST_TEST(at(begun, "result/resultType") == "task");
    BOOST_TEST(at(begun, "result/status") == "working");
    return at(begun, "result/taskId");
  }
  Json about(const std::string& task, const std::string& method = "tasks/get",
             const std::string& more = {}, const std::string& caller = "ann") {
    return ask(with_tasks(request(2, method, R"("taskId":")" + task + '"' + more)), caller);
  }
  std::string status(const std::string& task) { return at(about(task), "result/status"); }
  void wait_for(const std::string& task, const char* wanted) {
    until([&] { return status(task) == wanted; });
  }
  void give(const char* sign) {
    helper->act<bool>([sign](Agent& me) -> Task<bool> {
      co_await me.send("lab/slow", sign);
      co_return true;
    });
  }
};

std::string answered_with(const char* key, const char* text) {
  return R"(,"inputResponses":{")" + std::string(key) +
         R"(":{"action":"accept","content":{"answer":")" + text + R"("}}})";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tasks)

BOOST_AUTO_TEST_CASE(a_client_that_takes_tasks_comes_back_for_the_result) {
  SlowSociety society;
  const std::string task = society.begin();
  society.until([&] { return at(society.about(task), "result/statusMessage") == "thinking"; });
  BOOST_TEST(society.gateway->counts().calls == 0U);
  society.give("42");
  society.wait_for(task, "completed");
  const Json end = society.about(task);
  BOOST_TEST(at(end, "result/resultType") == "complete");
  BOOST_TEST(at(end, "result/result/content/0/text") == "42");
  BOOST_TEST(at(end, "result/result/isError") == "false");
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_state_it_gets_no_task) {
  SlowSociety society;
  society.send(use(1, "ask_lab__slow", R"({"text":"begin"})"), society.client);
  (void)society.client->notes(1);
  society.give("42");
  BOOST_TEST(at(society.client->response(), "result/content/0/text") == "42");
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const Incoming refused = read_message(request(2, method, R"("taskId":"x")"), false);
    const auto* const bad = std::get_if<web::BadRpc>(&refused);
    BOOST_REQUIRE(bad != nullptr);
    BOOST_TEST(bad->error.code == -32021);
    BOOST_TEST(at(bad->error.data, "requiredCapabilities/extensions") != "?");
  }
  BOOST_TEST(
      at(society.ask(request(3, "subscriptions/listen", R"("notifications":{"taskIds":[]})")),
         "error/code") == "-32021");
}

BOOST_AUTO_TEST_CASE(tasks_of_another_caller_look_like_none) {
  SlowSociety society;
  const std::string task = society.begin();
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const Json theirs = society.about(task, method, {}, "bob");
    const Json none = society.about("none", method, {}, "bob");
    BOOST_TEST(at(theirs, "error/code") == "-32602");
    BOOST_TEST(at(none, "error/code") == "-32602");
  }
  BOOST_TEST(society.status(task) == "working");
}

BOOST_AUTO_TEST_CASE(a_question_of_the_agent_is_part_of_the_task) {
  SlowSociety society;
  const std::string task = society.begin();
  society.give("ask");
  society.wait_for(task, "input_required");
  const std::string question = "result/inputRequests/question1/params/message";
  BOOST_TEST(at(society.about(task), question) == "How many?");
  // Answers to other questions are left out.
  BOOST_TEST(at(society.about(task, "tasks/update", answered_with("question2", "six")),
                "result/resultType") == "complete");
  BOOST_TEST(society.status(task) == "input_required");
  society.about(task, "tasks/update", answered_with("question1", "seven"));
  society.wait_for(task, "completed");
  BOOST_TEST(at(society.about(task), "result/result/content/0/text") == "you said seven");
  // An answer that comes late changes nothing.
  BOOST_TEST(at(society.about(task, "tasks/update", answered_with("question1", "eight")),
                "result/resultType") == "complete");
}

BOOST_AUTO_TEST_CASE(a_task_that_is_called_off_has_no_result) {
  SlowSociety society;
  const std::string task = society.begin();
  BOOST_TEST(at(society.about(task, "tasks/cancel"), "result/resultType") == "complete");
  BOOST_TEST(society.status(task) == "cancelled");
  BOOST_TEST(at(society.about(task, "tasks/cancel"), "result/resultType") == "complete");
  society.give("42");
  BOOST_TEST(society.status(task) == "cancelled");
}

BOOST_AUTO_TEST_CASE(a_subscriber_learns_of_the_end_of_its_tasks) {
  SlowSociety society;
  const std::string task = society.begin(), others = society.begin("bob");
  const std::string wanted =
      R"("notifications":{"taskIds":[")" + task + R"(",")" + others + R"("]})";
  const auto listener = std::make_shared<Client>();
  society.send(with_tasks(request(5, "subscriptions/listen", wanted)), listener);
  const std::vector<Json> first = listener->notes(2);
  BOOST_TEST(at(first[0], "params/notifications") == R"({"taskIds":[")" + task + R"("]})");
  BOOST_TEST(at(first[1], "method") == "notifications/tasks");
  BOOST_TEST(at(first[1], "params/status") == "working");
  society.about(task, "tasks/cancel");
  BOOST_TEST(at(listener->notes(3)[2], "params/status") == "cancelled");
  BOOST_TEST(at(listener->notes(3)[2], "params/taskId") == task);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
