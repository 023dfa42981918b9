#include "server/cards.hpp"

#include "coracle/a2a/model_json.hpp"
#include "server/roster.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

const CardFrame frame{"http://h:1", {}, true, true, true};

BOOST_AUTO_TEST_SUITE(cards)

BOOST_AUTO_TEST_CASE(an_agent_that_says_nothing_has_a_card_all_the_same) {
  const AgentCard card = card_of("lab/ann", {}, frame);
  BOOST_TEST(card.name == "lab/ann");
  BOOST_TEST(!card.description.empty());
  BOOST_TEST(!card.version.empty());
  BOOST_TEST(card.skills.size() == 1);
  BOOST_TEST(!card.default_input_modes.empty());
  BOOST_TEST(card.supported_interfaces[0].url == "http://h:1/a2a/lab/ann");
  BOOST_TEST(card.supported_interfaces[2].tenant == "lab/ann");
  BOOST_TEST(card.security_requirements.size() == 2);
  BOOST_TEST(card.capabilities.push_notifications.value());
  BOOST_TEST(card.capabilities.extensions.at(0).uri == resume_extension);
  BOOST_TEST(web::to_text(card.capabilities.extensions.at(0).params) ==
             R"({"events":10000,"seconds":600,"bytes":4194304})");
}

BOOST_AUTO_TEST_CASE(a_card_has_both_bindings_with_their_places) {
  const AgentCard card = card_of("lab/ann", {}, frame);
  std::string all;
  for (const AgentInterface& each : card.supported_interfaces)
    all += each.protocol_binding + " " + each.protocol_version + " " + each.url + " " +
           each.tenant + "|";
  BOOST_TEST(all ==
             "JSONRPC 1.0 http://h:1/a2a/lab/ann |HTTP+JSON 1.0 http://h:1/a2a/lab/ann |"
             "JSONRPC 1.0 http://h:1/a2a lab/ann|HTTP+JSON 1.0 http://h:1/a2a lab/ann|");
}

BOOST_AUTO_TEST_CASE(properties_are_in_the_card) {
  const AgentCard card = card_of(
      "ann",
      Properties().set("description", "translates").set("service", "french").set("version", "3"),
      frame);
  BOOST_TEST(card.description == "translates");
  BOOST_TEST(card.skills[0].id == "french");
  BOOST_TEST(card.version == "3");
}

BOOST_AUTO_TEST_CASE(a_card_of_the_agents_own_is_used_but_for_what_the_gateway_knows) {
  AgentCard own;
  own.name = "Ann";
  own.description = "mine";
  own.supported_interfaces = {{"http://evil", "JSONRPC"}};
  own.security_schemes = {{"x", Json(Json::Object())}};
  const std::string text = web::to_text(to_json(own));
  const AgentCard card = card_of("ann", Properties().set(card_property, text), frame);
  BOOST_TEST(card.name == "Ann");
  BOOST_TEST(card.supported_interfaces[0].url == "http://h:1/a2a/ann");
  BOOST_TEST(card.security_schemes.size() == 2);
  BOOST_TEST(card_of("ann", Properties().set(card_property, "{"), frame).name == "ann");
}

BOOST_AUTO_TEST_CASE(an_address_has_the_name_encoded) {
  BOOST_TEST(address_of("lab/a b", "http://h") == "http://h/a2a/lab/a%20b");
}

BOOST_AUTO_TEST_CASE(a_roster_shows_only_what_is_exposed_page_by_page) {
  Roster roster(web::Exposure({"lab/**"}, "a2a"), 4);
  for (const char* name : {"lab/c", "lab/a", "desk", "lab/b", "a2a"}) roster.enter(name, {});
  BOOST_TEST(roster.size() == 3);
  BOOST_TEST(roster.find("desk") == nullptr);
  const Roster::Page first = roster.page("", 2);
  BOOST_TEST(first.names.size() == 2);
  BOOST_TEST(first.next == "lab/b");
  const Roster::Page last = roster.page(first.next, 2);
  BOOST_TEST(last.names.front().view() == "lab/c");
  BOOST_TEST(last.next.empty());
  roster.remove("lab/a");
  BOOST_TEST(roster.size() == 2);
  for (const char* name : {"lab/d", "lab/e", "lab/f"}) roster.enter(name, {});
  BOOST_TEST(roster.size() == 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
