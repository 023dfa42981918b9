// In the simulator: peers that take their time. Their other decisions go on meanwhile.
#include "nodes.hpp"
#include "sage.hpp"
#include "voters.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::caf::test {

namespace {

using coracle::test::Nodes;

// Takes long for one subject, and no time for others.
class Torn : public Peer {
 public:
  Torn(Random& random, std::string slow, Duration takes, std::vector<std::string>& refusals)
      : Peer(random), slow_(std::move(slow)), takes_(takes), refusals_(refusals) {}

 protected:
  Task<Ballot> consider_agenda(const Agenda& agenda) override {
    if (agenda.subject == slow_) co_await pause(takes_);
    co_return choose(0);
  }
  void on_refusal(const Refusal& refusal) override { refusals_.push_back(refusal.reason); }

 private:
  std::string slow_;
  Duration takes_;
  std::vector<std::string>& refusals_;
};

Motion motion_about(std::string subject) {
  Motion motion;
  motion.subject = std::move(subject);
  motion.alternatives = {"yes", "no"};
  return motion;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slow)

BOOST_AUTO_TEST_CASE(a_peer_opens_its_vote_while_it_considers_another_councils_agenda) {
  Nodes nodes(2);
  std::vector<std::string> refusals;
  Random& random = nodes.world().random();
  // Both have committed to "secret" after two seconds; "ann" considers "open" from the beginning
  // on.
  nodes.at(1).adopt("ann", std::make_unique<Torn>(random, "open", 10s, refusals));
  nodes.at(1).adopt("bob", std::make_unique<Torn>(random, "secret", 2s, refusals));
  Charter secret;
  secret.secrecy = Secrecy::commit_reveal;
  secret.vote_within = 5s;
  Charter open;
  open.vote_within = 20s;
  const std::vector<Member> both = {{"ann", 1, {}}, {"bob", 1, {}}};
  nodes.at(0).adopt("council/secret", std::make_unique<Council>(secret, both, random));
  nodes.at(0).adopt("council/open",
                    std::make_unique<Council>(open, std::vector<Member>{{"ann", 1, {}}}, random));
  std::optional<Decision> secretly;
  std::optional<Decision> openly;
  nodes.start(0, "first", [&](Agent& me) -> Task<> {
    const Motion motion = motion_about("secret");
    secretly = co_await decide(me, "council/secret", motion);
  });
  nodes.start(0, "second", [&](Agent& me) -> Task<> {
    co_await me.pause(1s);
    const Motion motion = motion_about("open");
    openly = co_await decide(me, "council/open", motion);
  });
  std::optional<Record> record;
  nodes.start(0, "third", [&](Agent& me) -> Task<> {
    while (!secretly || !openly) co_await me.pause(100ms);
    const Content request = Content::of(RecordRequest{secretly->id});
    const Message answer = co_await me.ask("council/secret", request);
    record = answer.as<Record>();
  });
  nodes.until([&] { return record.has_value(); }, 100s);
  BOOST_TEST(record->polls.at(0).present == 2U);
  BOOST_TEST(openly->decided, openly->why);
  BOOST_TEST(refusals.empty());
}

BOOST_AUTO_TEST_CASE(an_agenda_whose_time_is_over_is_not_considered_and_the_peer_is_told) {
  Nodes nodes(2);
  std::vector<std::string> refusals;
  Random& random = nodes.world().random();
  nodes.at(1).adopt("ann", std::make_unique<Torn>(random, "slow", 10s, refusals));
  std::vector<std::string> votes;
  nodes.start(0, "council", [&](Agent& me) -> Task<> {
    const std::pair<const char*, Duration> asked[] = {{"slow", 20s}, {"brief", 5s}, {"long", 20s}};
    DecisionId id = 0;
    for (const auto& [subject, within] : asked) {
      Agenda agenda;
      agenda.id = ++id;
      agenda.round = 1;
      agenda.subject = subject;
      agenda.alternatives = {"yes"};
      agenda.within = within;
      const Content question = Content::of(std::move(agenda));
      co_await me.send("ann", question);
    }
    for (int i = 0; i < 2; ++i) {
      const Message message = co_await me.receive();
      votes.push_back(std::to_string(message.as<Vote>().id));
    }
  });
  nodes.until([&] { return votes.size() == 2; }, 100s);
  BOOST_TEST(votes == (std::vector<std::string>{"1", "3"}), boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(refusals.size() == 1U);
  BOOST_TEST(refusals[0] == "its time was over before its turn came here");
}

BOOST_AUTO_TEST_CASE(a_peer_that_retires_while_it_considers_gives_its_vote_first) {
  class Leaving : public Peer {
   public:
    using Peer::Peer;

   protected:
    Task<Ballot> consider_agenda(const Agenda&) override {
      retire();
      co_await pause(3s);
      co_return choose(0);
    }
  };
  Nodes nodes(2);
  Random& random = nodes.world().random();
  nodes.at(1).adopt("ann", std::make_unique<Leaving>(random));
  bool has_ended = false;
  nodes.start(0, "council", [&](Agent& me) -> Task<> {
    Agenda agenda;
    agenda.id = 1;
    agenda.alternatives = {"yes"};
    agenda.within = 20s;
    const Content question = Content::of(std::move(agenda));
    co_await me.send("ann", question);
    const Message vote = co_await me.receive();
    expect_equal(vote.as<Vote>().id, 1U, "which decision");
    const Result<void> sent = co_await me.send_result("ann", Content("are you there?"));
    expect(sent.has_value(), "it is kept for the next one");
    co_await me.pause(1s);
    Task<Ending> ending = me.watch("ann");
    const auto error = co_await coracle::test::error_of(std::move(ending));
    expect(error.has_value() && error->errc() == Errc::no_such_agent, "it has ended");
    has_ended = true;
  });
  nodes.until([&] { return has_ended; }, 100s);
}

BOOST_AUTO_TEST_CASE(a_peer_receives_the_message_that_it_waits_for_while_it_considers) {
  class Advised : public Peer {
   public:
    using Peer::Peer;

   protected:
    Task<Ballot> consider_agenda(const Agenda&) override {
      (void)co_await coracle::test::advice_for(*this);
      co_return choose(0);
    }
  };
  Nodes nodes(3);
  nodes.at(1).adopt("ann", std::make_unique<Advised>(nodes.world().random()));
  coracle::test::start_sage(nodes, 2, "the first");
  bool has_voted = false;
  nodes.start(0, "council", [&](Agent& me) -> Task<> {
    Agenda agenda;
    agenda.id = 1;
    agenda.alternatives = {"yes"};
    const Content question = Content::of(std::move(agenda));
    co_await me.send("ann", question);
    const Message vote = co_await me.receive();
    has_voted = vote.as<Vote>().ballot.ranking == choose(0).ranking;
  });
  nodes.until([&] { return has_voted; }, 100s);
}

BOOST_AUTO_TEST_CASE(a_council_that_reads_nothing_gets_an_opening_once) {
  Nodes nodes(2);
  std::vector<std::string> refusals;
  auto ann = std::make_unique<Torn>(nodes.world().random(), "slow", 0s, refusals);
  nodes.at(1).adopt("ann", std::move(ann));
  std::size_t votes = 0;
  bool is_over = false;
  nodes.start(0, "council", [&](Agent& me) -> Task<> {
    me.set_mailbox(MailboxOptions().messages(1));
    Agenda agenda;
    agenda.id = 1;
    agenda.round = 1;
    agenda.alternatives = {"yes"};
    agenda.commit = true;
    const Content question = Content::of(std::move(agenda));
    co_await me.send("ann", question);
    (void)co_await me.receive();
    for (int i = 0; i < 100; ++i) {
      Opening opening;
      opening.id = 1;
      opening.round = 1;
      const Content asked = Content::of(std::move(opening));
      co_await me.send("ann", asked);
    }
    co_await me.pause(1s);
    for (;;) {
      const std::optional<Message> vote = co_await me.receive(Deadline(1s));
      if (!vote) break;
      ++votes;
    }
    is_over = true;
  });
  nodes.until([&] { return is_over; }, 100s);
  BOOST_TEST(votes >= 1U);
  BOOST_TEST(votes <= 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
