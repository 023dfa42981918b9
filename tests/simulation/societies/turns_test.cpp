// Large messages take turns with the other messages between the same two nodes.
#include "linked/linked_hosts.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::test {

BOOST_AUTO_TEST_SUITE(turns)

// The message is larger than the amount that the link carries at once.
const std::string large(12u << 20, 'x');

BOOST_AUTO_TEST_CASE(a_large_message_holds_up_only_its_own_pair) {
  LinkedHosts hosts(2);
  std::vector<std::string> read;
  const auto noting = [&read](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      const bool is_large = message.text() == large;
      const std::string what(is_large ? "the large one" : message.text());
      read.push_back(me.name().str() + ": " + what);
    }
  };
  hosts.start(1, "bob", noting);
  hosts.start(1, "cid", noting);
  hosts.start(0, "eve", [](Agent& me) -> Task<> {
    (void)co_await me.receive();
    co_await me.send("bob", "from another");
  });
  hosts.start(0, "ann", [](Agent& me) -> Task<> {
    co_await me.send("bob", large);
    co_await me.send("eve", "your turn");
    co_await me.send("bob", "behind it");
    co_await me.send("cid", "to another");
  });
  hosts.until([&read] { return read.size() == 4; });
  const std::vector<std::string> order = {"cid: to another", "bob: from another",
                                          "bob: the large one", "bob: behind it"};
  BOOST_TEST(read == order, boost::test_tools::per_element());
}

// The end of an agent is announced after the messages that it has sent.
BOOST_AUTO_TEST_CASE(who_ends_behind_a_large_answer_has_answered) {
  LinkedHosts hosts(2);
  std::size_t size = 0;
  hosts.start(1, "bob", [](Agent& me) -> Task<> {
    const Message request = co_await me.receive();
    co_await me.reply(request, large);
  });
  hosts.start(0, "ann", [&size](Agent& me) -> Task<> {
    const Message reply = co_await me.ask("bob", "all of it?", 60s);
    size = reply.text().size();
  });
  hosts.until([&size] { return size != 0; });
  BOOST_TEST(size == large.size());
}

// The probe that looks for circles of agents comes after the reply that ends a wait.
BOOST_AUTO_TEST_CASE(who_waits_for_a_large_answer_is_in_no_circle) {
  sim::Options slow;
  slow.nodes = 3;  // one of them has the directory
  slow.bandwidth = 4u << 20;
  LinkedHosts hosts(slow);
  std::string said;
  hosts.start(1, "bob", [](Agent& me) -> Task<> {
    (void)co_await me.ask("ann", "all of it?", 60s);
    const Message request = co_await me.receive();
    co_await me.reply(request, "I have it");
  });
  hosts.start(0, "ann", [&said](Agent& me) -> Task<> {
    const Message request = co_await me.receive();
    co_await me.reply(request, large);
    const Result<Message> reply = co_await me.ask_result("bob", "have you got it?", 60s);
    said = reply ? std::string(reply->text()) : reply.error().sentence();
  });
  hosts.until([&said] { return !said.empty(); });
  BOOST_TEST(said == "I have it");
}

// Copies of a large message and of the message sent after it are overheard in that order.
BOOST_AUTO_TEST_CASE(who_listens_hears_a_pair_in_its_order) {
  LinkedHosts hosts(3);
  bool listens = false;
  std::vector<std::size_t> heard;
  hosts.start(0, "ear", [&](Agent& me) -> Task<> {
    Pattern pattern;
    pattern.source_is("ann");
    co_await me.overhear(pattern);
    listens = true;
    for (;;) heard.push_back((co_await me.receive()).text().size());
  });
  hosts.until([&listens] { return listens; });
  hosts.start(2, "bob", [](Agent& me) -> Task<> {
    for (;;) (void)co_await me.receive();
  });
  hosts.start(1, "ann", [](Agent& me) -> Task<> {
    for (const std::size_t size : {1u, 1u << 20, 2u, 3u << 20, 3u})
      co_await me.send("bob", std::string(size, 'x'));
  });
  hosts.until([&heard] { return heard.size() == 5; });
  const std::vector<std::size_t> order = {1, 1u << 20, 2, 3u << 20, 3};
  BOOST_TEST(heard == order, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
