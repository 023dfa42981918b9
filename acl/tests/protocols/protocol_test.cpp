// The tables of the interaction protocols.
#include "coracle/acl/protocols/protocol.hpp"

#include "support/conversing.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace coracle::acl {

BOOST_AUTO_TEST_SUITE(protocol)

BOOST_AUTO_TEST_CASE(there_are_eleven_protocols_with_the_names_of_fipa) {
  std::set<std::string> names;
  for (const Protocol* each : all_protocols()) names.emplace(each->name);
  const std::set<std::string> expected = {"fipa-request",
                                          "fipa-query",
                                          "fipa-request-when",
                                          "fipa-propose",
                                          "fipa-subscribe",
                                          "fipa-contract-net",
                                          "fipa-iterated-contract-net",
                                          "fipa-auction-english",
                                          "fipa-auction-dutch",
                                          "fipa-brokering",
                                          "fipa-recruiting"};
  BOOST_TEST((names == expected));
  for (const Protocol* each : all_protocols()) {
    BOOST_TEST(protocol_named(each->name) == each);
    BOOST_TEST(!each->openings.empty());
  }
  BOOST_TEST(protocol_named("FIPA-Request") == &request_protocol);
  BOOST_TEST(protocol_named("iterated-fipa-request") == nullptr);
}

BOOST_AUTO_TEST_CASE(no_table_has_two_moves_for_one_message_or_a_state_that_is_never_reached) {
  for (const Protocol* each : all_protocols()) {
    std::set<std::tuple<State, Side, Performative>> seen;
    std::set<State> reached = {each->first, each->when_silent};
    for (const Move& move : each->moves) {
      BOOST_TEST(seen.emplace(move.from, move.by, move.act).second);
      BOOST_TEST((move.from != State::over));
      reached.insert(move.to);
    }
    for (const Move& move : each->moves) BOOST_TEST(reached.count(move.from) == 1U);
    BOOST_TEST(reached.count(State::over) == 1U);
  }
}

BOOST_AUTO_TEST_CASE(not_understood_and_the_participants_failure_end_every_pair) {
  for (const Protocol* each : all_protocols()) {
    for (const Move& move : each->moves) {
      for (const Side side : {Side::initiator, Side::participant}) {
        const Move* found = each->find(move.from, side, Performative::not_understood);
        BOOST_TEST_REQUIRE(found != nullptr);
        BOOST_TEST(found->to == State::over);
      }
      BOOST_TEST(each->find(move.from, Side::participant, Performative::failure) != nullptr);
      BOOST_TEST(each->find(move.from, Side::initiator, Performative::failure) == nullptr);
    }
    BOOST_TEST(each->find(State::over, Side::participant, Performative::failure) == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(a_message_without_a_protocol_belongs_to_that_of_its_performative) {
  const auto found = [](Performative act, std::string name = "") {
    Message message = test::message(act, "a", {"b"});
    message.protocol = std::move(name);
    return protocol_of(message);
  };
  BOOST_TEST(found(Performative::request) == &request_protocol);
  BOOST_TEST(found(Performative::query_ref) == &query_protocol);
  BOOST_TEST(found(Performative::cfp) == &contract_net_protocol);
  BOOST_TEST(found(Performative::proxy) == &brokering_protocol);
  BOOST_TEST(found(Performative::inform) == nullptr);
  BOOST_TEST(found(Performative::agree) == nullptr);
  BOOST_TEST(found(Performative::inform, "fipa-auction-dutch") == &dutch_auction_protocol);
  BOOST_TEST(found(Performative::request, "of-my-own") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
