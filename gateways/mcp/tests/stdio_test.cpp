#include "coracle/mcp/stdio.hpp"

#include "support/society.hpp"

#include "client/link.hpp"
#include "lines/lines.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <future>
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

// Shows enormous steps, many of them.
class Shouter : public Agent {
  Task<> run() override {
    const Message message = co_await receive();
    for (int i = 0; i < 700; ++i)
      co_await web::report_progress(*this, message, std::string(100'000, 'x'));
    co_await reply(message, "done");
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(stdio)

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

BOOST_AUTO_TEST_CASE(an_agent_that_shows_too_much_does_not_end_the_session) {
  Society society;
  society.node.create<Shouter>("lab/shouter");
  society.until([&] { return society.gateway->counts().agents == 4; });
  Pipes pipes(*society.gateway);
  pipes.say(use(1, "ask_lab__shouter", R"({"text":"hello"})"));
  society.until([&] { return society.gateway->counts().calls == 1; });
  society.until([&] { return society.gateway->counts().calls == 0; });  // nothing is read until now
  std::size_t notes = 0;
  Json next = pipes.hear();
  for (; at(next, "method") == "notifications/progress"; next = pipes.hear()) {
    BOOST_TEST(at(next, "params/message").size() == 4000U);
    ++notes;
  }
  BOOST_TEST(at(next, "result/content/0/text") == "done");
  BOOST_TEST(notes > 100U);
  BOOST_TEST(notes < 500U);
}

BOOST_AUTO_TEST_CASE(a_client_that_has_written_everything_gets_the_answers) {
  Society society;
  Pipes pipes(*society.gateway);
  pipes.write(use(1, "ask_lab__clerk", R"({"text":"last"})"));  // without an end of line
  pipes.end();
  BOOST_TEST(at(pipes.hear(), "result/content/0/text") == "last");
  BOOST_TEST(society.gateway->counts().calls == 0U);
}

// A program that asks for something when its input ends, again and again.
BOOST_AUTO_TEST_CASE(a_server_that_talks_at_its_end_is_not_answered) {
  ForeignServer server{"talker"};
  server.command = {"/bin/sh", "-c",
                    "cat; for i in 1 2 3 4 5 6 7 8; do for j in 1 2 3 4 5 6 7 8 9; do for k in 1 2 "
                    "3 4 5 6 7 8 9; do echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"'"
                    "$i$i$i$i$i$i$i$i$i$i$i$i$i$i$i$i$i'\"}'; done; done; done"};
  for (int i = 0; i < 10; ++i) pipe_link(server).reset();
}

BOOST_AUTO_TEST_CASE(a_line_at_the_end_of_a_writer_is_dropped) {
  std::array<int, 2> pipe{};
  BOOST_REQUIRE(::pipe(pipe.data()) == 0);
  LineWriter writer(pipe[1]);
  writer.write("one");
  writer.finish();
  writer.write("two");
  writer.finish();
  ::close(pipe[1]);
  std::array<char, 10> got{};
  BOOST_TEST(::read(pipe[0], got.data(), got.size()) == 4);
  BOOST_TEST(::read(pipe[0], got.data(), got.size()) == 0);
  ::close(pipe[0]);
}

// The client's end of a pair of sockets is closed while it has not read everything: reset.
BOOST_AUTO_TEST_CASE(a_client_whose_input_cannot_be_read_is_left_in_order) {
  Society society;
  std::array<int, 2> pair{};
  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
  std::future<bool> failed = std::async(std::launch::async, [&] {
    try {
      serve_stdio(*society.gateway, pair[0], pair[0]);
    } catch (const Error& error) {
      return error.errc() == Errc::disconnected;
    }
    return false;
  });
  const std::string ask = use(1, "ask_lab__office", R"({"text":"no call"})") + "\n" +
                          use(2, "ask_lab__clerk", R"({"text":"hello"})") + "\n";
  BOOST_TEST(::send(pair[1], ask.data(), ask.size(), 0) == static_cast<::ssize_t>(ask.size()));
  char first = 0;
  BOOST_TEST(::recv(pair[1], &first, 1, 0) == 1);  // the rest of the answer is not read
  ::close(pair[1]);
  BOOST_TEST(failed.get());
  ::close(pair[0]);
  society.until([&] { return society.gateway->counts().calls == 0; });
  BOOST_TEST(at(society.ask(use(3, "ask_lab__clerk", R"({"text":"well"})")),
                "result/content/0/text") == "well");
}

BOOST_AUTO_TEST_CASE(a_tool_that_waits_for_ever_does_not_hold_up_the_end) {
  Society society;
  ToolInfo info{"wait"};
  info.input.set("type", "object");
  society.gateway->add(info, [](Agent& me, ToolUse) -> Task<ToolResult> {
    co_await me.pause(Deadline::never());
    co_return ToolResult::text("never");
  });
  auto pipes = std::make_unique<Pipes>(*society.gateway);
  pipes->say(use(1, "wait", "{}"));
  society.until([&] { return society.gateway->counts().calls == 1; });
  pipes->end();
  pipes.reset();
  BOOST_TEST(at(society.ask(use(2, "ask_lab__clerk", R"({"text":"well"})")),
                "result/content/0/text") == "well");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
