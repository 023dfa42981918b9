#include "server/json.hpp"
#include "support/samples.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::view {

using test::said;

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(members_that_are_empty_zero_or_false_are_left_out) {
  Seen message = said("ann", "bob", "hi");
  message.n = 3;
  BOOST_TEST(
      json::serialize(json_of(message, Times{test::at(0)})) ==
      R"({"n":3,"at":1E0,"from":"ann","to":"bob","type":"text/plain","size":2,"text":"hi"})");
}

BOOST_AUTO_TEST_CASE(leases_are_texts_because_the_numbers_of_a_page_lose_digits) {
  constexpr std::uint64_t lease = 7'713'925'611'247'555'001;
  const auto shown = [](const json::value& value) { return std::string(value.as_string()); };
  AgentRow agent;
  agent.node = lease;
  NodeRow node;
  node.lease = lease;
  Seen message = said("ann", "bob", "hi");
  message.node = lease;
  BOOST_TEST(shown(json_of(agent, Times{}).at("node")) == "7713925611247555001");
  BOOST_TEST(shown(json_of(node).at("lease")) == "7713925611247555001");
  const json::object whole = whole_message(message, Times{});
  BOOST_TEST(shown(whole.at("message").at("node")) == "7713925611247555001");
  BOOST_TEST(shown(whole.at("custody")) == "7713925611247555001");
}

BOOST_AUTO_TEST_CASE(hostile_texts_are_plain_strings_of_json) {
  const std::string hostile = "</script><script>alert(1)</script>\x1b[31m\"\\\n";
  Seen message = said("ann", "bob", hostile + "\xff");
  message.type = "x\"\xff";
  const std::string text = json::serialize(json_of(message, Times{}));
  json::error_code error;
  const json::value back = json::parse(text, error);
  BOOST_TEST(!error);
  BOOST_TEST(std::string(back.at("type").as_string()) == "x\"\xef\xbf\xbd");
  message = said("ann", "bob", hostile);
  BOOST_TEST(std::string(tree_of(message).at("text").as_string()) == hostile);
}

BOOST_AUTO_TEST_CASE(cbor_is_a_tree) {
  Seen message = said("ann", "bob", "\xa1\x61x\x82\x01\x02");
  message.type = "plan/v1";
  const json::object tree = tree_of(message);
  BOOST_TEST(tree.at("kind").as_string() == "cbor");
  BOOST_TEST(json::serialize(tree.at("value")) == R"({"map":[["x",[1,2]]]})");
}

BOOST_AUTO_TEST_CASE(what_a_page_chooses_is_limited) {
  const auto chosen = [](const char* text) { return choice_in(*object_in(text)); };
  BOOST_TEST(chosen(R"({"names": ["a/*"], "rate": 1e9})").rate == 5000);
  BOOST_TEST(chosen(R"({"conversation": 7})").conversation == 7U);
  BOOST_TEST(chosen(R"({"conversation": -1.5})").conversation == 0U);
  BOOST_TEST(chosen(R"({"conversation": "18446744073709551615"})").conversation == ~0ULL);
  BOOST_CHECK_THROW(chosen(R"({"conversation": "18446744073709551616"})"), Error);
  BOOST_CHECK_THROW(chosen(R"({"conversation": ""})"), Error);
  BOOST_CHECK_THROW(chosen(R"({"names": "a"})"), Error);
  BOOST_CHECK_THROW(chosen(R"({"names": [1]})"), Error);
  const std::string longer = "{\"text\": \"" + std::string(300, 'x') + "\"}";
  BOOST_CHECK_THROW(choice_in(*object_in(longer)), Error);
  BOOST_TEST(!object_in("[]"));
  BOOST_TEST(!object_in(std::string(100'000, '[')));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
