// A node dies: the messages that only it had stored are lost, and nobody knows which copies it had
// sent last.
#include "linked/linked_hosts.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

// Three messages and a request to bob, whose mailbox has room for one message and redirects all
// others to carl.
struct Redirected {
  std::vector<std::optional<Outcome>> outcomes;  // of the third, the second, the first message
  std::optional<bool> is_answered;
  bool is_sent = false;
};

Body sending_three(Redirected& seen) {
  return [&seen](Agent& me) -> Task<> {
    std::vector<Receipt> receipts;
    for (int number = 0; number < 3; ++number) {
      Post post("bob", std::to_string(number));
      receipts.push_back(co_await me.track(std::move(post)));
    }
    seen.is_sent = true;
    for (auto receipt = receipts.rbegin(); receipt != receipts.rend(); ++receipt) {
      (void)co_await receipt->reached(Stage::consumed, 10min);
      seen.outcomes.push_back(receipt->first().outcome);
    }
  };
}

// The name carl has no holder, so messages to him wait at bob's node, which dies.
template <class Society>
void lose_what_was_redirected() {
  Redirected seen;  // these outlive the hosts
  std::vector<std::string> kept, lost;
  Society hosts(3);
  const auto small = MailboxOptions().messages(1).redirect_to("carl");
  hosts.start(1, AgentSpec("bob").mailbox(small),
              [](Agent& me) -> Task<> { co_await me.pause(1h); });
  hosts.world().run_for(1s);
  hosts.start(0, "ann", sending_three(seen));
  hosts.until([&seen] { return seen.is_sent; });
  hosts.start(0, "asking", [&seen](Agent& me) -> Task<> {
    const Result<Message> reply = co_await me.ask_result("bob", "?", 10min);
    seen.is_answered = reply.has_value();
  });
  hosts.world().run_for(1s);
  BOOST_TEST(seen.outcomes.empty());
  hosts.crash(1);
  hosts.until([&seen] { return seen.outcomes.size() == 2 && seen.is_answered; });
  for (const auto& outcome : seen.outcomes) BOOST_TEST((outcome == Outcome::store_lost));
  BOOST_TEST(!*seen.is_answered);
  hosts.start(2, "carl", reader(lost, 1));
  hosts.start(2, "bob", reader(kept, 1));
  hosts.until([&seen] { return seen.outcomes.size() == 3; });
  BOOST_TEST((seen.outcomes.back() == Outcome::consumed));
  const std::vector<std::string> first = {"!0"};  // it may have been handed out
  BOOST_TEST(kept == first, boost::test_tools::per_element());
  BOOST_TEST(lost.empty());
  BOOST_TEST(hosts.at(0).ledger().store_lost == 3u);
  BOOST_TEST(hosts.at(0).ledger().balanced(), hosts.at(0).ledger().to_string());
}

constexpr int at_first = 2, in_all = 8;

// A spy on host 2 overhears the messages that ann on host 0 sends to bob on host 1: two messages,
// and all others when she may go on.
template <class Society>
class Overheard {
 public:
  // The spy has room for `limit` copies, and reads none of them until it may.
  explicit Overheard(std::uint32_t limit = 1024) {
    hosts.start(2, "spy", [this, limit](Agent& me) -> Task<> {
      Pattern pattern;
      pattern.source_is("ann");
      co_await me.overhear(pattern, limit);
      listens_ = true;
      for (;;) {
        while (!may_read) co_await me.pause(1ms);
        const Message copy = co_await me.receive();
        heard.push_back(shown(copy));
      }
    });
    hosts.until([this] { return listens_; });
    hosts.start(1, "bob", reader(texts_, in_all));
    hosts.start(0, "ann", [this](Agent& me) -> Task<> {
      for (int number = 0; number < in_all; ++number) {
        while (number == at_first && !may_go_on_) co_await me.pause(1ms);
        co_await me.send("bob", std::to_string(number));
      }
      co_await me.pause(1h);
    });
    hosts.until([this] { return texts_.size() == at_first; });
    hosts.world().run_for(1s);
  }
  void go_on() {
    may_go_on_ = true;
    hosts.until([this] { return texts_.size() == in_all; });
  }

 private:
  static std::string shown(const Message& copy) {
    if (copy.gap() == 0) return std::string(copy.text());
    return copy.gap() == Message::unknown_gap ? "unknown" : "gap " + std::to_string(copy.gap());
  }

  bool listens_ = false, may_go_on_ = false;
  std::vector<std::string> texts_;

 public:
  bool may_read = true;
  std::vector<std::string> heard;
  Society hosts{3};  // all other members outlive it
};

using Texts = std::vector<std::string>;

template <class Society>
void die_while_overheard() {
  Overheard<Society> there;
  there.hosts.world().cut(0, 2);
  there.go_on();
  there.hosts.crash(0);
  there.hosts.world().mend_all();
  there.hosts.until([&there] { return there.heard.size() == 3; });
  there.hosts.world().run_for(2min);
  BOOST_TEST(there.heard == Texts({"0", "1", "unknown"}), boost::test_tools::per_element());
}

// The eavesdropper takes one more copy and has room for another one; the remaining copies are
// already missed.
template <class Society>
void die_when_some_were_missed() {
  Overheard<Society> there(1);
  there.may_read = false;
  there.go_on();
  there.hosts.world().run_for(1s);
  there.hosts.crash(0);
  there.hosts.world().run_for(2min);
  there.may_read = true;
  there.hosts.world().run_for(1s);
  BOOST_TEST(there.heard == Texts({"0", "1", "2", "3", "unknown"}),
             boost::test_tools::per_element());
}

template <class Society>
void stop_while_overheard() {
  Overheard<Society> there;
  there.go_on();
  (void)there.hosts.at(0).stop();
  there.hosts.world().run_for(2min);
  BOOST_TEST(there.heard == numbers(0, in_all), boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lost_nodes)

BOOST_AUTO_TEST_CASE(what_a_mailbox_had_redirected_ends_as_message_store_lost_with_its_node) {
  lose_what_was_redirected<Nodes>();
  lose_what_was_redirected<LinkedHosts>();
}

BOOST_AUTO_TEST_CASE(how_much_a_node_that_died_had_sent_last_is_unknown_to_who_overheard_it) {
  die_while_overheard<Nodes>();
  die_while_overheard<LinkedHosts>();
}

BOOST_AUTO_TEST_CASE(what_was_missed_before_is_unknown_then_too) {
  die_when_some_were_missed<Nodes>();
  die_when_some_were_missed<LinkedHosts>();
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_has_sent_all_before) {
  stop_while_overheard<Nodes>();
  stop_while_overheard<LinkedHosts>();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
