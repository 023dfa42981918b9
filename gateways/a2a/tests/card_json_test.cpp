#include "coracle/a2a/card.hpp"

#include "coracle/a2a/model_json.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

BOOST_AUTO_TEST_SUITE(card_json)

BOOST_AUTO_TEST_CASE(a_card_is_read_as_it_was_written) {
  AgentCard card;
  card.name = "Ann";
  card.description = "translates";
  card.version = "2";
  card.supported_interfaces = {{"http://h/a2a", "JSONRPC", "lab/ann"}, {"http://h", "HTTP+JSON"}};
  card.provider = AgentProvider{"https://x", "X"};
  card.documentation_url = "https://x/doc";
  card.capabilities = {true, false, {{"urn:x", "more", true, Json().set("a", 1)}}, false};
  card.security_schemes = {
      {"token", Json().set("httpAuthSecurityScheme", Json().set("scheme", "Bearer"))}};
  card.security_requirements = {{{"token", {"read", "write"}}}, {{"other", {}}}};
  card.default_input_modes = card.default_output_modes = {"text/plain"};
  card.skills = {{"s", "skill", "does it", {"tag"}, {"like this"}, {"a/b"}, {"c/d"}, {}}};
  card.signatures = {{"e30", "c2ln", Json().set("kid", "1")}};
  card.icon_url = "https://x/icon";
  const Json json = web::parse_json(web::to_text(to_json(card))).value();
  BOOST_TEST((read<AgentCard>(web::JsonReader(json)) == card));
  BOOST_TEST(json.find("skills")->if_array()->size() == 1);
  BOOST_TEST(
      *json.find("supportedInterfaces")->if_array()->front().find("protocolBinding")->if_text() ==
      "JSONRPC");
}

BOOST_AUTO_TEST_CASE(a_card_needs_a_name) {
  const Json json = Json().set("description", "x");
  BOOST_CHECK_THROW(read<AgentCard>(web::JsonReader(json)), web::JsonError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
