#include "coracle/web/json_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace coracle::web {
namespace {

std::string problem_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const JsonError& error) {
    return error.place() + " | " + error.problem();
  }
  return "none";
}

BOOST_AUTO_TEST_SUITE(json_reader)

BOOST_AUTO_TEST_CASE(an_error_names_the_place_of_the_value) {
  const Json value = parse_json(R"({"message": {"parts": [{"text": "a"}, {"text": 5}]}})").value();
  const JsonReader reader(value, "params");
  BOOST_TEST(reader.at("message").at("parts").items()[0].at("text").text() == "a");
  BOOST_TEST(problem_of([&] { reader.at("message").at("parts").items()[1].at("text").text(); }) ==
             "params.message.parts[1].text | has to be a text, not a number");
  BOOST_TEST(problem_of([&] { reader.at("message").at("id"); }) ==
             "params.message.id | is missing");
  BOOST_TEST(problem_of([&] { reader.at("message").items(); }) ==
             "params.message | has to be an array, not an object");
  BOOST_TEST(problem_of([&] { reader.at("message").at("parts").items(1); }) ==
             "params.message.parts | has more than 1 items");
  const JsonReader whole(value);
  BOOST_CHECK_EXCEPTION(whole.text(), JsonError, [](const JsonError& error) {
    return error.sentence() == "the value has to be a text, not an object";
  });
}

BOOST_AUTO_TEST_CASE(a_member_that_is_null_is_missing) {
  const Json value = parse_json(R"({"a": null, "b": false})").value();
  const JsonReader reader(value);
  BOOST_TEST(!reader.find("a").has_value());
  BOOST_TEST(!reader.find("c").has_value());
  BOOST_TEST(!reader.truth_or_false("b"));
  BOOST_TEST(reader.text_or_empty("a").empty());
  BOOST_TEST(reader.texts_or_none("a").empty());
  BOOST_TEST(problem_of([&] { reader.at("a"); }) == "a | is missing");
}

BOOST_AUTO_TEST_CASE(whole_numbers_have_bounds) {
  const auto whole = [](const Json& value) {
    return problem_of([&] { JsonReader(value, "n").whole(0, 100); });
  };
  BOOST_TEST(whole(5) == "none");
  BOOST_TEST(whole(5.0) == "none");
  BOOST_TEST(whole(5.5) == "n | has to be a whole number, not a number");
  BOOST_TEST(whole("5") == "n | has to be a whole number, not a text");
  BOOST_TEST(whole(101) == "n | has to be from 0 to 100");
  BOOST_TEST(whole(1e300) == "n | has to be a whole number, not a number");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
