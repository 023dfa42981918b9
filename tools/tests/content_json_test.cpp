#include "content_json.hpp"

#include "coracle/support/content_text.hpp"
#include "coracle/support/quote.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <rapidcheck.h>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::command {

namespace {

struct Plan {
  static constexpr std::string_view content_type = "plan/v1";
  std::string goal;
  std::vector<int> steps;
};

std::string line_of(std::string_view type, std::span<const std::byte> bytes) {
  boost::json::object line;
  add_content(line, type, bytes);
  return detail::shown_json(boost::json::serialize(line));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(content_json)

BOOST_AUTO_TEST_CASE(every_content_is_valid_json_and_nothing_is_lost) {
  const bool holds = rc::check([](const std::vector<std::uint8_t>& said) {
    const auto bytes = std::as_bytes(std::span(said));
    const auto type = *rc::gen::element<std::string>("text/plain", "application/octet-stream",
                                                     "plan/v1", "\xff\x1b[2J");
    const auto line = boost::json::parse(line_of(type, bytes)).as_object();
    if (const auto* const text = line.if_contains("text")) {
      const std::string_view read(text->as_string());
      RC_ASSERT(read == std::string_view(reinterpret_cast<const char*>(said.data()), said.size()));
    } else if (const auto* const hex = line.if_contains("hex")) {
      RC_ASSERT(std::string_view(hex->as_string()) == detail::hex_text(bytes));
    } else {
      RC_ASSERT(std::string_view(line.at("content").as_string()) == *detail::cbor_text(bytes));
    }
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(a_value_of_json_is_what_an_aggregate_is) {
  const Content made = content_from_json("plan/v1", R"(["north", [1, 2, 3]])");
  const auto plan = made.try_as<Plan>();
  BOOST_TEST_REQUIRE(static_cast<bool>(plan));
  BOOST_TEST(plan->goal == "north");
  BOOST_TEST((plan->steps == std::vector<int>{1, 2, 3}));
  BOOST_TEST(line_of("plan/v1", made.bytes()) ==
             R"({"type":"plan/v1","content":"[\"north\", [1, 2, 3]]"})");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_refused_with_its_place) {
  const auto is_clear = [](const Error& error) {
    return error.errc() == Errc::bad_options &&
           error.sentence().find("character 5") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(content_from_json("x", "[1, x]"), Error, is_clear);
  BOOST_CHECK_EXCEPTION(content_from_json("x", "[1] 2"), Error, is_clear);
  BOOST_CHECK_THROW(content_from_json("x", "[1"), Error);
  BOOST_CHECK_THROW(content_from_json("x", ""), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::command
