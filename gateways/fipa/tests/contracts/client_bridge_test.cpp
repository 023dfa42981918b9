// A client of our bidders that acts for initiators of FIPA.
#include "coracle/fipa/contracts/client_bridge.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::fipa::client_play {

namespace {

using namespace std::chrono_literals;
using Act = acl::Performative;

constexpr caf::ContractId id = 7;  // of the first contract

Time at(Duration since) { return Time(1h + since); }

ClientBridge::Parts parts() {
  ClientBridge::Parts parts;
  parts.self = {.name = "bridge"};
  parts.name = Name("bridge");
  parts.contents = text_contents();
  parts.procedure.rule = caf::Best::lowest;
  parts.ids = [last = 0]() mutable { return "r" + std::to_string(++last); };
  parts.first = id;
  return parts;
}

// The initiator zed, the bridge, and the bidders ann and bob.
struct Play {
  explicit Play(ClientBridge::Parts chosen = parts()) : bridge(std::move(chosen)) {}

  void collect() {
    for (BridgeMessage& each : bridge.take_outgoing()) sent.push_back(std::move(each));
  }
  // The messages of that kind to a bidder.
  template <class Said>
  std::vector<Said> told(const char* who) {
    collect();
    std::vector<Said> found;
    for (const BridgeMessage& each : sent) {
      const auto* own = std::get_if<CafMessage>(&each);
      if (own == nullptr || own->to.view() != who) continue;
      if (const Said* said = own->content.try_as<Said>()) found.push_back(*said);
    }
    return found;
  }
  // The last message to the initiator.
  acl::Message said() {
    collect();
    for (auto each = sent.rbegin(); each != sent.rend(); ++each) {
      if (const auto* message = std::get_if<acl::Message>(&*each)) return *message;
    }
    return {};
  }
  bool has_said(Act act) { return said().performative == act; }

  void call(Duration when = 0s, std::optional<Duration> within = 8s,
            const std::string& conversation = "c1", const char* protocol = "fipa-contract-net") {
    acl::Message cfp;
    cfp.performative = Act::cfp;
    cfp.sender = {.name = "zed@p2"};
    cfp.receivers = {{.name = "bridge"}};
    cfp.protocol = protocol;
    cfp.conversation_id = conversation;
    cfp.reply_with = "z0";
    cfp.content = std::string("dig");
    if (within) cfp.reply_by = acl::date_from_now(*within);
    bridge.hear(cfp, {Name("ann"), Name("bob")}, at(when));
  }
  void answer(Act act, Duration when = 2s) {
    acl::Message message = acl::reply(said(), act);
    message.sender = {.name = "zed@p2"};
    message.reply_with = "z" + std::to_string(++answers);
    bridge.hear(message, {Name("ann"), Name("bob")}, at(when));
  }
  template <class Said>
  void bidder(const char* who, Said message, Duration when = 1s) {
    bridge.hear(Name(who), Content::of(std::move(message)), at(when));
  }
  void bid(const char* who, caf::Amount amount, Duration when = 1s) {
    bidder(who, caf::Bid{id, 1, {{1, amount}}, {}}, when);
  }
  void accept(const char* who, Duration when = 2s) {
    bidder(who, caf::Acceptance{id, 1, 42, 8, {}}, when);
  }
  void report(const char* who, bool done, Duration when = 3s) {
    bidder(who, caf::Report{id, 1, true, done, "so", 8}, when);
  }
  // Ann bids 5 and bob 9; the initiator has accepted, and ann works.
  void begin() {
    call();
    bid("ann", 5);
    bid("bob", 9);
    answer(Act::accept_proposal);
    accept("ann");
  }

  ClientBridge bridge;
  std::vector<BridgeMessage> sent;
  int answers = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(client_bridge, Play)

BOOST_AUTO_TEST_CASE(the_lowest_bid_is_proposed_and_awarded_when_it_is_accepted) {
  call();
  const auto contract = told<caf::Contract>("ann").at(0);
  BOOST_TEST(contract.subject == "dig");
  BOOST_TEST(contract.id == id);
  BOOST_TEST((contract.bid_within == 5s));
  bid("ann", 9);
  BOOST_TEST(!has_said(Act::propose));
  bid("bob", 5);
  BOOST_TEST(has_said(Act::propose));
  BOOST_TEST(acl::text_of(said()) == "5");
  BOOST_TEST(told<caf::Award>("bob").empty());
  answer(Act::accept_proposal);
  BOOST_TEST(told<caf::Award>("bob").at(0).price == 5);
  BOOST_TEST(told<caf::Award>("ann").empty());
  accept("bob");
  BOOST_TEST(told<caf::Lease>("bob").size() == 1U);
  BOOST_TEST(told<caf::Rejection>("ann").size() == 1U);
  report("bob", true);
  BOOST_TEST(has_said(Act::inform));
  BOOST_TEST(acl::text_of(said()) == "so");
  BOOST_TEST(told<caf::Settled>("bob").at(0).price == 5);
  BOOST_TEST(bridge.size() == 0U);
  BOOST_TEST((bridge.deadline() == Time::max()));
}

BOOST_AUTO_TEST_CASE(bids_are_taken_for_a_part_of_the_initiators_time) {
  call(0s, 4s);
  BOOST_TEST((told<caf::Contract>("ann").at(0).bid_within == 3s));
  bid("ann", 5);
  bridge.on_time(at(3s));
  BOOST_TEST(has_said(Act::propose));
  Play patient;
  patient.call(0s, std::nullopt);
  BOOST_TEST((patient.told<caf::Contract>("ann").at(0).bid_within == 5s));
}

BOOST_AUTO_TEST_CASE(without_bids_it_refuses) {
  call();
  for (const char* const who : {"ann", "bob"}) bidder(who, caf::Decline{id, 1, "busy"});
  BOOST_TEST(has_said(Act::refuse));
  BOOST_TEST(acl::text_of(said()) == "nobody bids for it");
  bridge.hear(acl::Message{.performative = Act::cfp,
                           .sender = {.name = "zed@p2"},
                           .content = std::string("dig"),
                           .conversation_id = "c2",
                           .reply_with = "z0"},
              {}, at(2s));
  BOOST_TEST(has_said(Act::refuse));
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_late_bid_is_refused_with_the_reason) {
  call();
  bridge.on_time(at(5s));
  bid("ann", 5, 6s);
  BOOST_TEST(told<caf::Objection>("ann").size() == 1U);
  BOOST_TEST(has_said(Act::refuse));
}

BOOST_AUTO_TEST_CASE(a_rejection_rejects_all_bids) {
  call();
  bid("ann", 5);
  bid("bob", 9);
  answer(Act::reject_proposal);
  for (const char* const who : {"ann", "bob"}) {
    BOOST_TEST(told<caf::Rejection>(who).size() == 1U);
    BOOST_TEST(told<caf::Award>(who).empty());
  }
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(an_initiator_that_does_not_decide_loses_the_proposal) {
  call();
  bid("ann", 5);
  bid("bob", 9);
  BOOST_TEST((said().reply_by == acl::date_from_now(30s)));
  bridge.on_time(at(31s));
  BOOST_TEST(told<caf::Rejection>("ann").size() == 1U);
  BOOST_TEST(bridge.size() == 0U);
  answer(Act::accept_proposal, 32s);
  BOOST_TEST(has_said(Act::failure));
  BOOST_TEST(told<caf::Award>("ann").empty());
}

BOOST_AUTO_TEST_CASE(a_second_acceptance_changes_nothing) {
  call();
  bid("ann", 5);
  bid("bob", 9);
  const acl::Message proposal = said();
  answer(Act::accept_proposal);
  for (int i = 0; i < 2; ++i) {
    acl::Message again = acl::reply(proposal, Act::accept_proposal);
    again.sender = {.name = "zed@p2"};
    bridge.hear(again, {}, at(2s));
  }
  BOOST_TEST(told<caf::Award>("ann").size() == 1U);
  BOOST_TEST(told<caf::Award>("bob").empty());
  BOOST_TEST(has_said(Act::propose));
}

BOOST_AUTO_TEST_CASE(a_bid_that_is_taken_back_fails_and_nobody_else_works_for_another_price) {
  call();
  bid("ann", 5);
  bid("bob", 9);
  bidder("ann", caf::Decline{id, 1, "ill"}, 2s);
  BOOST_TEST(has_said(Act::failure));
  BOOST_TEST(acl::text_of(said()) == "a bid was taken back");
  BOOST_TEST(told<caf::Rejection>("bob").size() == 1U);

  Play late;
  late.call();
  late.bid("ann", 5);
  late.bid("bob", 9);
  late.answer(Act::accept_proposal);
  late.bidder("ann", caf::Withdrawal{id, 1, "no room", 0}, 2s);
  BOOST_TEST(late.has_said(Act::failure));
  BOOST_TEST(acl::text_of(late.said()) == "no room");
  BOOST_TEST(late.told<caf::Award>("bob").empty());
}

BOOST_AUTO_TEST_CASE(another_bid_of_the_same_price_replaces_one_that_is_withdrawn) {
  call();
  bid("ann", 5);
  bid("bob", 5);
  answer(Act::accept_proposal);
  bidder("ann", caf::Withdrawal{id, 1, "no room", 0}, 2s);
  BOOST_TEST(told<caf::Award>("bob").at(0).price == 5);
}

BOOST_AUTO_TEST_CASE(a_failure_and_a_lost_bidder_are_failures) {
  begin();
  report("ann", false);
  BOOST_TEST(has_said(Act::failure));
  BOOST_TEST(acl::text_of(said()) == "so");

  Play dead;
  dead.begin();
  dead.bridge.ended(Ending(Name("ann"), {}, EndReason::crashed, "oops"), at(3s));
  BOOST_TEST(dead.has_said(Act::failure));

  Play absent;
  absent.call();
  absent.bridge.unreachable(Name("ann"), "nobody holds its name", at(1s));
  absent.bid("bob", 9);
  BOOST_TEST(acl::text_of(absent.said()) == "9");

  Play silent;
  silent.begin();
  silent.bridge.on_time(at(14s));
  BOOST_TEST(silent.has_said(Act::failure));
}

BOOST_AUTO_TEST_CASE(a_cancel_terminates_the_work_and_is_answered) {
  begin();
  acl::Message cancel = acl::reply(said(), Act::cancel);
  cancel.sender = {.name = "zed@p2"};
  cancel.reply_with = "z9";
  bridge.hear(cancel, {}, at(3s));
  BOOST_TEST(told<caf::Termination>("ann").size() == 1U);
  BOOST_TEST(has_said(Act::inform));
  BOOST_TEST(said().in_reply_to == "z9");
  BOOST_TEST(bridge.size() == 0U);
  report("ann", true, 4s);
  BOOST_TEST(told<caf::Objection>("ann").at(0).is_lost);
  BOOST_TEST(said().in_reply_to == "z9");
}

BOOST_AUTO_TEST_CASE(an_initiator_that_cannot_be_reached_wants_nothing_any_more) {
  call();
  bid("ann", 5);
  bid("bob", 9);
  bridge.lost(said(), at(2s));
  BOOST_TEST(told<caf::Rejection>("ann").size() == 1U);
  BOOST_TEST(bridge.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_further_call_of_an_iterated_contract_net_is_another_contract) {
  call(0s, 8s, "c1", "fipa-iterated-contract-net");
  bid("ann", 5);
  bid("bob", 9);
  answer(Act::cfp);
  BOOST_TEST(told<caf::Rejection>("ann").size() == 1U);
  BOOST_TEST(told<caf::Contract>("ann").at(1).id == id + 1);
  bidder("ann", caf::Bid{id + 1, 1, {{1, 4}}, {}}, 3s);
  bidder("bob", caf::Decline{id + 1, 1, "too cheap"}, 3s);
  BOOST_TEST(acl::text_of(said()) == "4");
  answer(Act::accept_proposal, 4s);
  BOOST_TEST(told<caf::Award>("ann").at(0).contract == id + 1);
}

BOOST_AUTO_TEST_CASE(items_go_to_the_bids_that_are_best_together) {
  auto with_items = parts();
  with_items.contents = sl_contents();
  Play play(std::move(with_items));
  acl::Message cfp;
  cfp.performative = Act::cfp;
  cfp.sender = {.name = "zed@p2"};
  cfp.conversation_id = "c1";
  cfp.reply_with = "z0";
  cfp.content = std::string("((contract :subject dig :items (sequence left right)))");
  play.bridge.hear(cfp, {Name("ann"), Name("bob")}, at(0s));
  play.bidder("ann", caf::Bid{id, 1, {{1, 3}, {3, 9}}, {}});
  play.bidder("bob", caf::Bid{id, 1, {{2, 4}}, {}});
  BOOST_TEST(acl::text_of(play.said()) ==
             "((bid :offerings (sequence (offering :items (sequence left right) :amount 7))))");
  play.answer(Act::accept_proposal);
  play.bidder("ann", caf::Acceptance{id, 1, 42, 8, {}}, 2s);
  play.bidder("bob", caf::Acceptance{id, 2, 42, 9, {}}, 2s);
  play.bidder("bob", caf::Report{id, 2, true, true, "so", 9}, 3s);
  play.bidder("ann", caf::Report{id, 1, true, true, "done", 8}, 3s);
  BOOST_TEST(play.has_said(Act::inform));
  BOOST_TEST(acl::text_of(play.said()) == "((outcome :text \"ann: done\nbob: so\n\"))");
}

BOOST_AUTO_TEST_CASE(what_is_no_call_is_refused) {
  auto few = parts();
  few.limits.each = 1;
  Play play(std::move(few));
  play.call();
  play.call(0s, 8s, "c2");
  BOOST_TEST(play.has_said(Act::refuse));
  BOOST_TEST(play.bridge.size() == 1U);

  auto strict = parts();
  strict.contents = sl_contents();
  Play other(std::move(strict));
  other.call();
  BOOST_TEST(other.has_said(Act::not_understood));
  other.call(0s, 8s, "c2", "fipa-request");
  BOOST_TEST(other.bridge.size() == 0U);
  acl::Message request;
  request.performative = Act::request;
  request.sender = {.name = "zed@p2"};
  request.conversation_id = "c3";
  other.bridge.hear(request, {}, at(1s));
  BOOST_TEST(other.has_said(Act::not_understood));
  BOOST_TEST(other.said().conversation_id == "c3");
}

BOOST_AUTO_TEST_CASE(bidders_that_were_not_invited_and_old_contracts_are_objected_to) {
  call();
  bid("eve", 1);
  BOOST_TEST(told<caf::Objection>("eve").size() == 1U);
  bidder("ann", caf::Acceptance{99, 1, 42, 8, {}});
  BOOST_TEST(told<caf::Objection>("ann").at(0).is_lost);
  bidder("bob", caf::Released{99, 1, 8});
  BOOST_TEST(told<caf::Objection>("bob").empty());
  BOOST_TEST(!bridge.hear(Name("ann"), Content("hello"), at(1s)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::client_play
