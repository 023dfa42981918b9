// Requests that are posts: with headers and a trace.
#include "coracle/coracle.hpp"
#include "coracle/tests/support/in_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle {
namespace {

using namespace std::chrono_literals;

// Replies with what it sees of a request.
class Reader : public Agent {
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      const std::string seen = std::string(message.text()) + " " +
                               std::string(message.header("colour").value_or("none")) + " " +
                               std::to_string(message.trace().span) +
                               (message.is_request() ? " request" : " message");
      co_await reply(message, seen);
    }
  }
};

BOOST_AUTO_TEST_SUITE(request_post)

BOOST_AUTO_TEST_CASE(a_request_can_have_headers_and_a_trace) {
  Node node(test::in_memory());
  node.create<Reader>("reader");
  Port port(node, "asker");
  const std::string seen = port.act<std::string>([](Agent& me) -> Task<std::string> {
    Post post("reader", "boat");
    post.header("colour", "red").trace({1, 2, 3});
    const Message reply = co_await me.ask(post, 10s);
    co_return std::string(reply.text());
  });
  BOOST_TEST(seen == "boat red 3 request");
}

BOOST_AUTO_TEST_CASE(a_request_has_one_target) {
  Node node(test::in_memory());
  Port port(node, "asker");
  const auto fails = [&](const Post& post) {
    return port.act<bool>([&](Agent& me) -> Task<bool> {
      try {
        (void)co_await me.ask_result(post, 10s);
      } catch (const Error& error) {
        co_return error.errc() == Errc::bad_options;
      }
      co_return false;
    });
  };
  BOOST_TEST(fails(Post(std::vector<Name>{"a", "b"}, "x")));
  BOOST_TEST(fails(Post(group("all"), "x")));
  BOOST_TEST(fails(Post("a", "x").reply_to("b")));
}

BOOST_AUTO_TEST_CASE(a_request_shows_its_conversation_until_it_ends) {
  Node node(test::in_memory());
  Port port(node, "asker");
  BOOST_TEST(port.act<bool>([](Agent& me) -> Task<bool> {
    auto asking = me.ask_result(Post("nobody", "x"), 1ms);
    if (asking.conversation() != 0) co_return false;
    const Result<Message> reply = co_await asking;
    co_return !reply && asking.conversation() == 0;
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
