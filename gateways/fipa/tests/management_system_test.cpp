// An agent management system: its searches, its description of the platform, and its refusals.
#include "coracle/fipa/management_system.hpp"

#include "coracle/acl/ontology/frame.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::fipa {

namespace {

namespace fm = acl::management;
using acl::Performative;

const acl::AgentId ams_id{.name = "ams@ours", .addresses = {"http://127.0.0.1:1/acc"}};
const acl::AgentId guest{.name = "guest@p2"};
const acl::CalendarTime noon = acl::CalendarTime(std::chrono::milliseconds(1'700'000'000'000));

struct Office {
  ManagementSystem ams{ams_id, {.entries = 4, .entries_per_platform = 1}};

  template <class Act>
  acl::Message ask(const Act& act, const acl::AgentId& from = guest) {
    acl::Message asked;
    asked.performative = Performative::request;
    asked.sender = from;
    asked.content = acl::request_content(ams_id, acl::to_term(act));
    asked.language = "FIPA-SL0";
    asked.ontology = "fipa-agent-management";
    const auto said = ams.on_message(asked, noon);
    BOOST_TEST_REQUIRE(said.size() == 1U);
    return said[0];
  }
  std::string reason(const acl::Message& said) {
    return acl::read_reason(acl::text_of(said)).predicate;
  }
  std::vector<std::string> names(const fm::Search& search) {
    std::vector<std::string> all;
    const auto result = acl::read_result(acl::text_of(ask(search)));
    BOOST_TEST_REQUIRE(result.has_value());
    for (const auto& each : *acl::sl::elements_of(*result))
      all.push_back(acl::from_term<fm::AmsAgentDescription>(each.value).name->name);
    return all;
  }
};

fm::AmsAgentDescription entry_of(const acl::AgentId& who) {
  fm::AmsAgentDescription entry;
  entry.name = who;
  entry.state = "active";
  return entry;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(management_system, Office)

BOOST_AUTO_TEST_CASE(a_search_finds_the_agents_of_the_society) {
  ams.put_own({.name = "lab/ann@ours"});
  const fm::Search all{fm::AmsAgentDescription(), {}};
  BOOST_TEST((names(all) == std::vector<std::string>{"ams@ours", "lab/ann@ours"}));
  const fm::Search one{entry_of({.name = "LAB/ann@ours"}), {}};
  BOOST_TEST((names(one) == std::vector<std::string>{"lab/ann@ours"}));
  ams.remove_own("lab/ann@ours");
  BOOST_TEST(names(one).empty());
}

BOOST_AUTO_TEST_CASE(the_platform_is_described) {
  ams.describe({"ours", {{"fipa.mts.mtp.http.std", "fipa.mts.mtp.http.std", ams_id.addresses}}});
  const auto result = acl::read_result(acl::text_of(ask(fm::GetDescription())));
  const auto platform =
      acl::from_term<fm::ApDescription>((*acl::sl::elements_of(*result))[0].value);
  BOOST_TEST(platform.name == "ours");
  BOOST_TEST((platform.services.at(0).addresses == ams_id.addresses));
}

BOOST_AUTO_TEST_CASE(a_guest_enters_itself_and_nobody_else) {
  BOOST_TEST((ask(fm::Register{entry_of(guest)}).performative == Performative::inform));
  BOOST_TEST(reason(ask(fm::Register{entry_of(guest)})) == "already-registered");
  BOOST_TEST(reason(ask(fm::Register{entry_of({.name = "x@p2"})})) == "unauthorised");
  BOOST_TEST(reason(ask(fm::Deregister{entry_of(ams_id)}, ams_id)) == "unauthorised");
  BOOST_TEST(reason(ask(fm::Register{entry_of({.name = "x@p2"})}, {.name = "x@p2"})) ==
             "internal-error");  // one for each platform
  BOOST_TEST((ask(fm::Deregister{entry_of(guest)}).performative == Performative::inform));
  BOOST_TEST(reason(ask(fm::Modify{entry_of(guest)})) == "not-registered");
}

BOOST_AUTO_TEST_CASE(other_messages_are_not_understood_and_answers_get_none) {
  acl::Message other;
  other.sender = guest;
  for (const Performative each : {Performative::inform, Performative::failure,
                                  Performative::not_understood, Performative::agree}) {
    other.performative = each;
    BOOST_TEST(ams.on_message(other, noon).empty());
  }
  other.performative = Performative::cfp;
  BOOST_TEST(reason(ams.on_message(other, noon).at(0)) == "unsupported-act");
  other.performative = Performative::request;
  other.content = "((((";
  const auto said = ams.on_message(other, noon);
  BOOST_TEST((said.at(0).performative == Performative::not_understood));
  BOOST_TEST(reason(said.at(0)) == "unrecognised-value");
  BOOST_TEST(reason(ask(fm::Search{fm::DfAgentDescription(), {}})) ==
             "unrecognised-parameter-value");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
