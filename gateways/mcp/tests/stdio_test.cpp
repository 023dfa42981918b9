#include "coracle/mcp/stdio.hpp"

#include "support/society.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace coracle::mcp {

using namespace test;

namespace {

// A client that talks with a gateway by two pipes.
class Pipes {
 public:
  explicit Pipes(Gateway& gateway) {
    BOOST_REQUIRE(::pipe(to_.data()) == 0);
    BOOST_REQUIRE(::pipe(from_.data()) == 0);
    thread_ = std::thread([this, &gateway] { serve_stdio(gateway, to_[0], from_[1]); });
  }
  ~Pipes() {
    end();
    for (const int each : {to_[0], from_[0], from_[1]}) ::close(each);
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ::ssize_t written = ::write(to_[1], text.data(), text.size());
      BOOST_REQUIRE(written > 0);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void say(const std::string& line) { write(line + "\n"); }
  Json hear() {
    std::string line;
    for (char each = 0; ::read(from_[0], &each, 1) == 1 && each != '\n';) line += each;
    return parsed(line);
  }
  // Closes the client's side, and waits until the gateway has served it.
  void end() {
    if (to_[1] >= 0) ::close(std::exchange(to_[1], -1));
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::array<int, 2> to_{}, from_{};
  std::thread thread_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(stdio_test)

BOOST_AUTO_TEST_CASE(a_client_asks_on_a_line_and_gets_the_answer_on_a_line) {
  Society society;
  Pipes pipes(*society.gateway);
  pipes.say(use(1, "ask_lab__clerk", R"({"text":"one\ntwo"})"));
  BOOST_TEST(at(pipes.hear(), "result/content/0/text") == "one\ntwo");
  pipes.say("");
  pipes.say(use(2, "ask_lab__clerk", R"({"text":"progress"})"));
  BOOST_TEST(at(pipes.hear(), "params/message") == "step 1");
  BOOST_TEST(at(pipes.hear(), "params/message") == "step 2");
  BOOST_TEST(at(pipes.hear(), "id") == "2");
}

BOOST_AUTO_TEST_CASE(a_client_of_an_earlier_revision_begins_with_initialize) {
  Society society;
  Pipes pipes(*society.gateway);
  pipes.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  BOOST_TEST(at(pipes.hear(), "error/code") == "-32602");
  pipes.say(R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":)"
            R"("2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  const Json begun = pipes.hear();
  BOOST_TEST(at(begun, "result/protocolVersion") == "2025-11-25");
  BOOST_TEST(at(begun, "result/resultType") == "?");
  pipes.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  pipes.say(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  BOOST_TEST(at(pipes.hear(), "result") == "{}");
  pipes.say(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask_lab__clerk",)"
            R"("arguments":{"json":[1]}}})");
  const Json answer = pipes.hear();
  BOOST_TEST(at(answer, "result/content/0/text") == "[1]");
  BOOST_TEST(at(answer, "result/structuredContent") == "?");  // objects only
  pipes.say(R"({"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"x:y"}})");
  BOOST_TEST(at(pipes.hear(), "error/code") == "-32002");
  // Its agents cannot put questions.
  pipes.say(R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"ask_lab__clerk",)"
            R"("arguments":{"text":"question"}}})");
  BOOST_TEST(at(pipes.hear(), "result/content/0/text") == "no answer");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_message_gets_an_error) {
  Society society;
  Pipes pipes(*society.gateway);
  pipes.say("hello");
  BOOST_TEST(at(pipes.hear(), "error/code") == "-32700");
  pipes.say(std::string(5 << 20, '['));
  BOOST_TEST(at(pipes.hear(), "error/code") == "-32600");
  pipes.say(request(1, "tools/unknown"));
  BOOST_TEST(at(pipes.hear(), "error/code") == "-32601");
  pipes.say(request(2, "server/discover"));
  BOOST_TEST(at(pipes.hear(), "id") == "2");
}

BOOST_AUTO_TEST_CASE(a_request_is_called_off_by_its_id) {
  Society society;
  Pipes pipes(*society.gateway);
  pipes.say(use(1, "ask_lab__office", R"({"text":"no call"})"));
  pipes.say(use(1, "ask_lab__office", R"({"text":"no call"})"));
  BOOST_TEST(at(pipes.hear(), "error/code") == "-32600");  // the id is in use
  pipes.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  pipes.say(use(2, "ask_lab__clerk", R"({"text":"again"})"));
  BOOST_TEST(at(pipes.hear(), "result/content/0/text") == "again");
}

BOOST_AUTO_TEST_CASE(a_client_that_has_written_everything_gets_the_answers) {
  Society society;
  Pipes pipes(*society.gateway);
  pipes.write(use(1, "ask_lab__clerk", R"({"text":"last"})"));  // without an end of line
  pipes.end();
  BOOST_TEST(at(pipes.hear(), "result/content/0/text") == "last");
  BOOST_TEST(society.gateway->counts().calls == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
