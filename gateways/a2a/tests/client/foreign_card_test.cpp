#include "client/foreign_card.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

const std::vector<std::string> here = {"https://a.example"};

AgentCard card_with(std::vector<AgentInterface> places) {
  AgentCard card;
  card.name = "Digger";
  card.supported_interfaces = std::move(places);
  return card;
}

std::string place_of(std::vector<AgentInterface> places) {
  try {
    const ForeignPlace place = place_in(card_with(std::move(places)), here);
    return place.url.text() + (place.is_rpc ? " rpc " : " rest ") + place.tenant;
  } catch (const Error& error) {
    return error.errc() == Errc::unsupported ? "none" : "other";
  }
}

BOOST_AUTO_TEST_SUITE(foreign_card)

BOOST_AUTO_TEST_CASE(the_card_is_below_the_address_of_its_agent) {
  BOOST_TEST(card_url_of("https://a.example/x").text() ==
             "https://a.example/x/.well-known/agent-card.json");
  BOOST_TEST(card_url_of("https://a.example").text() ==
             "https://a.example/.well-known/agent-card.json");
  BOOST_TEST(card_url_of("https://a.example/my.json").text() == "https://a.example/my.json");
  BOOST_CHECK_THROW(card_url_of("a.example"), Error);
}

BOOST_AUTO_TEST_CASE(the_first_usable_place_is_used) {
  const std::string at = "https://a.example/x";
  BOOST_TEST(place_of({{at, "GRPC"}, {at, "HTTP+JSON", "t"}, {at, "JSONRPC"}}) ==
             "https://a.example/x rest t");
  BOOST_TEST(place_of({{at, "JSONRPC", "", "0.3"}, {at, "JSONRPC", "", "1.0.1"}}) ==
             "https://a.example/x rpc ");
  BOOST_TEST(place_of({}) == "none");
  BOOST_TEST(place_of({{"nowhere", "JSONRPC"}}) == "none");
}

BOOST_AUTO_TEST_CASE(a_place_of_another_origin_is_not_used) {
  for (const char* other : {"http://a.example/x", "https://a.example:444/x", "https://b.example/x",
                            "https://169.254.169.254/"})
    BOOST_TEST(place_of({{other, "JSONRPC"}}) == "none", other);
}

BOOST_AUTO_TEST_CASE(skills_and_extensions_become_properties) {
  AgentCard card = card_with({});
  card.version = "7";
  card.provider = AgentProvider{"https://p.example", "P"};
  for (int i = 0; i < 100; ++i)
    card.skills.push_back({"s" + std::to_string(i), "skill " + std::to_string(i), ""});
  card.skills.push_back({std::string("a\nb"), "x", ""});
  card.capabilities.extensions = {{"urn:x", "", false, Json().set("a", 1)}, {"urn:y"}};
  const Properties properties = properties_in(card);
  BOOST_TEST((*properties.find("title") == Value(std::string("Digger"))));
  BOOST_TEST((*properties.find("service") == Value(std::string("s0"))));
  BOOST_TEST((*properties.find("provider") == Value(std::string("P"))));
  BOOST_TEST((*properties.find("skill/s7") == Value(std::string("skill 7"))));
  BOOST_TEST(properties.find("skill/s64") == nullptr);
  BOOST_TEST((*properties.find("extension/urn:x") == Value(std::string("{\"a\":1}"))));
  BOOST_TEST((*properties.find("extension/urn:y") == Value(std::string("{}"))));
}

BOOST_AUTO_TEST_CASE(long_texts_are_cut) {
  AgentCard card = card_with({});
  card.description.assign(1'000'000, 'x');
  card.skills.push_back({std::string(1'000'000, 'y'), "x", ""});
  std::size_t bytes = 0;
  const Properties properties = properties_in(card);
  for (const auto& [key, value] : properties.all())
    bytes += key.size() + std::get<std::string>(value).size();
  BOOST_TEST(bytes < 5000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
