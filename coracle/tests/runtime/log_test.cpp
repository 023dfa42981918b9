#include "coracle/log.hpp"

#include "coracle/errors.hpp"
#include "coracle/log_spdlog.hpp"
#include "coracle/support/log.hpp"

#include <spdlog/sinks/ostream_sink.h>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

using coracle::detail::LogPart;

// Takes the library's log lines as long as it lives.
class Lines {
 public:
  Lines() {
    set_log_sink([this](const LogLine& line) {
      lines.push_back(std::string(to_string(line.level)) + " " + std::string(line.part) + ": " +
                      std::string(line.text));
    });
  }
  ~Lines() {
    set_log_sink(nullptr);
    set_log("warning");
  }

  std::vector<std::string> lines;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(log)

BOOST_AUTO_TEST_CASE(warnings_are_said_and_what_matters_less_is_not) {
  Lines said;
  coracle::detail::log(LogLevel::warning, LogPart::link, "a");
  coracle::detail::log(LogLevel::info, LogPart::link, "b");
  BOOST_TEST((said.lines == std::vector<std::string>{"warning link: a"}));
}

BOOST_AUTO_TEST_CASE(each_part_has_its_level_and_the_last_that_fits_counts) {
  Lines said;
  set_log("off,link=trace");
  coracle::detail::log(LogLevel::error, LogPart::node, "a");
  coracle::detail::log(LogLevel::trace, LogPart::link, "b");
  set_log("link=trace,error");
  coracle::detail::log(LogLevel::trace, LogPart::link, "c");
  coracle::detail::log(LogLevel::error, LogPart::link, "d");
  BOOST_TEST((said.lines == std::vector<std::string>{"trace link: b", "error link: d"}));
}

BOOST_AUTO_TEST_CASE(a_line_is_one_line_and_commands_no_terminal) {
  Lines said;
  coracle::detail::log(LogLevel::warning, LogPart::node, "a\nb\x1b[2J");
  BOOST_TEST((said.lines == std::vector<std::string>{"warning node: a\\nb\\x1b[2J"}));
}

BOOST_AUTO_TEST_CASE(what_is_no_level_is_refused_and_changes_nothing) {
  Lines said;
  for (const char* text : {"", "loud", "link=loud", "tap=debug", "debug,", "=debug"}) {
    const auto is_clear = [](const Error& error) {
      return error.errc() == Errc::bad_options &&
             error.sentence().find("PART=LEVEL") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(set_log(text), Error, is_clear);
  }
  coracle::detail::log(LogLevel::debug, LogPart::node, "a");
  BOOST_TEST(said.lines.empty());
}

BOOST_AUTO_TEST_CASE(a_logger_of_spdlog_takes_the_lines) {
  std::ostringstream text;
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
  auto logger = std::make_shared<spdlog::logger>("mine", sink);
  logger->set_pattern("%l %v");
  Lines restores;
  log_to(logger);
  coracle::detail::log(LogLevel::warning, LogPart::beacon, "a");
  BOOST_TEST(text.str() == "warning coracle beacon: a\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
