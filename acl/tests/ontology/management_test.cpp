// The ontology of agent management: its frames, its reasons, and how a directory matches.
#include "coracle/acl/ontology/management.hpp"

#include "coracle/acl/ontology/management_error.hpp"
#include "support/exchanges.hpp"

#include "coracle/acl/sl/text.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::acl::management {

namespace {

using std::chrono::hours;

CalendarTime noon() { return std::chrono::sys_days(std::chrono::year(2026) / 11 / 29) + hours(12); }

ServiceDescription service(const char* type) {
  ServiceDescription made;
  made.type = type;
  return made;
}

DfAgentDescription zed() { return from_term<DfAgentDescription>(sl::term_from(test::registered)); }

template <class T>
T read(std::string_view text) {
  return from_term<T>(sl::term_from(text), UnknownSlots::refuse);
}

bool finds(std::string_view pattern) {
  return matches(read<DfAgentDescription>("(df-agent-description " + std::string(pattern) + ")"),
                 zed(), noon());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(management)

BOOST_AUTO_TEST_CASE(the_entries_of_jade_are_written_as_they_were_read) {
  BOOST_TEST(to_text(to_term(zed())) == test::registered);
  for (const std::string& each : {test::register_request, "(" + test::search_all + ")",
                                  "(" + test::search_by_type + ")", test::deregister}) {
    const auto action = sl::content_from(each).at(0);
    const sl::Term& act = action.as_compound("action")->arguments[1].value;
    const auto read = from_term<Action>(act, UnknownSlots::refuse);
    // JADE's order of the slots is ours, and not that of the first request.
    if (each != test::register_request) BOOST_TEST((to_term(read) == act));
    BOOST_TEST((from_term<Action>(to_term(read)) == read));
  }
  BOOST_TEST(to_text(to_term(Action(GetDescription()))) == "(get-description)");
}

BOOST_AUTO_TEST_CASE(the_fields_of_an_entry_are_those_of_the_frame) {
  const DfAgentDescription entry = zed();
  BOOST_TEST(entry.name->name == "zed@p2");
  BOOST_TEST(entry.services.at(0).name.value() == "s1");
  BOOST_TEST(entry.services[0].type.value() == "t1");
  BOOST_TEST((entry.services[0].properties.at(0) == Property{"p", sl::Term("v")}));
  BOOST_TEST((entry.ontologies == std::vector<std::string>{"o1", "o2"}));
  BOOST_TEST(to_text(entry.lease_time.value()) == "20991114T221320123Z");
}

BOOST_AUTO_TEST_CASE(the_answers_of_an_ams_are_read) {
  const auto answer = sl::content_from(test::ams_found);
  const auto* found = answer.at(0).as_compound("result");
  const auto agents = from_term<std::vector<AmsAgentDescription>>(found->arguments[1].value);
  BOOST_TEST(agents.at(0).state.value() == "active");
  BOOST_TEST((agents[0].name->user.at(0).second == "jade.domain.ams"));
  const auto content = sl::content_from(test::platform_described);
  const auto platforms = from_term<std::vector<ApDescription>>(
      content.at(0).as_compound("result")->arguments[1].value);
  BOOST_TEST(platforms.at(0).name == "\"p1\"");
  BOOST_TEST(platforms[0].services.at(0).addresses.at(0) == "http://127.0.0.1:27778/acc");
}

BOOST_AUTO_TEST_CASE(a_property_of_jade_with_several_values_is_read) {
  const auto found = read<Property>("(multi-value-property :name p :value (sequence 1 2))");
  BOOST_TEST((found == Property{"p", sl::sequence({1, 2})}));
}

BOOST_AUTO_TEST_CASE(each_reason_goes_with_its_performative) {
  for (const auto each : {unsupported_act, unexpected_act, unsupported_value, unrecognised_value}) {
    BOOST_TEST((performative_for(each) == Performative::not_understood));
  }
  for (const auto each : {unauthorised, unsupported_function, missing_argument, unexpected_argument,
                          unexpected_argument_count, missing_parameter, unexpected_parameter,
                          unrecognised_parameter_value}) {
    BOOST_TEST((performative_for(each) == Performative::refuse));
  }
  for (const auto each : {already_registered, not_registered, internal_error}) {
    BOOST_TEST((performative_for(each) == Performative::failure));
  }
  BOOST_TEST((performative_for("Unsupported-Value") == Performative::not_understood));
  BOOST_TEST((performative_for("anything") == Performative::failure));
}

BOOST_AUTO_TEST_CASE(a_reason_is_a_word_or_a_predicate) {
  const Reason missing = reason(missing_parameter, "service-description", "name");
  BOOST_TEST(to_text(to_term(missing)) == "(missing-parameter service-description name)");
  BOOST_TEST((from_term<Reason>(to_term(missing)) == missing));
  BOOST_TEST(to_text(to_term(reason(already_registered))) == "already-registered");
  BOOST_TEST((from_term<Reason>("already-registered") == reason(already_registered)));
  BOOST_TEST((read<Reason>("(f 7 (g x))") == Reason{"f", {"7", "(g x)"}}));
  Reason none;
  BOOST_TEST(from_term(sl::Term(7), none).has_value());
}

BOOST_AUTO_TEST_CASE(a_mismatch_gives_the_reason_of_the_refusal) {
  const auto reason_of = [](std::string_view text) {
    Search search;
    return to_text(
        to_term(reason_for(from_term(sl::term_from(text), search, UnknownSlots::refuse).value())));
  };
  BOOST_TEST(reason_of("(search (df-agent-description))") ==
             "(missing-parameter search constraints)");
  BOOST_TEST(reason_of("(search (df-agent-description :odd 1) (search-constraints))") ==
             "(unexpected-parameter df-agent-description odd)");
  BOOST_TEST(reason_of("(search (df-agent-description) (search-constraints) 3)") ==
             "unexpected-argument-count");
  BOOST_TEST(reason_of("(search (df-agent-description) (search-constraints :max-results x))") ==
             "(unrecognised-parameter-value max-results \"is not an integer\")");
  BOOST_TEST(reason_of("(find)") == "(unrecognised-value content)");
}

BOOST_AUTO_TEST_CASE(an_absent_field_of_the_template_matches_everything) {
  BOOST_TEST(finds(""));
  BOOST_TEST(finds(":services (set)"));
  BOOST_TEST(finds(":services (set (service-description))"));
  BOOST_TEST(matches(AmsAgentDescription(), AmsAgentDescription()));
}

BOOST_AUTO_TEST_CASE(a_field_of_the_template_has_to_be_in_the_entry_in_any_case_of_letters) {
  BOOST_TEST(finds(":name (agent-identifier :name ZED@P2)"));
  BOOST_TEST(!finds(":name (agent-identifier :name ann@p2)"));
  BOOST_TEST(
      finds(":name (agent-identifier :name zed@p2 :addresses (sequence "
            "HTTP://127.0.0.1:27779/acc))"));
  BOOST_TEST(!finds(":name (agent-identifier :name zed@p2 :addresses (sequence http://h/acc))"));
  BOOST_TEST(finds(":protocols (set FIPA-request)"));
  BOOST_TEST(finds(":ontologies (set o2 O1)"));
  BOOST_TEST(!finds(":ontologies (set o1 o2 o3)"));
  BOOST_TEST(!finds(":languages (set fipa-sl0)"));
  BOOST_TEST(finds(":services (set (service-description :name S1 :type T1 :ownership own))"));
  BOOST_TEST(!finds(":services (set (service-description :name s1 :type t2))"));
  BOOST_TEST(
      !finds(":services (set (service-description :type t1) (service-description :type x))"));
  BOOST_TEST(!finds(":services (set (service-description :languages (set any)))"));
  BOOST_TEST(!matches(service("t1"), ServiceDescription()));
}

BOOST_AUTO_TEST_CASE(a_property_matches_by_its_name_and_its_value_if_it_has_one) {
  const auto with = [](std::string_view properties) {
    return finds(":services (set (service-description :properties (set " + std::string(properties) +
                 ")))");
  };
  BOOST_TEST(with("(property :name p)"));
  BOOST_TEST(with("(property :name p :value V)"));
  BOOST_TEST(!with("(property :name p :value w)"));
  BOOST_TEST(!with("(property :name q)"));
  const auto fits = [](const sl::Term& wanted, const sl::Term& value) {
    ServiceDescription pattern;
    pattern.properties = {{"p", wanted}};
    ServiceDescription entry;
    entry.properties = {{"q", {}}, {"p", {}}, {"p", value}};
    return matches(pattern, entry);
  };
  BOOST_TEST(fits(5, 5));
  BOOST_TEST(!fits(5, 6));
  BOOST_TEST(fits("5", 5));
  BOOST_TEST(fits(sl::sequence({1}), sl::sequence({1})));
}

BOOST_AUTO_TEST_CASE(addresses_and_resolvers_match_in_their_order) {
  const AgentId entry{"a", {"x", "y", "z"}, {{"r", {"u"}, {}, {}}, {"s", {}, {}, {}}}, {}};
  BOOST_TEST(matches(AgentId{"a", {"x", "z"}, {}, {}}, entry));
  BOOST_TEST(!matches(AgentId{"a", {"z", "x"}, {}, {}}, entry));
  BOOST_TEST(!matches(AgentId{"a", {"x", "x"}, {}, {}}, entry));
  BOOST_TEST(matches(AgentId{"", {}, {{"S", {}, {}, {}}}, {}}, entry));
  BOOST_TEST(!matches(AgentId{"", {}, {{"r", {"v"}, {}, {}}}, {}}, entry));
}

BOOST_AUTO_TEST_CASE(an_entry_whose_lease_has_ended_matches_nothing) {
  DfAgentDescription entry = zed();
  entry.lease_time = date_time_of(noon());
  BOOST_TEST(!matches(DfAgentDescription(), entry, noon()));
  BOOST_TEST(matches(DfAgentDescription(), entry, noon() - std::chrono::milliseconds(1)));
  entry.lease_time.reset();
  BOOST_TEST(matches(DfAgentDescription(), entry, noon()));
  entry.lease_time = DateTime{};  // there is no month 0
  BOOST_TEST(!matches(DfAgentDescription(), entry, noon()));
}

BOOST_AUTO_TEST_CASE(an_ams_matches_name_ownership_and_state) {
  const AmsAgentDescription entry{AgentId{"a@p", {}, {}, {}}, "me", "active"};
  BOOST_TEST(matches({{}, {}, "ACTIVE"}, entry));
  BOOST_TEST(!matches({{}, {}, "suspended"}, entry));
  BOOST_TEST(!matches({AgentId{"b@p", {}, {}, {}}, {}, {}}, entry));
  BOOST_TEST(!matches({{}, "you", {}}, entry));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl::management
