// One pair in each protocol: every step, every wrong step, and lies.
#include "coracle/acl/protocols/session.hpp"

#include "support/pair.hpp"

#include <algorithm>

namespace coracle::acl {

using test::agent;
using test::at;
using test::by_ann;
using test::by_bob;
using test::Pair;
using test::say;
using namespace std::chrono_literals;
using Act = Performative;

namespace {

std::vector<Act> all_acts() {
  std::vector<Act> acts;
  for (std::size_t n = 0; n < performatives; ++n) acts.push_back(static_cast<Act>(n));
  return acts;
}

struct Flow {
  const Protocol& protocol;
  std::vector<std::pair<Side, Act>> steps;
  Outcome outcome;
};

const std::vector<Flow> flows = {
    {request_protocol, {{by_bob, Act::agree}, {by_bob, Act::inform}}, Outcome::done},
    {request_protocol, {{by_bob, Act::inform}}, Outcome::done},
    {request_protocol, {{by_bob, Act::refuse}}, Outcome::refused},
    {request_protocol, {{by_bob, Act::agree}, {by_bob, Act::failure}}, Outcome::failed},
    {request_protocol, {{by_bob, Act::failure}}, Outcome::failed},
    {request_protocol, {{by_bob, Act::not_understood}}, Outcome::not_understood},
    {query_protocol, {{by_bob, Act::inform}}, Outcome::done},
    {query_protocol, {{by_bob, Act::agree}, {by_bob, Act::inform}}, Outcome::done},
    {request_when_protocol, {{by_bob, Act::agree}, {by_bob, Act::inform}}, Outcome::done},
    {propose_protocol, {{by_bob, Act::accept_proposal}}, Outcome::accepted},
    {propose_protocol, {{by_bob, Act::reject_proposal}}, Outcome::rejected},
    {subscribe_protocol,
     {{by_bob, Act::agree}, {by_bob, Act::inform}, {by_bob, Act::inform}, {by_bob, Act::failure}},
     Outcome::failed},
    {subscribe_protocol, {{by_bob, Act::inform}, {by_bob, Act::inform}}, Outcome::open},
    {subscribe_protocol, {{by_bob, Act::refuse}}, Outcome::refused},
    {contract_net_protocol,
     {{by_bob, Act::propose}, {by_ann, Act::accept_proposal}, {by_bob, Act::inform}},
     Outcome::done},
    {contract_net_protocol,
     {{by_bob, Act::propose}, {by_ann, Act::accept_proposal}, {by_bob, Act::failure}},
     Outcome::failed},
    {contract_net_protocol,
     {{by_bob, Act::propose}, {by_ann, Act::reject_proposal}},
     Outcome::rejected},
    {contract_net_protocol, {{by_bob, Act::refuse}}, Outcome::refused},
    {contract_net_protocol,
     {{by_bob, Act::propose}, {by_ann, Act::not_understood}},
     Outcome::not_understood},
    {iterated_contract_net_protocol,
     {{by_bob, Act::propose},
      {by_ann, Act::cfp},
      {by_bob, Act::propose},
      {by_ann, Act::cfp},
      {by_bob, Act::propose},
      {by_ann, Act::accept_proposal},
      {by_bob, Act::inform}},
     Outcome::done},
    {iterated_contract_net_protocol,
     {{by_bob, Act::propose}, {by_ann, Act::cfp}, {by_bob, Act::refuse}},
     Outcome::refused},
    {english_auction_protocol,
     {{by_ann, Act::cfp},
      {by_bob, Act::propose},
      {by_ann, Act::accept_proposal},
      {by_ann, Act::cfp},
      {by_bob, Act::propose},
      {by_ann, Act::reject_proposal},
      {by_ann, Act::cfp},
      {by_ann, Act::cfp},
      {by_ann, Act::inform}},
     Outcome::done},
    {dutch_auction_protocol,
     {{by_ann, Act::cfp},
      {by_ann, Act::cfp},
      {by_bob, Act::propose},
      {by_ann, Act::accept_proposal},
      {by_ann, Act::inform}},
     Outcome::done},
    {brokering_protocol, {{by_bob, Act::agree}, {by_bob, Act::inform}}, Outcome::done},
    {brokering_protocol, {{by_bob, Act::agree}, {by_bob, Act::failure}}, Outcome::failed},
    {brokering_protocol, {{by_bob, Act::refuse}}, Outcome::refused},
    {recruiting_protocol, {{by_bob, Act::agree}, {by_bob, Act::inform}}, Outcome::open},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(both_sides_go_through_each_protocol_together) {
  for (const Flow& flow : flows) {
    Pair pair(flow.protocol);
    for (const auto& [side, act] : flow.steps) pair.tell(side, act);
    BOOST_TEST(pair.ann.outcome() == flow.outcome, flow.protocol.name);
    BOOST_TEST(pair.bob.outcome() == flow.outcome, flow.protocol.name);
  }
}

BOOST_AUTO_TEST_CASE(in_every_state_the_moves_of_the_table_are_all_that_is_permitted) {
  for (const Protocol* protocol : all_protocols()) {
    for (const auto& [state, way] : test::ways(*protocol)) {
      for (const Side side : {by_ann, by_bob}) {
        for (const Act act : all_acts()) {
          Pair pair = test::pair_in(*protocol, way);
          const Move* move = protocol->find(state, side, act);
          BOOST_TEST(pair.of(side).can_say(act) == (move != nullptr));
          if (move != nullptr) {
            pair.tell(side, act);
            BOOST_TEST(pair.ann.state() == move->to);
            continue;
          }
          BOOST_TEST(!pair.of(side).say(say(act), pair.now).has_value());
          const bool is_cancel = side == by_ann && act == Act::cancel;
          BOOST_TEST(pair.other(side).hear(pair.forged(side, act), pair.now) ==
                     (is_cancel ? Heard::cancel_asked : Heard::out_of_sequence));
          BOOST_TEST(pair.ann.state() == state);
          BOOST_TEST(pair.bob.state() == state);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_message_of_a_stranger_or_another_conversation_is_foreign) {
  for (const Protocol* protocol : all_protocols()) {
    for (const auto& [state, way] : test::ways(*protocol)) {
      for (const Side side : {by_ann, by_bob}) {
        for (const Act act : all_acts()) {
          Pair pair = test::pair_in(*protocol, way);
          Message lie = pair.forged(side, act);
          lie.sender = agent("eve");
          BOOST_TEST(pair.other(side).hear(lie, pair.now) == Heard::foreign);
          lie = pair.forged(side, act);
          lie.conversation_id = "c2";
          BOOST_TEST(pair.other(side).hear(lie, pair.now) == Heard::foreign);
          lie = pair.forged(side, act);
          lie.protocol = "fipa-unknown";
          BOOST_TEST(pair.other(side).hear(lie, pair.now) == Heard::foreign);
          BOOST_TEST(pair.other(side).state() == state);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_answer_without_the_right_in_reply_to_is_out_of_sequence) {
  for (const Protocol* protocol : all_protocols()) {
    for (const auto& [state, way] : test::ways(*protocol)) {
      for (const Move& move : protocol->moves) {
        if (move.from != state) continue;
        Pair pair = test::pair_in(*protocol, way);
        Message lie = pair.forged(move.by, move.act);
        lie.in_reply_to = "guessed";
        BOOST_TEST(pair.other(move.by).hear(lie, pair.now) == Heard::out_of_sequence);
        lie.in_reply_to.clear();
        if (move.by == by_bob) {
          BOOST_TEST(pair.ann.hear(lie, pair.now) == Heard::out_of_sequence);
        }
        BOOST_TEST(pair.other(move.by).state() == state);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_repeated_or_late_answer_changes_nothing) {
  Pair pair(contract_net_protocol);
  const Message bid = pair.tell(by_bob, Act::propose);
  BOOST_TEST(pair.ann.hear(bid, pair.now) == Heard::out_of_sequence);
  const Message award = pair.tell(by_ann, Act::accept_proposal);
  BOOST_TEST(pair.bob.hear(award, pair.now) == Heard::out_of_sequence);
  BOOST_TEST(pair.ann.hear(bid, pair.now) == Heard::out_of_sequence);
  const Message result = pair.tell(by_bob, Act::inform);
  BOOST_TEST(pair.ann.hear(result, pair.now) == Heard::out_of_sequence);
  BOOST_TEST(pair.ann.outcome() == Outcome::done);
}

BOOST_AUTO_TEST_CASE(each_message_answers_the_one_before_it_and_keeps_the_conversation) {
  Pair pair(contract_net_protocol);
  Message opening = pair.ann.opening();
  const Message bid = pair.tell(by_bob, Act::propose);
  BOOST_TEST(bid.in_reply_to == "r0");
  BOOST_TEST((bid.receivers == std::vector{agent("ann")}));
  BOOST_TEST((bid.sender == agent("bob")));
  BOOST_TEST(bid.language == "fipa-sl0");
  BOOST_TEST(bid.conversation_id == "c1");
  BOOST_TEST(bid.protocol == "fipa-contract-net");
  const Message award = pair.tell(by_ann, Act::accept_proposal);
  BOOST_TEST(award.in_reply_to == bid.reply_with);
  BOOST_TEST(!award.reply_with.empty());
  const Message result = pair.tell(by_bob, Act::inform);
  BOOST_TEST(result.in_reply_to == award.reply_with);
  BOOST_TEST(result.reply_with == "");
  BOOST_TEST((pair.bob.opening() == opening));
  BOOST_TEST((pair.ann.heard() == result));
}

BOOST_AUTO_TEST_CASE(the_news_of_a_subscription_answer_the_subscription) {
  Pair pair(subscribe_protocol);
  pair.tell(by_bob, Act::agree);
  BOOST_TEST(pair.tell(by_bob, Act::inform).in_reply_to == "r0");
  BOOST_TEST(pair.tell(by_bob, Act::inform).in_reply_to == "r0");
}

BOOST_AUTO_TEST_CASE(an_initiator_may_leave_out_the_in_reply_to) {
  Pair pair(contract_net_protocol);
  pair.tell(by_bob, Act::propose);
  Message award = pair.forged(by_ann, Act::accept_proposal);
  award.in_reply_to.clear();
  award.protocol.clear();
  BOOST_TEST(pair.bob.hear(award, pair.now) == Heard::taken);
}

BOOST_AUTO_TEST_CASE(the_answer_of_a_participant_goes_to_reply_to) {
  Message opening = Pair::opening(request_protocol, {});
  opening.reply_to = {agent("cy")};
  Session bob(request_protocol, opening, agent("bob"), "b", Calendar(), at(0s));
  const auto answer = bob.say(say(Act::inform), at(0s));
  BOOST_TEST((answer->receivers == std::vector{agent("cy")}));
  // The initiator answers nobody but its partner.
  Pair pair(contract_net_protocol);
  Message bid = pair.forged(by_bob, Act::propose);
  bid.reply_to = {agent("eve")};
  BOOST_TEST(pair.ann.hear(bid, pair.now) == Heard::taken);
  const auto award = pair.ann.say(say(Act::accept_proposal), pair.now);
  BOOST_TEST((award->receivers == std::vector{agent("bob")}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
