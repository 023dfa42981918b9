// Conversations with several agents at once: who answers what, and that no agent can disturb
// another's session.
#include "coracle/acl/protocols/initiation.hpp"

#include "support/conversing.hpp"

#include "coracle/errors.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <set>

namespace coracle::acl {

using test::agent;
using test::at;
using test::say;
using namespace std::chrono_literals;
using Act = Performative;

namespace {

Initiation begin(const Protocol& protocol, std::vector<std::string> receivers,
                 std::optional<Duration> reply_within = {}) {
  return {protocol,        test::message(protocol.openings[0], "ann", std::move(receivers)),
          test::counter(), reply_within,
          Calendar(),      at(0s)};
}

Message answer(const Message& to, std::string from, Act act) {
  Message made = reply(to, act);
  made.sender = agent(std::move(from));
  return made;
}

bool is_bad(const Error& error) { return error.errc() == Errc::bad_options; }

}  // namespace

BOOST_AUTO_TEST_SUITE(initiation)

BOOST_AUTO_TEST_CASE(each_receiver_gets_a_message_of_its_own_in_one_conversation) {
  Initiation call = begin(contract_net_protocol, {"bob", "cy", "Bob"}, 5s);
  const auto sent = call.take_outgoing();
  BOOST_TEST_REQUIRE(sent.size() == 2U);
  BOOST_TEST(call.take_outgoing().empty());
  std::set<std::string> ids;
  for (const auto& each : sent) {
    BOOST_TEST(each.message.receivers.size() == 1U);
    BOOST_TEST(each.message.conversation_id == call.conversation_id());
    BOOST_TEST(each.message.protocol == "fipa-contract-net");
    BOOST_TEST(to_text(each.message.reply_by.value()) == "+00000000T000005000");
    ids.insert(each.message.reply_with);
  }
  BOOST_TEST(ids.size() == 2U);
  BOOST_TEST(call.sessions()[1].partner().name == "cy");
  BOOST_TEST((call.deadline() == at(5s)));
}

BOOST_AUTO_TEST_CASE(a_conversation_keeps_the_identifier_that_it_was_given) {
  Message opening = test::message(Act::request, "ann", {"bob"});
  opening.conversation_id = "mine";
  opening.reply_by = date_from_now(3s);
  Initiation one(request_protocol, opening, test::counter(), {}, Calendar(), at(1s));
  BOOST_TEST(one.take_outgoing().at(0).message.conversation_id == "mine");
  BOOST_TEST((one.deadline() == at(4s)));
}

BOOST_AUTO_TEST_CASE(a_conversation_that_cannot_begin_is_refused) {
  BOOST_CHECK_EXCEPTION(begin(request_protocol, {}), Error, is_bad);
  BOOST_CHECK_EXCEPTION(begin(request_protocol, std::vector<std::string>(10'001, "b")), Error,
                        is_bad);
  BOOST_CHECK_EXCEPTION(Initiation(request_protocol, test::message(Act::inform, "ann", {"bob"}),
                                   test::counter(), {}, Calendar(), at(0s)),
                        Error, is_bad);
}

BOOST_AUTO_TEST_CASE(an_answer_goes_to_the_session_of_its_sender) {
  Initiation call = begin(contract_net_protocol, {"bob", "cy"});
  const auto sent = call.take_outgoing();
  const auto heard = call.hear(answer(sent[1].message, "CY", Act::propose), at(1s));
  BOOST_TEST(heard.heard == Heard::taken);
  BOOST_TEST(heard.session == 1U);
  BOOST_TEST(call.count(State::proposed) == 1U);
  BOOST_TEST(call.hear(answer(sent[0].message, "bob", Act::refuse), at(1s)).session == 0U);
  BOOST_TEST(call.count(State::asked) == 0U);
  BOOST_TEST(call.say(1, say(Act::accept_proposal), at(1s)));
  BOOST_TEST(!call.say(0, say(Act::accept_proposal), at(1s)));
  const auto award = call.take_outgoing();
  BOOST_TEST_REQUIRE(award.size() == 1U);
  BOOST_TEST(call.hear(answer(award[0].message, "cy", Act::inform), at(1s)).heard == Heard::taken);
  BOOST_TEST(call.is_over());
}

BOOST_AUTO_TEST_CASE(an_agent_cannot_answer_for_another_one) {
  Initiation call = begin(contract_net_protocol, {"bob", "cy"});
  const auto sent = call.take_outgoing();
  // Cy knows the identifier of bob's message.
  BOOST_TEST(call.hear(answer(sent[0].message, "cy", Act::refuse), at(1s)).heard ==
             Heard::out_of_sequence);
  BOOST_TEST(call.hear(answer(sent[0].message, "eve", Act::refuse), at(1s)).heard ==
             Heard::foreign);
  BOOST_TEST(call.count(State::asked) == 2U);
}

BOOST_AUTO_TEST_CASE(a_report_of_the_platform_ends_the_session_of_the_lost_message_only) {
  Initiation call = begin(request_protocol, {"bob", "cy"});
  const auto sent = call.take_outgoing();
  const auto heard = call.hear(answer(sent[1].message, "ams", Act::failure), at(1s));
  BOOST_TEST(heard.session == 1U);
  BOOST_TEST(call.sessions()[1].outcome() == Outcome::lost);
  BOOST_TEST(call.sessions()[0].outcome() == Outcome::open);
}

BOOST_AUTO_TEST_CASE(the_time_ends_the_sessions_that_have_not_answered) {
  Initiation call = begin(contract_net_protocol, {"bob", "cy"}, 5s);
  const auto sent = call.take_outgoing();
  (void)call.hear(answer(sent[0].message, "bob", Act::propose), at(1s));
  call.on_time(at(5s));
  BOOST_TEST(call.sessions()[0].state() == State::proposed);
  BOOST_TEST(call.sessions()[1].outcome() == Outcome::expired);
}

BOOST_AUTO_TEST_CASE(all_sessions_are_told_cancelled_or_left_together) {
  Initiation auction = begin(english_auction_protocol, {"bob", "cy", "di"});
  (void)auction.take_outgoing();
  BOOST_TEST(auction.say_to_all(say(Act::cfp), at(0s)) == 3U);
  BOOST_TEST(auction.take_outgoing().size() == 3U);
  auction.end(0, Outcome::lost);
  BOOST_TEST(auction.say_to_all(say(Act::cfp), at(0s)) == 2U);
  (void)auction.take_outgoing();
  auction.cancel_all(say(Act::cancel, 2s), at(0s));
  BOOST_TEST(auction.take_outgoing().size() == 2U);
  auction.on_time(at(2s));
  BOOST_TEST(auction.is_over());
  Initiation other = begin(request_protocol, {"bob", "cy"});
  other.end_all(Outcome::closed);
  BOOST_TEST(other.is_over());
}

namespace {

// Ann, three partners, and messages on their way, which keep their order on each way.
struct World {
  explicit World(const Protocol& protocol) : ann(begin(protocol, {"0", "1", "2"})), ways(6) {
    for (const auto& each : ann.take_outgoing()) {
      const std::string name = std::to_string(each.session);
      partners.emplace_back(protocol, each.message, agent(name), "p" + name, Calendar(), at(0s));
    }
  }

  std::vector<State> states() const {
    std::vector<State> all;
    for (const Session& each : ann.sessions()) all.push_back(each.state());
    return all;
  }
  void collect() {
    for (auto& each : ann.take_outgoing()) ways[each.session].push_back(each.message);
  }
  void deliver(std::size_t way) {
    if (ways[way].empty()) return;
    const Message message = ways[way].front();
    ways[way].pop_front();
    seen.push_back(message);
    if (way < 3) hear(way, message);
    else (void)ann.hear(message, at(0s));
  }
  void hear(std::size_t partner, const Message& message) {
    if (partners[partner].hear(message, at(0s)) != Heard::cancel_asked) return;
    const auto answered =
        partners[partner].answer_cancel(message.content.index() == 0, std::string(), at(0s));
    ways[3 + partner].push_back(*answered);
  }

  Initiation ann;
  std::vector<Session> partners;
  std::vector<std::deque<Message>> ways;  // to each partner, and from each partner
  std::vector<Message> seen;
};

Act some_act() { return static_cast<Act>(*rc::gen::inRange<int>(0, performatives)); }

// A lie to ann about a session; only that of its sender may change.
void lie(World& world) {
  const auto before = world.states();
  const auto sender = *rc::gen::inRange<std::size_t>(0, 5);
  Message message =
      test::message(some_act(), sender == 4 ? "ams" : std::to_string(sender), {"ann"});
  message.conversation_id = world.ann.conversation_id();
  const auto of = *rc::gen::inRange<std::size_t>(0, 3);
  const bool repeats = !world.seen.empty() && *rc::gen::inRange(0, 2) == 0;
  if (repeats) {
    message.in_reply_to =
        world.seen[*rc::gen::inRange<std::size_t>(0, world.seen.size())].in_reply_to;
  } else if (sender < 4 && of != sender) {
    message.in_reply_to = world.partners[of].heard().reply_with;  // the identifier of another
  }
  if (sender == 4) message.in_reply_to = "guessed";
  (void)world.ann.hear(message, at(0s));
  const auto after = world.states();
  for (std::size_t n = 0; n < 3; ++n) {
    if (n != sender) RC_ASSERT(before[n] == after[n]);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(in_every_order_of_messages_the_two_sides_of_each_pair_end_alike) {
  BOOST_TEST(rc::check([] {
    World world(**rc::gen::elementOf(std::vector(all_protocols().begin(), all_protocols().end())));
    const bool lies = *rc::gen::inRange(0, 2) == 0;
    for (int step = 0; step < 60; ++step) {
      const auto n = *rc::gen::inRange<std::size_t>(0, 3);
      switch (*rc::gen::inRange(0, 6)) {
        case 0:
          (void)world.ann.say(n, say(some_act()), at(0s));
          break;
        case 1:
          if (const auto said = world.partners[n].say(say(some_act()), at(0s))) {
            world.ways[3 + n].push_back(*said);
          }
          break;
        case 2:
          if (*rc::gen::inRange(0, 5) == 0) (void)world.ann.cancel(n, say(Act::cancel), at(0s));
          break;
        case 3:
          if (lies) lie(world);
          break;
        default:
          world.deliver(*rc::gen::inRange<std::size_t>(0, 6));
      }
      world.collect();
    }
    for (int round = 0; round < 100; ++round) {
      for (std::size_t way = 0; way < 6; ++way) world.deliver(way);
      world.collect();
    }
    for (std::size_t n = 0; n < 3 && !lies; ++n) {
      RC_ASSERT(world.ann.sessions()[n].state() == world.partners[n].state());
    }
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
