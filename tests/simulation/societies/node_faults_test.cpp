// Names that move between nodes, nodes that die or sleep, and links that are cut.
#include "nodes.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::test {

BOOST_AUTO_TEST_SUITE(node_faults)

BOOST_AUTO_TEST_CASE(a_name_that_ends_and_begins_elsewhere_keeps_its_messages) {
  Nodes nodes(3);
  std::vector<std::string> first;
  std::vector<std::string> second;
  nodes.start(1, "bob", reader(first, 3));
  nodes.start(0, "ann", sender("bob", 0, 10));
  nodes.until([&] { return first.size() == 3 && nodes.at(1).agents() == 0; });
  nodes.start(2, "bob", reader(second, 7));
  nodes.until([&] { return second.size() == 7; });
  BOOST_TEST(second == numbers(3, 7), boost::test_tools::per_element());
}

// Messages that the first incarnation did not read come before those that were under way when it
// ended.
BOOST_AUTO_TEST_CASE(the_next_life_on_the_same_node_reads_in_order) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Nodes nodes(2, seed);
    std::vector<std::string> texts;
    bool over = false;
    nodes.start(1, "bob", [&over](Agent& me) -> Task<> {
      co_await me.pause(3ms);
      over = true;
    });
    nodes.start(0, "ann", [](Agent& me) -> Task<> {
      for (int number = 0; number < 100; ++number) {
        co_await me.send("bob", std::to_string(number));
        co_await me.pause(50us);
      }
    });
    nodes.until([&over] { return over; });
    nodes.start(1, "bob", reader(texts, 100));
    nodes.until([&texts] { return texts.size() == 100; });
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      BOOST_TEST_REQUIRE(texts == numbers(0, 100), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_takeover_moves_the_name_and_what_waits_for_it) {
  Nodes nodes(3);
  std::vector<std::string> second;
  bool fenced = false;
  nodes.start(1, "bob", [&fenced](Agent& me) -> Task<> {
    const Message kept = co_await me.receive();  // not acknowledged
    try {
      co_await me.receive(from("nobody"));
    } catch (const Error& error) {
      fenced = error.errc() == Errc::fenced;
    }
  });
  nodes.start(0, "ann", sender("bob", 0, 5));
  nodes.start(1, "carl", sender("bob", 5, 2));
  nodes.world().run_for(1s);
  nodes.start(2, AgentSpec("bob").take_over(), reader(second, 7));
  nodes.until([&] { return second.size() == 7 && fenced; });
  // The message that was handed out comes again, marked, before the later messages in its node's
  // mailbox.
  BOOST_TEST(std::count(second.begin(), second.end(), "!0") +
                 std::count(second.begin(), second.end(), "!5") ==
             1);
  std::vector<std::string> from_ann;
  for (const std::string& text : second) {
    const std::string plain = text[0] == '!' ? text.substr(1) : text;
    if (plain < "5") from_ann.push_back(plain);
  }
  BOOST_TEST(from_ann == numbers(0, 5), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_name_can_be_taken_over_by_the_senders_node) {
  Nodes nodes(2);
  std::vector<std::string> second;
  nodes.start(1, "bob", [](Agent& me) -> Task<> {
    const Message kept = co_await me.receive();
    co_await me.receive(from("nobody"));
  });
  nodes.start(0, "ann", sender("bob", 0, 5));
  nodes.world().run_for(1s);
  nodes.start(0, AgentSpec("bob").take_over(), reader(second, 5));
  nodes.until([&] { return second.size() == 5; });
  const std::vector<std::string> expected = {"!0", "1", "2", "3", "4"};
  BOOST_TEST(second == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_dead_node_had_not_read_is_given_to_the_next) {
  Nodes nodes(3);
  std::vector<std::string> first;
  std::vector<std::string> second;
  nodes.start(1, "bob", [&first](Agent& me) -> Task<> {
    for (int count = 0; count < 2; ++count) {
      const Message message = co_await me.receive();
      first.push_back(std::string(message.text()));
    }
    co_await me.pause(1h);
  });
  nodes.start(0, "ann", sender("bob", 0, 5));
  nodes.until([&] { return first.size() == 2; });
  nodes.world().run_for(1s);
  nodes.crash(1);
  nodes.world().run_for(2min);
  nodes.start(2, "bob", reader(second, 3));
  nodes.until([&] { return second.size() == 3; });
  const std::vector<std::string> expected = {"!2", "!3", "!4"};  // it may have been handed out
  BOOST_TEST(second == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_node_that_comes_back_takes_part_again) {
  Nodes nodes(2);
  std::vector<std::string> texts;
  nodes.crash(1);
  nodes.start(0, "ann", sender("bob", 0, 3));
  nodes.restart(1);
  nodes.start(1, "bob", reader(texts, 3));
  nodes.until([&] { return texts.size() == 3; });
  BOOST_TEST(texts == numbers(0, 3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_dead_letters_of_a_node_that_comes_later_go_to_their_reader) {
  Nodes nodes(2);
  std::vector<std::string> letters;
  nodes.crash(1);
  nodes.start(0, Node::dead_letters(), reader(letters, 1));
  nodes.world().run_for(1s);
  nodes.restart(1);
  nodes.start(1, "bob", [](Agent& me) -> Task<> {
    for (;;) {
      Message message = co_await me.receive();
      message.give_back();
    }
  });
  nodes.start(1, "ann", sender("bob", 7, 1));
  nodes.until([&] { return letters.size() == 1; });
  BOOST_TEST(letters.front() == "7");
}

BOOST_AUTO_TEST_CASE(a_call_to_a_node_that_pauses_waits_for_its_end) {
  Nodes nodes(2);
  const Time began = nodes.world().now();
  nodes.world().pause(1, 1s);
  BOOST_TEST(nodes.at(1).stop(10s).clean());
  BOOST_TEST((nodes.world().now() >= began + 1s));
}

BOOST_AUTO_TEST_CASE(a_cut_way_delays_and_loses_nothing) {
  Nodes nodes(2);
  std::vector<std::string> texts;
  nodes.start(1, "bob", reader(texts, 100));
  nodes.world().cut(0, 1);
  nodes.start(0, "ann", sender("bob", 0, 100));
  nodes.world().run_for(10s);
  BOOST_TEST(texts.empty());
  nodes.world().mend(0, 1);
  nodes.until([&] { return texts.size() == 100; });
  BOOST_TEST(texts == numbers(0, 100), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_node_that_comes_later_is_overheard_from_its_first_message) {
  Nodes nodes(2);
  std::vector<std::string> heard;
  bool ready = false;
  nodes.crash(1);
  nodes.start(0, "spy", [&](Agent& me) -> Task<> {
    co_await me.overhear(Pattern());
    ready = true;
    for (;;) {
      const Message message = co_await me.receive();
      heard.push_back(std::string(message.text()));
    }
  });
  nodes.until([&] { return ready; });
  nodes.restart(1);
  std::vector<std::string> texts;
  nodes.start(1, "bob", reader(texts, 1));
  nodes.start(1, "ann", sender("bob", 7, 1));
  nodes.until([&] { return !heard.empty(); });
  BOOST_TEST(heard.front() == "7");
}

BOOST_AUTO_TEST_CASE(a_node_that_slept_too_long_claims_its_names_again) {
  Nodes nodes(2);
  std::vector<std::string> texts;
  nodes.start(1, "bob", [&texts](Agent& me) -> Task<> {
    co_await me.join(Group("all"));
    const Body read = reader(texts, 3);
    co_await read(me);
  });
  nodes.start(0, "ann", [](Agent& me) -> Task<> {
    co_await me.send("bob", "0");
    co_await me.pause(3min);
    co_await me.send("bob", "1");
    co_await me.multicast(Group("all"), "2");
  });
  nodes.until([&] { return texts.size() == 1; });
  nodes.world().pause(1, 2min);
  nodes.until([&] { return texts.size() == 3; }, 10min);
  BOOST_TEST(texts == numbers(0, 3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_lost_his_name_while_his_node_slept_is_fenced) {
  Nodes nodes(3);
  bool fenced = false;
  std::vector<std::string> texts;
  nodes.start(1, "bob", [&fenced](Agent& me) -> Task<> {
    try {
      co_await me.receive();
    } catch (const Error& error) {
      fenced = error.errc() == Errc::fenced;
    }
  });
  nodes.world().pause(1, 2min);
  nodes.world().run_for(1min);
  nodes.start(2, "bob", reader(texts, 1));
  nodes.start(0, "ann", sender("bob", 0, 1));
  nodes.until([&] { return fenced && texts.size() == 1; }, 5min);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_run) {
  const auto run = [](std::uint64_t seed) {
    Nodes nodes(3, seed);
    std::vector<std::string> texts;
    nodes.start(1, "bob", reader(texts, 40));
    nodes.start(0, "ann", sender("bob", 0, 20));
    nodes.start(2, "carl", sender("bob", 20, 20));
    nodes.until([&] { return texts.size() == 40; });
    return nodes.world().trace_hash();
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) BOOST_TEST(run(seed) == run(seed));
  BOOST_TEST(run(1) != run(2));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
