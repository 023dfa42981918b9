// The faults that a recount of a record finds.
#include "coracle/caf/voting/election.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::caf {

namespace {

Record made(Secrecy secrecy = Secrecy::open) {
  auto charter = std::make_shared<Charter>();
  charter->secrecy = secrecy;
  charter->ties = Ties({random()});
  Progress beginning;
  beginning.record.id = 1;
  beginning.record.council = "council";
  beginning.call_peers = false;
  const std::vector<Member> members = {{"ann", 1, {}}, {"bob", 2, {}}, {"cy", 3, {}}};
  Election election(charter, std::make_shared<const Electorate>(members), beginning,
                    {"a", "b", "c"}, Time());
  for (std::uint32_t member = 0; member < 3; ++member) {
    election.vote(member, {1, 1, choose(member == 1 ? 0 : member), member * 7, 0}, Time());
  }
  return election.record();
}

bool supported(const Record& record) { return caf::recount(record).faults.empty(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(recounting)

BOOST_AUTO_TEST_CASE(a_record_supports_its_decision_also_after_a_journey) {
  for (const Secrecy secrecy : {Secrecy::open, Secrecy::tally_only}) {
    const Record record = made(secrecy);
    BOOST_TEST(supported(record));
    const Content arrived = Content::of(Record(record)).encoded();
    BOOST_TEST(supported(arrived.as<Record>()));
    BOOST_TEST(digest_of(arrived.as<Record>()) == digest_of(record));
  }
}

BOOST_AUTO_TEST_CASE(a_secret_record_names_nobody) {
  const Record record = made(Secrecy::tally_only);
  for (const CastBallot& each : record.polls[0].ballots) {
    BOOST_TEST(each.member == anonymous);
  }
}

BOOST_AUTO_TEST_CASE(every_change_of_what_matters_is_noticed) {
  using Change = void (*)(Record&);
  const Change changes[] = {[](Record& r) { r.decision.winner = "b"; },
                            [](Record& r) { r.decision.decided = false; },
                            [](Record& r) { r.decision.co_winners.pop_back(); },
                            [](Record& r) { r.polls[0].ballots[2].ballot = choose(1); },
                            [](Record& r) { r.polls[0].ballots.pop_back(); },
                            [](Record& r) { r.polls[0].ballots[1].member = 0; },
                            [](Record& r) { r.polls[0].ballots[1].member = 77; },
                            [](Record& r) { r.polls[0].ballots[1].ballot = choose(9); },
                            [](Record& r) { r.polls[0].agenda[0] = 9; },
                            [](Record& r) { r.polls[0].agenda.clear(); },
                            [](Record& r) { r.polls.push_back(r.polls[0]); },
                            [](Record& r) { r.polls.clear(); },
                            [](Record& r) { r.terms.voting = Quorum::heads(4); },
                            [](Record& r) { r.terms.rule = "majority"; },
                            [](Record& r) { r.terms.ties = "none"; },
                            [](Record& r) { r.polls[0].present = 2; }};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    Record record = made();
    const std::string before = digest_of(record);
    changes[i](record);
    BOOST_TEST(!supported(record), "change " << i);
    BOOST_TEST(digest_of(record) != before, "change " << i);
  }
}

BOOST_AUTO_TEST_CASE(a_rule_of_ones_own_is_given) {
  Record record = made();
  record.terms.rule = "mine";
  BOOST_CHECK_THROW(caf::recount(record), Error);
  BOOST_TEST(caf::recount(record, plurality(), Ties({random()})).faults.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
