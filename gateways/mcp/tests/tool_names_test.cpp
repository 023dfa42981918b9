#include "model/tool_names.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <rapidcheck.h>

#include <string>

namespace coracle::mcp {

BOOST_AUTO_TEST_SUITE(tool_names)

BOOST_AUTO_TEST_CASE(ordinary_names_stay_readable) {
  BOOST_TEST(ask_tool(Name("lab/robot_1/sonar-2")).value() == "ask_lab__robot_1__sonar-2");
  BOOST_TEST(call_tool(Name("lab/planner"), "plan") == "call_lab__planner__plan");
  BOOST_TEST(to_tool_text("a.b") == "a_x2Eb");
}

BOOST_AUTO_TEST_CASE(every_text_can_be_read_again) {
  BOOST_TEST(rc::check([](const std::string& text) {
    const std::string written = to_tool_text(text);
    RC_ASSERT(from_tool_text(written) == text);
    RC_ASSERT(
        written.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_") == std::string::npos);
  }));
  for (const char* const each : {"_", "__", "a_/b", "a/_b", "_x41", "a_x", "/", "_/_", "x_x4"})
    BOOST_TEST(from_tool_text(to_tool_text(each)).value() == each);
}

BOOST_AUTO_TEST_CASE(no_other_text_is_taken_for_one) {
  BOOST_TEST(!from_tool_text("_x61").has_value());  // a letter needs no escape
  BOOST_TEST(!from_tool_text("a.b").has_value());
  BOOST_TEST(!from_tool_text("a b").has_value());
}

BOOST_AUTO_TEST_CASE(a_name_that_is_too_long_has_no_tool) {
  const std::string long_name(130, 'a');
  BOOST_TEST(!ask_tool(Name(long_name)).has_value());
  BOOST_CHECK_THROW(call_tool(Name(long_name), "f"), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
