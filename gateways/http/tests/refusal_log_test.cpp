#include "server/refusal_log.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(refusal_log)

BOOST_AUTO_TEST_CASE(the_first_few_get_a_line_and_the_others_are_counted) {
  RefusalLog log;
  const Time begin(1000s);
  for (unsigned i = 0; i < RefusalLog::named; ++i) BOOST_TEST(log.note("too large", begin));
  for (int i = 0; i < 7; ++i) BOOST_TEST(!log.note("too large", begin + 1s));
  BOOST_TEST(log.note("too slow", begin + 1s));
  BOOST_TEST((log.next() == begin + 10s));
  BOOST_TEST(!log.sum_up(begin + 9s).has_value());
  BOOST_TEST(log.sum_up(begin + 10s).value() == "7 more: too large");
  BOOST_TEST(!log.sum_up(begin + 20s).has_value());
  BOOST_TEST((log.next() == Time::max()));
  BOOST_TEST(log.note("too large", begin + 20s));
}

BOOST_AUTO_TEST_CASE(reasons_that_clients_choose_are_bounded) {
  RefusalLog log;
  unsigned lines = 0;
  for (int i = 0; i < 1000; ++i)
    lines += log.note("host " + std::to_string(i), Time(1000s)) ? 1 : 0;
  BOOST_TEST(lines <= RefusalLog::most_reasons + RefusalLog::named);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
