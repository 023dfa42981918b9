#include "client/pending_call.hpp"

#include "support/society.hpp"

namespace coracle::mcp {

using namespace test;

namespace {

FromServer notice(std::string text) {
  FromServer made;
  made.method = "notifications/progress";
  made.params.set("message", std::move(text));
  return made;
}

FromServer response(int value) {
  FromServer made;
  made.response = web::RpcResponse{Json(1), Json(value)};
  return made;
}

// The messages that wait: the texts of notices, and the values of responses.
std::vector<std::string> waiting_in(PendingCall& call) {
  Node node(coracle::test::in_memory());
  Port port(node, "reader");
  return port.act<std::vector<std::string>>([&](Agent& me) -> Task<std::vector<std::string>> {
    std::vector<std::string> all;
    for (;;) {
      Task<std::optional<FromServer>> waiting = call.next(me.now());
      const std::optional<FromServer> message = co_await waiting;
      if (!message) co_return all;
      const Json* const text = message->params.find("message");
      all.push_back(text != nullptr ? *text->if_text()
                                    : web::to_text(std::get<Json>(message->response->outcome)));
    }
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pending_call)

BOOST_AUTO_TEST_CASE(messages_come_in_their_order) {
  PendingCall call;
  call.put(notice("one"));
  call.put(notice("two"));
  call.put(response(3));
  BOOST_TEST(waiting_in(call) == (std::vector<std::string>{"one", "two", "3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_server_that_repeats_its_response_adds_nothing) {
  PendingCall call;
  for (int i = 0; i < 100; ++i) call.put(response(i));
  call.put(notice("late"));
  BOOST_TEST(waiting_in(call) == std::vector<std::string>{"0"}, boost::test_tools::per_element());
  call.put(response(7));
  call.put(notice("later"));
  BOOST_TEST(waiting_in(call).empty());
}

BOOST_AUTO_TEST_CASE(notices_that_nobody_reads_have_a_limit_of_memory) {
  PendingCall call;
  const std::string large(PendingCall::most_bytes / 10, 'x');
  for (int i = 0; i < 100; ++i) call.put(notice(large));
  call.put(response(1));
  const std::vector<std::string> got = waiting_in(call);
  BOOST_TEST(got.size() == 10U);  // nine notices
  BOOST_TEST(got.back() == "1");
}

BOOST_AUTO_TEST_CASE(the_method_of_a_notice_counts_as_memory_too) {
  PendingCall call;
  for (int i = 0; i < 10; ++i) {
    FromServer named = notice("x");
    named.method = std::string(PendingCall::most_bytes / 2, 'x');
    call.put(std::move(named));
  }
  BOOST_TEST(waiting_in(call).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
