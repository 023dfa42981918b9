// The Distributed realization's own links and directory, between simulated hosts.
#include "linked/linked_hosts.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::test {

BOOST_AUTO_TEST_SUITE(links)

BOOST_AUTO_TEST_CASE(messages_between_two_nodes_arrive_in_order) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinkedHosts hosts(2, seed);
    std::vector<std::string> texts;
    hosts.start(1, "bob", reader(texts, 100));
    hosts.start(0, "ann", sender("bob", 0, 100));
    hosts.until([&] { return texts.size() == 100; });
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      BOOST_TEST_REQUIRE(texts == numbers(0, 100), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_request_is_answered_by_an_agent_of_another_node) {
  LinkedHosts hosts(2);
  std::string answer;
  hosts.start(1, "bob", [](Agent& me) -> Task<> {
    const Message request = co_await me.receive();
    co_await me.reply(request, "yes");
  });
  hosts.start(0, "ann", [&answer](Agent& me) -> Task<> {
    const Message reply = co_await me.ask("bob", "is it so?", 1s);
    answer = reply.text();
  });
  hosts.until([&answer] { return !answer.empty(); });
  BOOST_TEST(answer == "yes");
}

// Larger than one message of the link, and larger than the buffer of a connection.
BOOST_AUTO_TEST_CASE(a_large_content_arrives_whole) {
  LinkedHosts hosts(2);
  const std::string text(3u << 20, 'x');
  std::size_t size = 0;
  hosts.start(1, "bob", [&size](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    size = message.text().size();
  });
  hosts.start(0, "ann", [&text](Agent& me) -> Task<> { co_await me.send("bob", text); });
  hosts.until([&size] { return size != 0; });
  BOOST_TEST(size == text.size());
}

BOOST_AUTO_TEST_CASE(what_is_said_on_a_third_node_is_overheard) {
  LinkedHosts hosts(3);
  bool listens = false;
  std::string heard;
  hosts.start(0, "ear", [&](Agent& me) -> Task<> {
    Pattern pattern;
    pattern.source_is("ann");
    co_await me.overhear(pattern);
    listens = true;
    const Message copy = co_await me.receive();
    heard = copy.text();
  });
  hosts.until([&listens] { return listens; });
  hosts.start(1, "ann", sender("bob", 7, 1));
  hosts.until([&heard] { return !heard.empty(); });
  BOOST_TEST(heard == "7");
}

// The sender's node knows the eavesdropper's tap, but not yet the eavesdropper's node. Only the
// directory can tell which node holds its name.
BOOST_AUTO_TEST_CASE(a_eavesdropper_is_found_when_the_directory_has_told_of_it) {
  LinkedHosts hosts(2);
  const unsigned directory = hosts.directory_host();
  bool listens = false;
  std::string heard;
  hosts.start(1, "ann", [](Agent& me) -> Task<> {
    co_await me.receive();
    co_await me.send("nobody", "7");
  });
  hosts.world().run_for(1s);
  hosts.world().cut(directory, 1);
  hosts.start(0, "ear", [&](Agent& me) -> Task<> {
    Pattern pattern;
    pattern.source_is("ann");
    co_await me.overhear(pattern);
    listens = true;
    co_await me.send("ann", "speak");
    const Message copy = co_await me.receive();
    heard = copy.text();
  });
  hosts.world().run_for(200ms);
  BOOST_TEST(!listens);
  hosts.world().mend_all();
  hosts.until([&listens] { return listens; }, 2s);
  hosts.until([&heard] { return !heard.empty(); }, 500ms);
  BOOST_TEST(heard == "7");
}

// The message comes directly, and the registration of the sender's name by the directory.
BOOST_AUTO_TEST_CASE(who_has_sent_can_be_watched_before_the_directory_has_told_of_it) {
  LinkedHosts hosts(2);
  bool has_come = false, may_end = false;
  std::optional<Ending> ending;
  hosts.start(1, "bob", [&](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    has_come = true;
    ending = co_await me.watch(message.source().name());
  });
  hosts.world().run_for(1s);
  hosts.world().cut(hosts.directory_host(), 1);
  hosts.start(0, "ann", [&](Agent& me) -> Task<> {
    co_await me.send("bob", "here I am");
    while (!may_end) co_await me.pause(1ms);
  });
  hosts.until([&] { return has_come; }, 500ms);
  hosts.world().run_for(100ms);
  hosts.world().mend_all();
  hosts.world().run_for(1s);
  BOOST_TEST(!ending);
  may_end = true;
  hosts.until([&] { return ending.has_value(); }, 500ms);
  BOOST_TEST((ending->reason == EndReason::stopped));
}

BOOST_AUTO_TEST_CASE(resets_of_connections_lose_and_double_nothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinkedHosts hosts(2, seed);
    std::vector<std::string> texts;
    hosts.start(1, "bob", reader(texts, 200));
    hosts.start(0, "ann", [](Agent& me) -> Task<> {
      for (int number = 0; number < 200; ++number) {
        co_await me.send("bob", std::to_string(number));
        co_await me.pause(1ms);
      }
    });
    for (int times = 0; times < 10; ++times) {
      hosts.world().run_for(20ms);
      hosts.world().reset(0, 1);
      if (times % 3 == 0) hosts.world().reset(hosts.directory_host(), 1);
    }
    hosts.until([&texts] { return texts.size() == 200; });
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      BOOST_TEST_REQUIRE(texts == numbers(0, 200), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(what_a_dead_node_had_not_read_is_given_to_the_next) {
  LinkedHosts hosts(3);
  std::vector<std::string> first, second;
  hosts.start(1, "bob", [&first](Agent& me) -> Task<> {
    for (int count = 0; count < 2; ++count) {
      const Message message = co_await me.receive();
      first.push_back(std::string(message.text()));
    }
    co_await me.pause(1h);
  });
  hosts.start(0, "ann", sender("bob", 0, 5));
  hosts.until([&] { return first.size() == 2; });
  hosts.world().run_for(1s);
  hosts.crash(1);
  hosts.world().run_for(10s);
  hosts.start(2, "bob", reader(second, 3));
  hosts.until([&] { return second.size() == 3; });
  const std::vector<std::string> expected = {"!2", "!3", "!4"};  // it may have been handed out
  BOOST_TEST(second == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_host_that_comes_back_takes_part_again) {
  LinkedHosts hosts(2);
  std::vector<std::string> texts;
  hosts.crash(1);
  hosts.start(0, "ann", sender("bob", 0, 3));
  hosts.restart(1);
  hosts.start(1, "bob", reader(texts, 3));
  hosts.until([&] { return texts.size() == 3; });
  BOOST_TEST(texts == numbers(0, 3), boost::test_tools::per_element());
}

// The directory has declared the node dead, and its names are free; the node registers them again.
BOOST_AUTO_TEST_CASE(a_node_that_was_cut_off_for_long_has_its_names_again) {
  LinkedHosts hosts(2);
  std::vector<std::string> texts;
  hosts.start(1, "bob", reader(texts, 3));
  hosts.start(0, "ann", sender("bob", 0, 2));
  hosts.until([&] { return texts.size() == 2; });
  hosts.world().run_for(1s);
  hosts.world().part({1});
  hosts.world().run_for(20s);
  hosts.world().mend_all();
  hosts.world().run_for(20s);
  hosts.start(0, "carl", sender("bob", 2, 1));
  hosts.until([&] { return texts.size() == 3; });
  BOOST_TEST(texts == numbers(0, 3), boost::test_tools::per_element());
}

// The new directory has no data; nodes register their names again, and messages between them
// continue.
BOOST_AUTO_TEST_CASE(nodes_go_on_with_another_directory_service) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    LinkedHosts hosts(2, seed);
    std::vector<std::string> texts;
    hosts.start(1, "bob", reader(texts, 4));
    hosts.start(0, "ann", sender("bob", 0, 2));
    hosts.until([&] { return texts.size() == 2; });
    hosts.world().run_for(1s);
    hosts.crash_directory();
    hosts.world().run_for(5s);
    hosts.restart_directory();
    hosts.world().run_for(10s);
    hosts.start(0, "carl", sender("bob", 2, 2));
    hosts.until([&] { return texts.size() == 4; });
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      BOOST_TEST_REQUIRE(texts == numbers(0, 4), boost::test_tools::per_element());
    }
  }
}

// The node registers the agent's name again a moment later, and the agent's requests then take
// effect.
BOOST_AUTO_TEST_CASE(what_an_agent_asks_of_a_directory_that_has_just_begun_is_done) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinkedHosts hosts(2, seed);
    int asked = 0;
    hosts.start(0, "ann", [&asked](Agent& me) -> Task<> {
      for (; asked < 2000; ++asked) {
        co_await me.describe(Properties().set("round", asked));
        co_await me.join(Group("even"));
        if (asked % 2 == 0) co_await me.leave(Group("even"));
      }
      co_await me.pause(std::chrono::hours(1));
    });
    for (int restart = 1; restart <= 5; ++restart) {
      hosts.until([&] { return asked >= 300 * restart; });
      hosts.crash_directory();
      hosts.world().run_for(up_to(hosts.world().random(), 1s));
      hosts.restart_directory();
    }
    bool is_known = false;
    hosts.start(1, "bob", [&is_known](Agent& me) -> Task<> {
      const Query query(where("round") == 1999);
      while (!is_known) {
        const auto found = co_await me.search(query);
        const auto members = co_await me.members(Group("even"));
        is_known = found.size() == 1 && members == std::vector<Name>{Name("ann")};
        if (!is_known) co_await me.pause(10ms);
      }
    });
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      hosts.until([&] { return is_known; });
    }
  }
}

// The next holder registers before the other nodes have given up the earlier one.
BOOST_AUTO_TEST_CASE(who_dies_before_it_is_known_to_a_directory_that_has_just_begun_is_told_of) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinkedHosts hosts(2, seed);
    bool is_watching = false, is_told = false;
    const auto wait = [](Agent& me) -> Task<> { co_await me.pause(std::chrono::hours(1)); };
    hosts.start(1, "bob", wait);
    hosts.start(0, "eve", [&](Agent& me) -> Task<> {
      while (!is_watching) {
        const auto found = co_await me.search(Query());
        is_watching = found.size() == 2;
        if (!is_watching) co_await me.pause(10ms);
      }
      const Ending ending = co_await me.watch("bob");
      is_told = ending.reason == EndReason::unreachable;
    });
    hosts.until([&] { return is_watching; });
    hosts.crash_directory();
    hosts.crash(1);
    hosts.world().run_for(up_to(hosts.world().random(), 2s));
    hosts.restart_directory();
    hosts.restart(1);
    hosts.start(1, "bob", wait);
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      hosts.until([&] { return is_told; });
    }
  }
}

// A reply may be sent before the registration of the next incarnation has arrived.
BOOST_AUTO_TEST_CASE(an_agent_that_asks_once_in_each_of_its_lives_is_answered_in_all) {
  constexpr int lives = 30;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      int answers = 0;  // outlives the hosts
      LinkedHosts hosts(2, seed);
      hosts.start(0, "sonar", [](Agent& me) -> Task<> {
        for (;;) {
          const Message question = co_await me.receive();
          co_await me.reply(question, "2.4 metres");
        }
      });
      hosts.world().run_for(2s);
      for (int life = 1; life <= lives; ++life) {
        hosts.start(1, "console", [&answers](Agent& me) -> Task<> {
          (void)co_await me.ask("sonar", "how far?");
          ++answers;
        });
        hosts.until([&] { return answers == life; }, 5s);
      }
      BOOST_TEST(answers == lives);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
