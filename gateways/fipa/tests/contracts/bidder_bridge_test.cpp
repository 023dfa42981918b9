// A bidder whose bids and whose work are those of a participant of FIPA.
#include "coracle/fipa/contracts/bidder_bridge.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::fipa::bidder_play {

namespace {

using namespace std::chrono_literals;
using Act = acl::Performative;

constexpr caf::ContractId id = 7;

Time at(Duration since) { return Time(1h + since); }

BidderBridge::Parts parts() {
  BidderBridge::Parts parts;
  parts.self = {.name = "bridge"};
  parts.participant = {.name = "zed@p2"};
  parts.name = Name("bridge");
  parts.contents = text_contents();
  parts.ids = [last = 0]() mutable { return "r" + std::to_string(++last); };
  parts.holder = 8;
  return parts;
}

// The client "boss", the bridge, and the participant zed.
struct Play {
  explicit Play(BidderBridge::Parts chosen = parts()) : bridge(std::move(chosen)) { collect(); }

  void collect() {
    for (BridgeMessage& each : bridge.take_outgoing()) sent.push_back(std::move(each));
  }
  // The last message to the client if it is a Said, and to the participant.
  template <class Said>
  std::optional<Said> told() {
    collect();
    for (auto each = sent.rbegin(); each != sent.rend(); ++each) {
      const auto* own = std::get_if<CafMessage>(&*each);
      if (own == nullptr) continue;
      const Said* said = own->content.try_as<Said>();
      return said == nullptr ? std::nullopt : std::optional<Said>(*said);
    }
    return std::nullopt;
  }
  acl::Message said() {
    collect();
    for (auto each = sent.rbegin(); each != sent.rend(); ++each) {
      if (const auto* message = std::get_if<acl::Message>(&*each)) return *message;
    }
    return {};
  }
  std::size_t count(Act act) {
    collect();
    std::size_t number = 0;
    for (const BridgeMessage& each : sent) {
      const auto* message = std::get_if<acl::Message>(&each);
      number += message != nullptr && message->performative == act ? 1 : 0;
    }
    return number;
  }

  template <class Said>
  bool client(Said message, Duration when = 1s) {
    return bridge.hear(Name("boss"), Content::of(std::move(message)), at(when));
  }
  void call(std::uint32_t round = 1, Duration when = 0s) {
    caf::Contract contract;
    contract.id = id;
    contract.round = round;
    contract.subject = "dig";
    contract.bid_within = 8s;
    contract.lease = 9s;
    client(std::move(contract), when);
  }
  // The participant's answer to that message.
  void answer(const acl::Message& to, Act act, std::string content, Duration when = 1s) {
    acl::Message message = acl::reply(to, act);
    message.sender = {.name = "zed@p2"};
    message.content = std::move(content);
    message.reply_with = "z" + std::to_string(++answers);
    bridge.hear(message, at(when));
  }
  void propose(const std::string& amount, Duration when = 1s) {
    answer(said(), Act::propose, amount, when);
  }
  void award(Duration when = 2s) { client(caf::Award{id, 1, 1, 1, 20, 20}, when); }
  void lease(Duration when = 2s) {
    client(caf::Lease{id, 1, at(when).time_since_epoch().count()}, when);
  }
  // The participant is at work.
  void begin() {
    call();
    propose("20");
    award();
    lease();
  }

  BidderBridge bridge;
  std::vector<BridgeMessage> sent;
  int answers = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bidder_bridge, Play)

BOOST_AUTO_TEST_CASE(a_call_becomes_a_call_for_proposals_that_ends_before_the_bidding) {
  call();
  const acl::Message cfp = said();
  BOOST_TEST((cfp.performative == Act::cfp));
  BOOST_TEST(cfp.receivers.at(0).name == "zed@p2");
  BOOST_TEST(cfp.protocol == "fipa-contract-net");
  BOOST_TEST(acl::text_of(cfp) == "dig");
  BOOST_TEST((cfp.reply_by == acl::date_from_now(7s)));
  BOOST_TEST(!cfp.conversation_id.empty());
}

BOOST_AUTO_TEST_CASE(a_proposal_is_a_bid_and_its_award_is_accepted_with_the_first_lease) {
  call();
  propose("20");
  BOOST_TEST(told<caf::Bid>().value().offerings.at(0).amount == 20);
  award();
  BOOST_TEST(told<caf::Acceptance>().value().holder == 8U);
  BOOST_TEST(count(Act::accept_proposal) == 0U);
  lease();
  const acl::Message accept = said();
  BOOST_TEST((accept.performative == Act::accept_proposal));
  BOOST_TEST(acl::text_of(accept) == "20");
  BOOST_TEST(accept.in_reply_to == "z1");
  lease(4s);
  BOOST_TEST(count(Act::accept_proposal) == 1U);
  answer(accept, Act::inform, "dug", 5s);
  const auto report = told<caf::Report>().value();
  BOOST_TEST(report.final);
  BOOST_TEST(report.done);
  BOOST_TEST(report.text == "dug");
  client(caf::Settled{id, 1, 20, 0}, 6s);
  BOOST_TEST(bridge.size() == 0U);
  BOOST_TEST((bridge.deadline() == Time::max() || bridge.deadline() > at(6s)));
}

BOOST_AUTO_TEST_CASE(a_refusal_silence_and_an_absent_agent_decline) {
  call();
  answer(said(), Act::refuse, "busy");
  BOOST_TEST(told<caf::Decline>().value().reason == "its agent's answer: refused, busy");
  call(2, 2s);
  bridge.on_time(at(8s));
  BOOST_TEST(count(Act::cfp) == 2U);
  bridge.on_time(at(9s));
  BOOST_TEST(told<caf::Decline>().value().reason == "its agent's answer: expired");
  call(3, 10s);
  bridge.lost(said(), at(11s));
  BOOST_TEST(told<caf::Decline>().value().round == 3U);
  call(4, 12s);
  acl::Message notice = acl::reply(said(), Act::failure);
  notice.sender = {.name = "ams@p2"};
  bridge.hear(notice, at(13s));
  BOOST_TEST(told<caf::Decline>().value().round == 4U);
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_proposal_that_is_no_bid_is_not_understood) {
  call();
  propose("about twenty");
  BOOST_TEST((said().performative == Act::not_understood));
  BOOST_TEST(told<caf::Decline>().has_value());
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_late_proposal_is_rejected) {
  call();
  const acl::Message cfp = said();
  bridge.on_time(at(7s));
  answer(cfp, Act::propose, "20", 8s);
  const acl::Message late = said();
  BOOST_TEST((late.performative == Act::reject_proposal));
  BOOST_TEST(late.in_reply_to == "z1");
  BOOST_TEST(!told<caf::Bid>().has_value());
}

BOOST_AUTO_TEST_CASE(a_second_proposal_and_one_of_a_stranger_change_nothing) {
  call();
  const acl::Message cfp = said();
  acl::Message forged = acl::reply(cfp, Act::propose);
  forged.sender = {.name = "eve@p2"};
  forged.content = std::string("1");
  bridge.hear(forged, at(1s));
  forged.conversation_id = "other";
  bridge.hear(forged, at(1s));
  BOOST_TEST(!told<caf::Bid>().has_value());
  answer(cfp, Act::propose, "20");
  answer(cfp, Act::propose, "30");
  BOOST_TEST(told<caf::Bid>().value().offerings.at(0).amount == 20);
  BOOST_TEST(count(Act::reject_proposal) == 0U);
}

BOOST_AUTO_TEST_CASE(a_rejection_and_a_later_call_reject_the_proposal) {
  call();
  propose("20");
  client(caf::Rejection{id, 1, "others have got it"});
  BOOST_TEST((said().performative == Act::reject_proposal));
  BOOST_TEST(acl::text_of(said()) == "others have got it");
  BOOST_TEST(bridge.size() == 0U);
  call(2);
  propose("20");
  call(3);
  BOOST_TEST(count(Act::reject_proposal) == 2U);
  BOOST_TEST((said().performative == Act::cfp));
  BOOST_TEST(bridge.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_participant_that_takes_its_proposal_back_declines) {
  call();
  propose("20");
  answer(said(), Act::failure, "ill", 2s);
  BOOST_TEST(told<caf::Decline>().value().round == 1U);
  award();
  BOOST_TEST(told<caf::Withdrawal>().value().holder == 0U);
}

BOOST_AUTO_TEST_CASE(an_award_of_another_bid_is_not_passed_on) {
  call();
  propose("20");
  client(caf::Award{id, 1, 1, 1, 10, 10}, 2s);
  BOOST_TEST(told<caf::Withdrawal>().has_value());
  lease();
  BOOST_TEST(count(Act::accept_proposal) == 0U);
}

BOOST_AUTO_TEST_CASE(a_failure_at_work_is_a_report_of_it) {
  begin();
  answer(said(), Act::failure, "rock", 3s);
  const auto report = told<caf::Report>().value();
  BOOST_TEST(!report.done);
  BOOST_TEST(report.text == "its agent's answer: failed, rock");
}

BOOST_AUTO_TEST_CASE(leases_are_renewed_while_the_participant_works) {
  begin();
  bridge.on_time(at(5s));
  BOOST_TEST(told<caf::Acceptance>().value().asked == at(5s).time_since_epoch().count());
}

BOOST_AUTO_TEST_CASE(a_termination_is_released_when_the_participant_has_answered_the_cancel) {
  begin();
  client(caf::Termination{id, 1, "changed my mind", 0}, 3s);
  const acl::Message cancel = said();
  BOOST_TEST((cancel.performative == Act::cancel));
  BOOST_TEST(!told<caf::Released>().has_value());
  answer(cancel, Act::inform, "", 4s);
  BOOST_TEST(told<caf::Released>().value().award == 1U);
  BOOST_TEST(bridge.size() == 0U);
  client(caf::Termination{id, 1, "again", 0}, 5s);
  BOOST_TEST(told<caf::Released>().has_value());
}

BOOST_AUTO_TEST_CASE(a_result_after_a_termination_is_a_release_and_no_report) {
  begin();
  const acl::Message accept = said();
  client(caf::Termination{id, 1, "changed my mind", 0}, 3s);
  answer(accept, Act::inform, "dug", 4s);
  BOOST_TEST(told<caf::Released>().has_value());
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_participant_that_does_not_answer_a_cancel_is_never_released) {
  begin();
  client(caf::Termination{id, 1, "changed my mind", 0}, 3s);
  bridge.on_time(at(13s));
  BOOST_TEST(!told<caf::Released>().has_value());
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_lost_lease_and_an_objection_cancel_the_work) {
  begin();
  bridge.on_time(at(11s));
  BOOST_TEST((said().performative == Act::cancel));
  BOOST_TEST(!told<caf::Report>().has_value());
  answer(said(), Act::inform, "", 12s);
  BOOST_TEST(!told<caf::Released>().has_value());

  Play other;
  other.begin();
  other.client(caf::Objection{id, 1, "acceptance", "another has it", true}, 3s);
  BOOST_TEST((other.said().performative == Act::cancel));
}

BOOST_AUTO_TEST_CASE(a_result_beyond_the_limit_of_a_report_is_a_failure) {
  begin();
  answer(said(), Act::inform, std::string((std::size_t{1} << 20) + 1, 'x'), 3s);
  BOOST_TEST(!told<caf::Report>().value().done);
}

BOOST_AUTO_TEST_CASE(calls_beyond_the_limit_and_contracts_of_its_own_are_declined) {
  auto few = parts();
  few.calls = 1;
  Play play(std::move(few));
  play.call();
  caf::Contract other;
  other.id = 9;
  play.client(other);
  BOOST_TEST(play.told<caf::Decline>().value().contract == 9U);
  other.id = 10;
  other.ancestry = {{"bridge", 1}};
  play.client(other);
  BOOST_TEST(play.told<caf::Decline>().value().contract == 10U);
  BOOST_TEST(play.count(Act::cfp) == 1U);
  caf::Contract items;
  items.id = 11;
  items.items = {"a", "b"};
  Play plain;
  plain.client(items);
  BOOST_TEST(plain.told<caf::Decline>().value().reason.find("sl_contents") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(messages_about_something_else_are_not_taken) {
  BOOST_TEST(!bridge.hear(Name("boss"), Content("hello"), at(0s)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::bidder_play
