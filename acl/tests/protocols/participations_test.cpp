// The conversations of a participant: which message belongs to which, and how many there may be.
#include "coracle/acl/protocols/participations.hpp"

#include "support/conversing.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace coracle::acl {

using test::agent;
using test::at;
using test::say;
using namespace std::chrono_literals;
using Act = Performative;
using Found = Participations::Found;

namespace {

Participations bob(Participations::Limits limits = {}) {
  return {agent("bob"), test::counter("b"), Calendar(), limits};
}

Message from(std::string sender, Act act, std::string conversation, const char* protocol = "") {
  Message made = test::message(act, std::move(sender), {"bob"});
  made.conversation_id = std::move(conversation);
  made.protocol = protocol;
  made.reply_with = "r1";
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(participations)

BOOST_AUTO_TEST_CASE(an_opening_begins_a_session_and_other_messages_go_to_it) {
  Participations mine = bob();
  const auto begun = mine.hear(from("ann", Act::cfp, "c1", "fipa-contract-net"), at(0s));
  BOOST_TEST((begun.found == Found::begun));
  const auto bid = begun.session->say(say(Act::propose), at(0s));
  BOOST_TEST_REQUIRE(bid.has_value());
  BOOST_TEST((bid->sender == agent("bob")));
  Message award = from("ANN", Act::accept_proposal, "c1", "FIPA-contract-net");
  award.in_reply_to = bid->reply_with;
  const auto heard = mine.hear(award, at(0s));
  BOOST_TEST((heard.found == Found::session));
  BOOST_TEST(heard.heard == Heard::taken);
  BOOST_TEST(heard.session == begun.session);
}

BOOST_AUTO_TEST_CASE(a_message_that_begins_nothing_is_for_nobody) {
  Participations mine = bob();
  for (const auto& each :
       {from("ann", Act::inform, "c1"),
        from("ann", Act::accept_proposal, "c1", "fipa-contract-net"),
        from("ann", Act::request, "c1", "fipa-query"), from("ann", Act::request, "c1", "odd"),
        from("ann", Act::cancel, "c1"), from("ann", Act::not_understood, "")}) {
    BOOST_TEST((mine.hear(each, at(0s)).found == Found::nothing));
  }
  BOOST_TEST(mine.size() == 0U);
}

BOOST_AUTO_TEST_CASE(conversations_of_different_agents_are_different) {
  Participations mine = bob();
  const auto ann = mine.hear(from("ann", Act::request, "c1"), at(0s));
  const auto cy = mine.hear(from("cy", Act::request, "c1"), at(0s));
  BOOST_TEST((cy.found == Found::begun));
  BOOST_TEST(ann.session != cy.session);
  // Cy cancels its own only.
  const auto cancel = mine.hear(from("cy", Act::cancel, "c1"), at(0s));
  BOOST_TEST(cancel.session == cy.session);
  BOOST_TEST(cancel.heard == Heard::cancel_asked);
  BOOST_TEST(!ann.session->is_cancelling());
}

BOOST_AUTO_TEST_CASE(an_opening_that_is_repeated_is_out_of_sequence) {
  Participations mine = bob();
  (void)mine.hear(from("ann", Act::request, "c1"), at(0s));
  const auto again = mine.hear(from("ann", Act::request, "c1"), at(0s));
  BOOST_TEST((again.found == Found::session));
  BOOST_TEST(again.heard == Heard::out_of_sequence);
  BOOST_TEST(mine.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_conversation_that_is_over_can_begin_anew) {
  Participations mine = bob();
  const auto first = mine.hear(from("ann", Act::request, "c1"), at(0s));
  (void)first.session->say(say(Act::inform), at(0s));
  const auto second = mine.hear(from("ann", Act::request, "c1"), at(0s));
  BOOST_TEST((second.found == Found::begun));
  BOOST_TEST(mine.size() == 2U);
  mine.remove(*first.session);
  const auto cancel = mine.hear(from("ann", Act::cancel, "c1"), at(0s));
  BOOST_TEST(cancel.session == second.session);
  mine.remove(*second.session);
  BOOST_TEST(mine.size() == 0U);
  BOOST_TEST((mine.hear(from("ann", Act::cancel, "c1"), at(0s)).found == Found::nothing));
}

BOOST_AUTO_TEST_CASE(a_session_whose_time_has_ended_makes_place_for_a_new_one) {
  Participations mine = bob();
  Message request = from("ann", Act::request, "c1");
  request.reply_by = date_from_now(2s);
  const auto first = mine.hear(request, at(0s));
  const auto second = mine.hear(request, at(3s));
  BOOST_TEST((second.found == Found::begun));
  BOOST_TEST(first.session->outcome() == Outcome::expired);
  BOOST_TEST((second.session->deadline() == at(5s)));
}

BOOST_AUTO_TEST_CASE(messages_without_a_conversation_are_told_apart_by_their_identifiers) {
  Participations mine = bob();
  std::vector<Message> bids;
  for (int n = 0; n < 3; ++n) {
    const auto begun = mine.hear(from("ann", Act::cfp, ""), at(0s));
    BOOST_TEST((begun.found == Found::begun));
    bids.push_back(*begun.session->say(say(Act::propose), at(0s)));
  }
  Message award = from("ann", Act::accept_proposal, "");
  BOOST_TEST((mine.hear(award, at(0s)).found == Found::nothing));
  award.in_reply_to = bids[1].reply_with;
  const auto heard = mine.hear(award, at(0s));
  BOOST_TEST(heard.heard == Heard::taken);
  BOOST_TEST(heard.session->state() == State::agreed);
  BOOST_TEST((mine.hear(award, at(0s)).found == Found::nothing));
}

BOOST_AUTO_TEST_CASE(no_agent_can_begin_more_sessions_than_the_limits_permit) {
  Participations mine = bob({5, 2});
  const auto begin = [&](const char* sender, std::string conversation) {
    return mine.hear(from(sender, Act::request, std::move(conversation)), at(0s)).found;
  };
  BOOST_TEST((begin("ann", "1") == Found::begun));
  BOOST_TEST((begin("ann", "") == Found::begun));
  BOOST_TEST((begin("ann", "3") == Found::no_room));
  BOOST_TEST((begin("ann", "") == Found::no_room));
  BOOST_TEST((begin("ann\n", "1") == Found::begun));
  BOOST_TEST((begin("cy", "1") == Found::begun));
  BOOST_TEST((begin("di", "1") == Found::begun));
  BOOST_TEST((begin("ed", "1") == Found::no_room));
}

BOOST_AUTO_TEST_CASE(no_sequence_of_messages_breaks_the_sessions) {
  BOOST_TEST(rc::check([] {
    Participations mine = bob({8, 4});
    std::vector<Session*> open;
    std::vector<std::string> said = {""};
    for (int step = 0; step < 80; ++step) {
      const auto act = [] {
        return static_cast<Act>(*rc::gen::inRange<int>(0, static_cast<int>(performatives)));
      };
      if (!open.empty() && *rc::gen::inRange(0, 2) == 0) {
        const auto at_index = *rc::gen::inRange<std::size_t>(0, open.size());
        Session& session = *open[at_index];
        if (const auto sent = session.say(say(act(), 3s), at(1s * step))) {
          said.push_back(sent->reply_with);
        }
        if (session.is_cancelling())
          (void)session.answer_cancel(true, std::string(), at(1s * step));
        if (*rc::gen::inRange(0, 5) == 0) {
          mine.remove(session);
          open.erase(open.begin() + static_cast<std::ptrdiff_t>(at_index));
        }
        continue;
      }
      const std::string sender = *rc::gen::element<std::string>("ann", "cy", "Ann");
      const std::string conversation = *rc::gen::element<std::string>("", "1", "2");
      Message message = from(sender, act(), conversation);
      message.in_reply_to = said[*rc::gen::inRange<std::size_t>(0, said.size())];
      if (*rc::gen::inRange(0, 2) == 0) message.reply_by = date_from_now(2s);
      const auto heard = mine.hear(message, at(1s * step));
      if (heard.found == Found::begun) open.push_back(heard.session);
      RC_ASSERT(mine.size() == open.size());
      RC_ASSERT(mine.size() <= 8U);
    }
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
