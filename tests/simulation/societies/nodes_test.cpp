// Messages between agents of different nodes.
#include "nodes.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace coracle::test {

BOOST_AUTO_TEST_SUITE(nodes)

BOOST_AUTO_TEST_CASE(messages_cross_in_order_and_are_accounted_for) {
  Nodes nodes(2);
  std::vector<std::string> texts;
  nodes.start(1, "bob", reader(texts, 300));
  nodes.start(0, "ann", sender("bob", 0, 300));
  nodes.until([&] { return texts.size() == 300 && nodes.sum().in_flight == 0; });
  BOOST_TEST(texts == numbers(0, 300), boost::test_tools::per_element());
  const Ledger sum = nodes.sum();
  BOOST_TEST(sum.sent == 300u);
  BOOST_TEST(sum.consumed == 300u);
  BOOST_TEST(sum.received == sum.passed_on);
}

BOOST_AUTO_TEST_CASE(a_request_is_answered_across_nodes) {
  Nodes nodes(2);
  std::string answer;
  nodes.start(1, "server", [](Agent& me) -> Task<> {
    const Message question = co_await me.receive();
    co_await me.reply(question, std::string(question.text()) + "!");
  });
  nodes.start(0, "client", [&answer](Agent& me) -> Task<> {
    const Message reply = co_await me.ask("server", "what");
    answer = reply.text();
  });
  nodes.until([&] { return !answer.empty(); });
  BOOST_TEST(answer == "what!");
}

BOOST_AUTO_TEST_CASE(who_comes_later_on_another_node_gets_what_waited) {
  Nodes nodes(3);
  std::vector<std::string> texts;
  nodes.start(0, "ann", sender("bob", 0, 5));
  nodes.world().run_for(1s);
  nodes.start(2, "bob", reader(texts, 5));
  nodes.until([&] { return texts.size() == 5; });
  BOOST_TEST(texts == numbers(0, 5), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_mailbox_elsewhere_has_its_sender_wait) {
  Nodes nodes(2);
  std::vector<std::string> texts;
  int sent = 0;
  bool go = false;
  nodes.start(1, AgentSpec("bob").mailbox(MailboxOptions().messages(3)), [&](Agent& me) -> Task<> {
    while (!go) co_await me.pause(1ms);
    for (int count = 0; count < 10; ++count) {
      const Message message = co_await me.receive();
      texts.push_back(std::string(message.text()));
    }
  });
  nodes.start(0, "ann", [&sent](Agent& me) -> Task<> {
    for (; sent < 10; ++sent) co_await me.send("bob", std::to_string(sent));
  });
  nodes.world().run_for(5s);
  BOOST_TEST(sent == 3);
  go = true;
  nodes.until([&] { return texts.size() == 10; });
  BOOST_TEST(texts == numbers(0, 10), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_mailbox_elsewhere_that_fails_says_so_at_once) {
  Nodes nodes(2);
  std::optional<Errc> errc;
  const auto small = MailboxOptions().messages(2).overflow(Overflow::fail);
  nodes.start(1, AgentSpec("bob").mailbox(small),
              [](Agent& me) -> Task<> { co_await me.pause(1h); });
  nodes.start(0, "ann", [&errc](Agent& me) -> Task<> {
    co_await me.send("bob", "1");
    co_await me.send("bob", "2");
    const Result<void> third = co_await me.send_result("bob", "3");
    errc = third ? Errc{} : third.error().errc();
  });
  nodes.until([&] { return errc.has_value(); });
  BOOST_TEST((errc == Errc::mailbox_full));
}

BOOST_AUTO_TEST_CASE(a_receipt_follows_a_message_to_its_end) {
  Nodes nodes(2);
  bool delivered = false;
  bool consumed = false;
  bool read = false;
  nodes.start(1, "bob", [&](Agent& me) -> Task<> {
    co_await me.pause(1s);
    co_await me.receive();
    read = true;
  });
  nodes.start(0, "ann", [&](Agent& me) -> Task<> {
    Post post("bob", "hello");
    Receipt receipt = co_await me.track(post);
    delivered = co_await receipt.reached(Stage::delivered) && !read;
    consumed = co_await receipt.reached(Stage::consumed);
  });
  nodes.until([&] { return consumed; });
  BOOST_TEST(delivered);
}

BOOST_AUTO_TEST_CASE(what_a_node_said_last_is_heard_before_it_is_gone) {
  Nodes nodes(2);
  bool is_read = false;
  bool is_consumed = false;
  nodes.start(1, "bob", [&is_read](Agent& me) -> Task<> {
    (void)co_await me.receive();
    is_read = true;
  });
  nodes.start(0, "ann", [&is_consumed](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post("bob", "hello"));
    is_consumed = co_await receipt.reached(Stage::consumed);
  });
  nodes.until([&] { return is_read; });
  (void)nodes.at(1).stop();
  nodes.until([&] { return is_consumed; });
  BOOST_TEST(nodes.at(0).ledger().in_flight == 0u);
}

BOOST_AUTO_TEST_CASE(a_group_spans_nodes) {
  Nodes nodes(3);
  std::vector<std::string> texts[3];
  int joined = 0;
  for (unsigned number = 0; number < 3; ++number) {
    nodes.start(number, "member" + std::to_string(number), [&, number](Agent& me) -> Task<> {
      co_await me.join(Group("all"));
      ++joined;
      const Message message = co_await me.receive();
      texts[number].push_back(std::string(message.target().view()));
    });
  }
  nodes.until([&] { return joined == 3; });
  nodes.start(0, "ann", [](Agent& me) -> Task<> { co_await me.multicast(Group("all"), "hello"); });
  nodes.until([&] { return texts[0].size() + texts[1].size() + texts[2].size() == 3; });
  for (const auto& one : texts) BOOST_TEST(one == std::vector<std::string>{"all"});
}

BOOST_AUTO_TEST_CASE(an_eavesdropper_hears_what_is_said_on_other_nodes) {
  Nodes nodes(3);
  std::vector<std::string> heard;
  std::vector<std::string> texts;
  bool ready = false;
  nodes.start(2, "spy", [&](Agent& me) -> Task<> {
    const Pattern pattern = Pattern().text("hello.*");
    co_await me.overhear(pattern);
    ready = true;
    for (;;) {
      const Message message = co_await me.receive();
      heard.push_back(std::string(message.text()) + " to " + message.target().str());
    }
  });
  nodes.until([&] { return ready; });
  nodes.start(1, "bob", reader(texts, 3));
  nodes.start(0, "ann", [](Agent& me) -> Task<> {
    co_await me.send("bob", "hello 1");
    co_await me.send("bob", "nothing");
    co_await me.send("bob", "hello 2");
  });
  nodes.until([&] { return heard.size() == 2 && texts.size() == 3; });
  const std::vector<std::string> expected = {"hello 1 to bob", "hello 2 to bob"};
  BOOST_TEST(heard == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_request_ends_when_who_was_asked_ends_elsewhere) {
  Nodes nodes(2);
  std::vector<std::string> endings;
  const auto ask = [&endings](Agent& me, Name whom) -> Task<> {
    const Result<Message> reply = co_await me.ask_result(whom, "what");
    endings.push_back(reply ? "answered" : reply.error().sentence());
  };
  nodes.start(1, "quits", [](Agent& me) -> Task<> { co_await me.receive(); });
  nodes.start(1, "crashes", [](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    throw Crash("a planned one");
  });
  nodes.start(0, "client", [&](Agent& me) -> Task<> {
    co_await ask(me, "quits");
    co_await ask(me, "crashes");
  });
  nodes.until([&] { return endings.size() == 2; });
  BOOST_TEST_MESSAGE(endings[0] << "\n" << endings[1]);
  BOOST_TEST(endings[0] != "answered");
  BOOST_TEST((endings[1].find("a planned one") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(whoever_watches_is_told_of_an_end_elsewhere) {
  Nodes nodes(3);
  std::optional<Ending> stopped;
  std::optional<Ending> dead;
  nodes.start(1, "bob", [](Agent& me) -> Task<> { co_await me.pause(10ms); });
  nodes.start(2, "carl", [](Agent& me) -> Task<> { co_await me.pause(1h); });
  nodes.start(0, "ann", [&stopped](Agent& me) -> Task<> { stopped = co_await me.watch("bob"); });
  nodes.start(0, "eve", [&dead](Agent& me) -> Task<> { dead = co_await me.watch("carl"); });
  nodes.until([&] { return stopped.has_value(); });
  BOOST_TEST((stopped->reason == EndReason::stopped));
  nodes.crash(2);
  nodes.until([&] { return dead.has_value(); });
  BOOST_TEST((dead->reason == EndReason::expired));
}

BOOST_AUTO_TEST_CASE(a_circle_of_waits_across_nodes_is_found) {
  Nodes nodes(3);
  std::vector<std::string> errors;
  const Name names[] = {"ann", "bob", "carl"};
  for (unsigned number = 0; number < 3; ++number) {
    nodes.start(number, names[number], [&, number](Agent& me) -> Task<> {
      const Name whom = names[(number + 1) % 3];
      const Result<Message> reply = co_await me.ask_result(whom, "?", 60s);
      if (!reply) errors.push_back(reply.error().sentence());
      for (;;) {
        const Message message = co_await me.receive();
        if (message.is_request()) co_await me.reply(message, "!");
      }
    });
  }
  const Time began = nodes.world().now();
  nodes.until([&] { return !errors.empty(); }, 20s);
  const std::chrono::duration<double> took = nodes.world().now() - began;
  BOOST_TEST_MESSAGE(errors.front() << " (after " << took.count() << " s)");
  BOOST_TEST((took <= 5s));
  for (const Name& name : names) {
    BOOST_TEST((errors.front().find("'" + name.str() + "'") != std::string::npos));
  }
  nodes.world().run_for(5s);
  BOOST_TEST(errors.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_hour_of_ten_idle_nodes_passes_at_once) {
  Nodes nodes(10);
  std::vector<std::string> texts;
  for (unsigned number = 0; number < 10; ++number) {
    nodes.start(number, "agent" + std::to_string(number), reader(texts, 1));
  }
  const std::uint64_t before = nodes.world().things();
  nodes.world().run_for(1h);
  BOOST_TEST((nodes.world().now() >= Time(1h)));
  // Each node has renewed its lease twice a minute; nothing else has happened.
  BOOST_TEST(nodes.world().things() - before < 20'000u);
}

BOOST_AUTO_TEST_CASE(a_slow_way_takes_as_long_as_its_bandwidth_says) {
  sim::Options options;
  options.nodes = 2;
  options.bandwidth = 1'000'000;  // bytes a second
  sim::World world(options);
  Proceedings proceedings;
  Node one(world.realization());
  Node other(world.realization());
  std::vector<std::string> texts;
  other.adopt("bob", std::make_unique<Actor>(reader(texts, 1), proceedings));
  const Body sends = [](Agent& me) -> Task<> {
    const std::string large(500'000, 'x');
    co_await me.send("bob", large);
  };
  const Time began = world.now();
  one.adopt("ann", std::make_unique<Actor>(sends, proceedings));
  BOOST_TEST(world.run_until([&] { return !texts.empty(); }, Deadline(5s)));
  BOOST_TEST((world.now() - began >= 500ms));
}

// The message would take a second to arrive.
BOOST_AUTO_TEST_CASE(a_large_message_does_not_travel_to_be_told_that_there_is_no_room) {
  sim::Options options;
  options.nodes = 2;
  options.bandwidth = 1'000'000;
  Nodes nodes(options);
  AgentSpec full("full");
  full.mailbox(MailboxOptions().messages(1).overflow(Overflow::fail));
  nodes.start(1, std::move(full), [](Agent& me) -> Task<> { co_await me.pause(1h); });
  std::optional<Errc> refused;
  Duration took(0);
  nodes.start(0, "ann", [&](Agent& me) -> Task<> {
    co_await me.send("full", "fills it");
    const std::string large(1'000'000, 'x');
    const Time began = me.now();
    const Result<void> sent = co_await me.send_result("full", large);
    refused = sent ? Errc{} : sent.error().errc();
    took = me.now() - began;
  });
  nodes.until([&] { return refused.has_value(); });
  BOOST_TEST((refused == Errc::mailbox_full));
  BOOST_TEST((took < 10ms));
}

// Otherwise an agent that tries again and again would make its node, and the other one, grow.
BOOST_AUTO_TEST_CASE(a_send_that_was_given_up_leaves_nothing_behind) {
  const auto holders = [](Content& content) {
    coracle::detail::ContentBlock* const block = content.release();
    const auto count = block->refs.load();
    content = Content::adopt(block);
    return count;
  };
  for (const unsigned where : {0U, 1U}) {
    NodeOptions options;
    options.patience = 1ms;
    Nodes nodes(2, 1, options);
    AgentSpec full("full");
    full.mailbox(MailboxOptions().messages(1));
    nodes.start(1, std::move(full), [](Agent& me) -> Task<> { co_await me.pause(1h); });
    Content letter(std::string(10'000, 'x'));
    int refused = 0;
    nodes.start(where, "ann", [&](Agent& me) -> Task<> {
      co_await me.send("full", "fills it");
      for (int i = 0; i < 100; ++i) {
        const Result<void> sent = co_await me.send_result("full", letter);
        refused += sent ? 0 : 1;
      }
    });
    nodes.until([&] { return refused == 100; });
    nodes.world().run_for(1s);
    BOOST_TEST(holders(letter) == 1U, "from node " << where);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
