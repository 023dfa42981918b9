#include "decisions/decisions.hpp"
#include "support/samples.hpp"

#include "coracle/caf/contracts/contract.hpp"
#include "coracle/caf/voting/decision.hpp"
#include "coracle/dispel/detail/batch.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace coracle::view {

using test::typed;

BOOST_AUTO_TEST_SUITE(decisions)

BOOST_AUTO_TEST_CASE(a_council_shows_its_ballots_its_tally_and_its_decision) {
  Decisions decisions;
  caf::Agenda agenda;
  agenda.id = 4, agenda.round = 1;
  agenda.alternatives = {"pizza", "soup"};
  caf::Vote vote;
  vote.id = 4, vote.round = 1;
  vote.ballot = caf::choose(1);
  caf::Decision decision;
  decision.id = 4, decision.decided = true;
  decision.winner = "soup";
  decisions.see(typed("council", "ann", agenda));
  decisions.see(typed("ann", "council", vote));
  decisions.see(typed("council", "bob", decision));
  BOOST_TEST(decisions.records().size() == 3U);
  const DecisionRecord& voted = decisions.records()[1];
  BOOST_TEST(voted.id == "council#4");
  BOOST_TEST(voted.what == "vote");
  BOOST_TEST(boost::json::serialize(voted.more.at("ballot")) == R"(["soup"])");
  BOOST_TEST(boost::json::serialize(voted.more.at("tally")) == R"([["pizza",0],["soup",1]])");
  BOOST_TEST(boost::json::serialize(decisions.records()[2].more.at("winner")) == R"("soup")");
}

BOOST_AUTO_TEST_CASE(a_contract_net_belongs_to_its_client) {
  Decisions decisions;
  caf::Contract contract;
  contract.id = 9;
  caf::Bid bid;
  bid.contract = 9, bid.round = 1;
  bid.offerings = {{1, 70}};
  caf::Award award;
  award.contract = 9, award.amount = 70, award.price = 80;
  decisions.see(typed("client", "bidder", contract));
  decisions.see(typed("bidder", "client", bid));
  decisions.see(typed("client", "bidder", award));
  BOOST_TEST(decisions.records().size() == 3U);
  for (const DecisionRecord& each : decisions.records()) {
    BOOST_TEST(each.kind == "contract");
    BOOST_TEST(each.id == "client#9");
    BOOST_TEST(boost::json::serialize(each.more.at("bidder")) == R"("bidder")");
  }
  BOOST_TEST(boost::json::serialize(decisions.records()[1].more.at("amount")) == "70");
}

BOOST_AUTO_TEST_CASE(a_pipeline_shows_its_fill_whatever_type_its_items_have) {
  Decisions decisions;
  dispel::detail::Batch<std::string> batch;
  batch.head.runs = {{0, 2, 0, 3, 1}};
  batch.items = {"a", "b", "c", "d", "e", "f"};
  decisions.see(typed("source", "sink", batch));
  BOOST_TEST(decisions.records().size() == 1U);
  BOOST_TEST(boost::json::serialize(decisions.records()[0].more.at("items")) == "6");
  BOOST_TEST(boost::json::serialize(decisions.records()[0].more.at("fill")) == "3");
}

BOOST_AUTO_TEST_CASE(a_signal_on_a_wire_has_the_effect_that_its_agents_have_described) {
  constexpr Conversation wire = std::uint64_t{0xb400'5ab5} << 32 | 3 << 16 | 1;
  Decisions decisions;
  decisions.connect(Name("avoid"), Name("wander"), "suppresses");
  decisions.see(test::said("avoid", "wander", "left", wire));
  decisions.see(test::said("sonar", "avoid", "near", wire));
  decisions.see(test::said("ann", "bob", "no signal", 7));
  BOOST_TEST(decisions.records().size() == 2U);
  BOOST_TEST(decisions.records()[0].what == "suppresses");
  BOOST_TEST(boost::json::serialize(decisions.records()[0].more.at("port")) == "3");
  BOOST_TEST(decisions.records()[1].what == "signals");
}

BOOST_AUTO_TEST_CASE(a_content_of_a_stranger_that_is_no_such_thing_is_left_out) {
  Decisions decisions;
  for (const char* type : {"coracle/caf/vote/v1", "coracle/caf/agenda/v1", "coracle/caf/bid/v1",
                           "coracle/caf/clearing/v2", "coracle/caf/plan-draft/v1",
                           "coracle/dispel/stage/batch/v1", "coracle/dispel/stage/ack/v1"}) {
    for (const std::string& bytes : {std::string(), std::string("\x9f\x9f\x9f"),
                                     std::string("\x82\xff"), std::string(200, '\x81')}) {
      Seen seen = test::said("eve", "bob", bytes);
      seen.type = type;
      decisions.see(seen);
    }
  }
  BOOST_TEST(decisions.records().empty());
}

BOOST_AUTO_TEST_CASE(records_are_limited) {
  Decisions decisions(5, 2);
  caf::Contract contract;
  for (contract.id = 0; contract.id < 20; ++contract.id)
    decisions.see(typed("client", "bidder", contract));
  BOOST_TEST(decisions.records().size() == 5U);
  BOOST_TEST(decisions.first() == 15U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
