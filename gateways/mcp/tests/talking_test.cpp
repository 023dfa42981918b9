// Agents that show much to their clients, or ask much of them.
#include "support/society.hpp"

namespace coracle::mcp {

using namespace test;

BOOST_AUTO_TEST_SUITE(talking)

BOOST_AUTO_TEST_CASE(answers_to_questions_count_as_memory_of_calls) {
  Society society({.exposed = {"lab/**"}, .call_bytes = 100'000});
  const std::string more = R"(,"requestState":"0","inputResponses":{"question":{"action":"accept",)"
                           R"("content":{"answer":")" +
                           std::string(200'000, 'x') + R"("}}})";
  BOOST_TEST(at(society.ask(use(1, "ask_lab__clerk", R"({"text":"hello"})", more)), "error/code") ==
             "-32603");
}

BOOST_AUTO_TEST_CASE(a_client_is_shown_so_many_steps_and_no_more) {
  class Restless : public Agent {
    Task<> run() override {
      const Message message = co_await receive();
      for (int i = 0; i < 10'010; ++i) co_await web::report_progress(*this, message, "x");
      co_await reply(message, "done");
    }
  };
  Society society;
  society.node.create<Restless>("lab/restless");
  society.until([&] { return society.gateway->counts().agents == 4; });
  BOOST_TEST(at(society.ask(use(1, "ask_lab__restless", R"({"text":"hello"})")),
                "result/content/0/text") == "done");
  BOOST_TEST(society.client->notes(0).size() == 10'000U);
}

BOOST_AUTO_TEST_CASE(a_long_question_is_cut_between_two_characters) {
  class Curious : public Agent {
    Task<> run() override {
      const Message message = co_await receive();
      std::string text = "x";
      for (int i = 0; i < 10'000; ++i) text += "\xc3\xa9";
      (void)co_await web::put_question(*this, message, text);
      co_await reply(message, "done");
    }
  };
  Society society;
  society.node.create<Curious>("lab/curious");
  society.until([&] { return society.gateway->counts().agents == 4; });
  const Json asked = society.ask(use(1, "ask_lab__curious", R"({"text":"hello"})"));
  BOOST_TEST(at(asked, "result/inputRequests/question/params/message").size() == 3999U);
}

BOOST_AUTO_TEST_CASE(a_question_that_is_too_large_gets_no_answer) {
  class Curious : public Agent {
    Task<> run() override {
      const Message message = co_await receive();
      const auto answer = co_await web::put_question(*this, message, std::string(100'000, 'x'));
      co_await reply(message, answer ? "an answer" : "no answer");
    }
  };
  Society society;
  society.node.create<Curious>("lab/curious");
  society.until([&] { return society.gateway->counts().agents == 4; });
  BOOST_TEST(at(society.ask(use(1, "ask_lab__curious", R"({"text":"hello"})")),
                "result/content/0/text") == "no answer");
}

// It would be kept as long as the client may answer.
BOOST_AUTO_TEST_CASE(a_large_reply_before_the_answer_to_a_question_is_dropped) {
  class Hasty : public Agent {
    Task<> run() override {
      const Message message = co_await receive();
      spawn(put(message));
      (void)co_await receive();
      co_await reply(message, std::string(100'000, 'x'));
      (void)co_await receive();
    }
    Task<> put(const Message& message) {
      (void)co_await web::put_question(*this, message, "How many?");
    }
  };
  Society society;
  society.node.create<Hasty>("lab/hasty");
  society.until([&] { return society.gateway->counts().agents == 4; });
  const Json asked = society.ask(use(1, "ask_lab__hasty", R"({"text":"hello"})"));
  BOOST_TEST(at(asked, "result/resultType") == "input_required");
  const auto consumed = [&] { return society.node.ledger().consumed; };
  const std::uint64_t before = consumed();
  society.helper->send("lab/hasty", "go on");
  society.until([&] { return consumed() >= before + 2; });  // this, and the reply
  const std::string more = R"(,"requestState":")" + at(asked, "result/requestState") +
                           R"(","inputResponses":{"question":{"action":"decline"}})";
  const Json end = society.ask(use(2, "ask_lab__hasty", R"({"text":"hello"})", more));
  BOOST_TEST(at(end, "result/isError") == "true");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
