#include "model/fipa_words.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>

namespace coracle::a2a {
namespace {

using Headers = std::map<std::string, std::string, std::less<>>;

Headers headers_of(const Json& words) {
  Headers all;
  for (const auto& [name, value] : fipa_headers(Json().set(fipa_extension, words)))
    all.emplace(name, value);
  return all;
}

BOOST_AUTO_TEST_SUITE(fipa_words)

BOOST_AUTO_TEST_CASE(words_in_the_metadata_become_headers) {
  const Headers headers = headers_of(
      Json().set("performative", "cfp").set("protocol", "fipa-contract-net").set("ontology", "o"));
  BOOST_TEST((headers == Headers{{"fipa-performative", "cfp"},
                                 {"fipa-protocol", "fipa-contract-net"},
                                 {"fipa-ontology", "o"}}));
  BOOST_TEST(fipa_headers(Json()).empty());
  BOOST_TEST(fipa_headers(Json().set("other", 1)).empty());
}

BOOST_AUTO_TEST_CASE(words_that_are_not_permitted_are_left_out) {
  for (const Json& words :
       {Json(5), Json("inform"), Json().set("performative", "shout"),
        Json().set("performative", "INFORM"), Json().set("performative", 5),
        Json().set("protocol", ""), Json().set("ontology", "a\nb"),
        Json().set("protocol", std::string(256, 'a')), Json().set("language", "fipa-sl")})
    BOOST_TEST(headers_of(words).empty(), web::to_text(words));
  BOOST_TEST(headers_of(Json().set("performative", "shout").set("protocol", "p")).size() == 1U);
}

BOOST_AUTO_TEST_CASE(headers_become_words_in_the_metadata) {
  const Headers headers{{"fipa-performative", "request"}, {"fipa-ontology", "o"}, {"x", "y"}};
  const auto header_of = [&](std::string_view name) -> std::optional<std::string_view> {
    const auto found = headers.find(name);
    return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  };
  Json metadata;
  put_fipa_words(metadata.set("a", 1), header_of);
  BOOST_TEST((metadata ==
              Json().set("a", 1).set(fipa_extension,
                                     Json().set("performative", "request").set("ontology", "o"))));
  Json none;
  put_fipa_words(none, [](std::string_view) { return std::nullopt; });
  BOOST_TEST(none.is_null());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
