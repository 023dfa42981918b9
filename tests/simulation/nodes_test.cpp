// Several nodes of one society in a simulated world: what agents say to each other across nodes.
#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/expect.hpp"
#include "support/society.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <numeric>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// A world with nodes of its own, and what its agents noted.
class Nodes {
 public:
  explicit Nodes(unsigned count, std::uint64_t seed = 1, NodeOptions options = {})
      : options_(std::move(options)), world_(settings(count, seed)) {
    for (unsigned number = 0; number < count; ++number) add(number);
  }
  ~Nodes() {
    for (auto& node : nodes_) node.reset();
  }

  sim::World& world() noexcept { return world_; }
  Node& at(unsigned number) { return *nodes_.at(number); }
  // Makes an agent there.
  void start(unsigned number, AgentSpec spec, Body body) {
    at(number).adopt(std::move(spec), std::make_unique<Actor>(std::move(body), proceedings_));
  }
  // The host loses its power, and its node all that it knew.
  void crash(unsigned number) {
    world_.crash(number);
    nodes_.at(number).reset();
  }
  void restart(unsigned number) {
    nodes_.at(number) = std::make_unique<Node>(world_.realization(number), options_);
  }
  // Has things happen until `met`; fails when that takes more than `limit`.
  void until(const std::function<bool()>& met, Duration limit = 120s) {
    const bool came = world_.run_until([&] { return met() || failed(); }, Deadline(limit));
    proceedings_.rethrow();
    if (came) return;
    std::string text = "it did not come within its time;";
    for (const auto& node : nodes_) {
      if (node) text += "\n  " + node->ledger().to_string();
    }
    throw Failure(text);
  }
  // The accounts of all nodes together.
  Ledger sum() {
    Ledger all;
    for (const auto& node : nodes_) {
      if (!node) continue;
      const Ledger one = node->ledger();
      expect(one.balanced(), one.to_string());
      all.sent += one.sent;
      all.consumed += one.consumed;
      all.in_flight += one.in_flight;
      all.queued += one.queued;
      all.received += one.received;
      all.passed_on += one.passed_on;
    }
    return all;
  }

 private:
  static sim::Options settings(unsigned count, std::uint64_t seed) {
    sim::Options options;
    options.seed = sim::seed_from_environment(seed);
    options.nodes = count;
    return options;
  }
  void add(unsigned number) {
    nodes_.push_back(std::make_unique<Node>(world_.realization(number), options_));
  }
  bool failed() const { return proceedings_.over(); }
  static void expect(bool met, const std::string& text) {
    if (!met) throw Failure(text);
  }

  const NodeOptions options_;
  Proceedings proceedings_;
  sim::World world_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

// Reads so many messages and keeps their texts; "!" before what was redelivered.
Body reader(std::vector<std::string>& texts, std::size_t count) {
  return [&texts, count](Agent& me) -> Task<> {
    while (texts.size() < count) {
      const Message message = co_await me.receive();
      texts.push_back((message.redelivered() ? "!" : "") + std::string(message.text()));
    }
  };
}

// Sends texts counted from `first`.
Body sender(Name to, int first, int count) {
  return [to, first, count](Agent& me) -> Task<> {
    for (int number = first; number < first + count; ++number) {
      co_await me.send(to, std::to_string(number));
    }
  };
}

std::vector<std::string> numbers(int first, int count) {
  std::vector<std::string> texts;
  for (int number = first; number < first + count; ++number) texts.push_back(std::to_string(number));
  return texts;
}

}  // namespace

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
  // The one that was handed out comes again, marked, before what its node kept behind it.
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

BOOST_AUTO_TEST_CASE(a_full_mailbox_elsewhere_has_its_sender_wait) {
  Nodes nodes(2);
  std::vector<std::string> texts;
  int sent = 0;
  bool go = false;
  nodes.start(1, AgentSpec("bob").mailbox(MailboxOptions().messages(3)),
              [&](Agent& me) -> Task<> {
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
  nodes.until([&] { return !errors.empty(); }, 20s);
  BOOST_TEST_MESSAGE(errors.front());
  for (const Name& name : names) {
    BOOST_TEST((errors.front().find("'" + name.str() + "'") != std::string::npos));
  }
  nodes.world().run_for(5s);
  BOOST_TEST(errors.size() == 1u);
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
