// Paths of metrics as texts.
#include "coracle/metric_path.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle {

namespace {

using Step = MetricPath::Step;

std::string error_of(std::string_view text) {
  try {
    const MetricPath path(text);
    return "none";
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_options));
    return error.sentence();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metric_path)

BOOST_AUTO_TEST_CASE(a_path_has_a_context_and_a_formula) {
  const MetricPath path("Host(berlin):Agent(lab/robot):Queue(Waiting,10)");
  BOOST_TEST(path.steps().size() == 3U);
  BOOST_TEST(path.context().size() == 2U);
  BOOST_TEST(path.context()[1].word == "Agent");
  BOOST_TEST(path.context()[1].arguments == std::vector<std::string>{"lab/robot"});
  BOOST_TEST((path.formula() == Step{"Queue", {"Waiting", "10"}}));
  BOOST_TEST(path.text() == "Host(berlin):Agent(lab/robot):Queue(Waiting,10)");
  BOOST_TEST(path.in({{"Node", {"n"}}}).text() == "Node(n):Queue(Waiting,10)");
  BOOST_TEST(MetricPath("Quiet").context().empty());
}

BOOST_AUTO_TEST_CASE(any_name_can_be_an_argument) {
  for (const std::string name : {"a,b", "a)b", "a(b", "a\\b", "a:b", "", "ä ö", "\\\\,)"}) {
    const MetricPath path(std::vector<Step>{{"Agent", {name, name}}, {"Load", {}}});
    const MetricPath again(path.text());
    BOOST_TEST((again == path));
    BOOST_TEST(again.context()[0].arguments[1] == name);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_text_is_refused_with_its_place) {
  BOOST_TEST(error_of("").find("expected a word of letters and digits at byte 1") !=
             std::string::npos);
  BOOST_TEST(error_of("1Load").find("at byte 1") != std::string::npos);
  BOOST_TEST(error_of("Agent(a:Load").find("expected ')' at byte 13") != std::string::npos);
  BOOST_TEST(error_of("Agent(a\\x)").find("behind '\\' at byte 9") != std::string::npos);
  BOOST_TEST(error_of("Agent(a)Load").find("expected ':' or the end at byte 9") !=
             std::string::npos);
  BOOST_TEST(error_of("Agent(a):").find("at byte 10") != std::string::npos);
  BOOST_TEST(error_of(std::string(1025, 'a')).find("1025 bytes") != std::string::npos);
  BOOST_TEST(error_of("a:a:a:a:a:a:a:a:a").find("9 steps") != std::string::npos);
  BOOST_TEST(error_of("a(1,2,3,4,5,6,7,8,9)").find("9 arguments") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle
