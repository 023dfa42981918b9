// A reduced exploration leaves out orders, but no outcomes: small societies have the same outcomes
// and the same bugs with and without the reduction.
#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/societies/expect.hpp"
#include "support/societies/test_society.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <map>
#include <set>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// One action of an agent of a small society.
struct Deed {
  enum class Kind : unsigned {
    send,
    receive,
    receive_from,
    try_receive,
    yield,
    track,
    give_back,
    ask,
    spawn,
    join,
    multicast,
    retreat,
  };
  Kind kind;
  std::string whom;
};

struct Member {
  std::string name;
  std::vector<Deed> deeds;
  std::uint32_t room = 8;
};

using Members = std::vector<Member>;

// Performs its member's actions and writes down the results.
class Acting final : public Agent {
 public:
  Acting(const Member& member, std::string& log) : member_(member), log_(log) {}

  Task<> run() override {
    std::vector<Receipt> receipts;
    for (const Deed& deed : member_.deeds) {
      if (deed.kind == Deed::Kind::track) {
        const std::string text = next_text();
        receipts.push_back(co_await track(Post(Name(deed.whom), text)));
      } else {
        co_await perform(deed);
      }
    }
    for (const Receipt& receipt : receipts) {
      log_ += receipt.first().outcome ? to_string(*receipt.first().outcome) : " under way";
    }
    log_ += ";";
  }

 private:
  std::string next_text() { return member_.name + std::to_string(++sent_); }

  Task<> perform(Deed deed) {
    switch (deed.kind) {
      case Deed::Kind::send: {
        const std::string text = next_text();
        const Result<void> sent = co_await send_result(deed.whom, text);
        if (!sent) log_ += "!";
        co_return;
      }
      case Deed::Kind::receive:
        co_return note(co_await receive(1ms));
      case Deed::Kind::receive_from:
        co_return note(co_await receive(from(deed.whom), 1ms));
      case Deed::Kind::try_receive:
        co_return note(try_receive());
      case Deed::Kind::give_back: {
        std::optional<Message> message = co_await receive(1ms);
        if (message) message->give_back();
        co_return;
      }
      case Deed::Kind::ask: {
        const std::string text = next_text();
        const Result<Message> answer = co_await ask_result(deed.whom, text, 1ms);
        log_ += answer ? "=" : "?";
        co_return;
      }
      case Deed::Kind::spawn:
        co_return spawn(beside());
      case Deed::Kind::join:
        co_return co_await join(group("all"));
      case Deed::Kind::multicast: {
        const std::string text = next_text();
        co_return co_await multicast(group("all"), text);
      }
      case Deed::Kind::retreat:
        co_return set_mailbox(MailboxOptions().messages(1));
      default:
        co_return co_await yield();
    }
  }

  // A second task that shares a member with the main task.
  Task<> beside() {
    ++sent_;
    co_await yield();
    log_ += "+" + std::to_string(sent_);
  }

  void note(const std::optional<Message>& message) {
    if (!message) {
      log_ += " -";
      return;
    }
    log_ += " " + std::string(message->text()) + (message->redelivered() ? "*" : "");
    if (message->is_request()) answer(*message);
  }
  void answer(const Message& request) { spawn(answer_to(request.source(), request.sequence())); }
  Task<> answer_to(Address whom, std::uint64_t) {
    const std::string text = next_text();
    co_await send(whom, text);
  }

  const Member& member_;
  std::string& log_;
  int sent_ = 0;
};

// Plays the members; returns what each of them wrote down, and the ledger.
std::string outcome_of(sim::World& world, const Members& members) {
  std::map<std::string, std::string> logs;
  Ledger ledger;
  {
    Node node(world.realization());
    for (const Member& member : members) {
      AgentSpec spec(member.name);
      spec.mailbox(MailboxOptions().messages(member.room));
      node.adopt(std::move(spec), std::make_unique<Acting>(member, logs[member.name]));
    }
    node.wait();
    ledger = node.stop(1s).ledger;
  }
  std::string all;
  for (const auto& [name, log] : logs) all += name + ":" + log + "\n";
  return all + ledger.to_string();
}

struct Seen {
  sim::Exploration found;
  std::set<std::string> outcomes;
};

Seen explore(const Members& members, bool reduce, bool slow, std::uint64_t runs) {
  Seen seen;
  sim::Options options;
  options.turn = Duration::zero();
  options.slow = slow;
  sim::Bounds bounds;
  bounds.reduce = reduce;
  bounds.runs = runs;
  const auto play = [&](sim::World& world) { seen.outcomes.insert(outcome_of(world, members)); };
  seen.found = sim::World::explore(play, options, bounds);
  return seen;
}

Members members_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = seed;
  sim::World source(options);
  const auto below = [&](unsigned count) {
    return static_cast<unsigned>((source.random().next() >> 32) * count >> 32);
  };
  Members members;
  const char* const names[] = {"ann", "bob", "cid"};
  const unsigned count = 2 + below(2);
  for (unsigned i = 0; i < count; ++i) {
    Member member;
    member.name = names[i];
    member.room = below(3) == 0 ? 1 : 8;
    for (unsigned deeds = 1 + below(count == 2 ? 3 : 2); deeds > 0; --deeds) {
      const unsigned kind = below(24);
      const auto which = kind < 12 ? kind : kind < 18 ? 0 : kind < 21 ? 1 : 2;
      member.deeds.push_back({static_cast<Deed::Kind>(which), names[below(count)]});
    }
    members.push_back(std::move(member));
  }
  return members;
}

// --- bugs ---

using Play = std::function<void(sim::World& world)>;

sim::Exploration explore_all(const Play& play, bool reduce, bool slow) {
  sim::Options options;
  options.turn = Duration::zero();
  options.slow = slow;
  sim::Bounds bounds;
  bounds.reduce = reduce;
  return sim::World::explore(play, options, bounds);
}

// Two agents share a number, report it, and lose an addition of one of them.
void lose_an_update(sim::World& world) {
  Proceedings proceedings;
  int account = 0;
  Node node(world.realization());
  const Body depositing = [&account, &world](Agent& me) -> Task<> {
    world.touches("account");
    const int before = account;
    co_await me.yield();
    world.touches("account");
    account = before + 1;
  };
  for (const char* name : {"ann", "bob"}) {
    node.adopt(name, std::make_unique<Actor>(depositing, proceedings));
  }
  node.wait();
  expect_equal(account, 2, "planted: the account");
}

// A manager that does not wait for the first awardee's reply has two awardees.
void award_twice(sim::World& world) {
  Proceedings proceedings;
  int builders = 0;
  Node node(world.realization());
  const Body building = [](Agent& me) -> Task<> {
    const Message award = co_await me.receive();
    co_await me.send(award.source(), "begun");
  };
  const Body managing = [&builders](Agent& me) -> Task<> {
    for (const char* robot : {"ann", "bob"}) {
      co_await me.send(robot, "build");
      if (const auto begun = co_await me.receive(1ms)) break;
    }
    builders = 1;
    while (const auto another = co_await me.receive(1s)) ++builders;
  };
  for (const char* name : {"ann", "bob"}) {
    node.adopt(name, std::make_unique<Actor>(building, proceedings));
  }
  node.adopt("manager", std::make_unique<Actor>(managing, proceedings));
  world.run_for(10s);
  expect(builders < 2, "planted: two robots build");
}

// A request that is sent in time gets its reply too late.
void answer_too_late(sim::World& world) {
  Proceedings proceedings;
  bool late = false;
  Node node(world.realization());
  node.adopt("bob", std::make_unique<Actor>(
                        [](Agent& me) -> Task<> {
                          const Message asked = co_await me.receive();
                          co_await me.reply(asked, "yes");
                        },
                        proceedings));
  node.adopt("ann", std::make_unique<Actor>(
                        [&late](Agent& me) -> Task<> {
                          const Result<Message> answer = co_await me.ask_result("bob", "?", 1ms);
                          late = !answer.has_value();
                        },
                        proceedings));
  node.wait();
  expect(!late, "planted: it is answered");
}

// Two agents send to two others.
void two_pairs(sim::World& world, int messages) {
  Proceedings proceedings;
  Node node(world.realization());
  const Body reading = [messages](Agent& me) -> Task<> {
    for (int i = 0; i < messages; ++i) co_await me.receive();
  };
  const auto sending = [messages](const char* whom) -> Body {
    return [messages, whom](Agent& me) -> Task<> {
      co_await me.receive();
      for (int i = 0; i < messages; ++i) co_await me.send(whom, "x");
    };
  };
  for (const char* name : {"cid", "dan"}) {
    node.adopt(name, std::make_unique<Actor>(reading, proceedings));
  }
  node.adopt("ann", std::make_unique<Actor>(sending("cid"), proceedings));
  node.adopt("bob", std::make_unique<Actor>(sending("dan"), proceedings));
  node.adopt("main", std::make_unique<Actor>(
                         [](Agent& me) -> Task<> {
                           for (const char* name : {"ann", "bob"}) co_await me.send(name, "go");
                         },
                         proceedings));
  node.wait();
}

std::string shown(const std::set<std::string>& outcomes) {
  std::string all;
  for (const std::string& outcome : outcomes) all += outcome + "\n";
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduction)

BOOST_AUTO_TEST_CASE(small_societies_have_the_same_outcomes_with_and_without_it) {
  constexpr bool slow_build = slowness != 1;
  constexpr std::uint64_t societies = slow_build ? 15 : 120;
  constexpr std::uint64_t most = slow_build ? 1500 : 3000;
  std::uint64_t all = 0, fewer = 0, outcomes = 0, compared = 0, varied = 0;
  for (std::uint64_t seed = 1; seed <= societies; ++seed) {
    const Members members = members_of(seed);
    const bool slow = seed % 3 == 0;
    const Seen without = explore(members, false, slow, most);
    if (!without.found.complete) continue;  // too many orders to compare with
    const Seen with = explore(members, true, slow, most);
    BOOST_TEST_REQUIRE(with.found.complete);
    BOOST_TEST_REQUIRE((with.outcomes == without.outcomes), "seed " << seed << ": without it\n"
                                                                    << shown(without.outcomes)
                                                                    << "with it\n"
                                                                    << shown(with.outcomes));
    all += without.found.runs;
    fewer += with.found.runs;
    outcomes += with.outcomes.size();
    varied += with.outcomes.size() > 1 ? 1 : 0;
    ++compared;
  }
  std::cout << compared << " societies, " << varied << " with several outcomes: " << all
            << " orders, reduced to " << fewer << ", " << outcomes << " outcomes\n";
  BOOST_TEST(compared * 3 > societies * 2);
  BOOST_TEST(varied * 6 > societies);
  BOOST_TEST(fewer < all);
}

BOOST_AUTO_TEST_CASE(planted_bugs_are_found_with_and_without_it) {
  for (const auto bug : {&lose_an_update, &award_twice, &answer_too_late}) {
    for (const bool reduce : {false, true}) {
      const sim::Exploration found = explore_all(bug, reduce, true);
      BOOST_TEST(found.failure.find("planted") != std::string::npos, found.failure);
      sim::World again(found.options, sim::scripted(found.choices));
      BOOST_CHECK_THROW(bug(again), Failure);
    }
  }
}

BOOST_AUTO_TEST_CASE(pairs_that_have_nothing_to_do_with_each_other_have_one_order) {
  for (int messages = 1; messages <= (slowness == 1 ? 2 : 1); ++messages) {
    const auto play = [messages](sim::World& world) { two_pairs(world, messages); };
    const sim::Exploration without = explore_all(play, false, false);
    const sim::Exploration with = explore_all(play, true, false);
    BOOST_TEST(without.complete);
    BOOST_TEST(with.complete);
    BOOST_TEST(with.runs * 10 < without.runs);
    std::cout << "two pairs, " << messages << " messages each: " << without.runs
              << " orders, reduced to " << with.runs << ", " << with.redundant << " redundant\n";
  }
}

BOOST_AUTO_TEST_CASE(a_limit_to_deviations_cannot_be_combined_with_it) {
  sim::Bounds bounds;
  bounds.reduce = true;
  bounds.deviations = 2;
  expect_error(error_from([&] { sim::World::explore(lose_an_update, {}, bounds); }),
               Errc::bad_options, "both");
}

BOOST_AUTO_TEST_CASE(several_workers_are_explored_without_leaving_anything_out) {
  const auto play = [](sim::World& world) { two_pairs(world, 1); };
  sim::Options options;
  options.workers = 2;
  sim::Bounds bounds;
  bounds.runs = 2000 / slowness;
  bounds.reduce = true;
  BOOST_TEST(sim::World::explore(play, options, bounds).redundant == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
