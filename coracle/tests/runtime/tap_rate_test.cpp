// The rate of a tap limits the copies of each interval, and asks for the time only when the share
// of the interval is used up.
#include "runtime/groups/tap_rate.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

namespace coracle::detail {

namespace {

using namespace std::chrono_literals;

// A message each `step`, for one `span`.
struct Played {
  std::uint64_t copies = 0, looks = 0;
};

Played play(std::uint32_t per_second, Duration step, Duration span) {
  TapRate rate(per_second);
  Played played;
  for (Time present{}; present < Time{} + span; present += step) {
    const bool is_copied = rate.lets([&] { return ++played.looks, present; });
    if (!is_copied) continue;
    rate.count();
    ++played.copies;
  }
  return played;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tap_rate)

BOOST_AUTO_TEST_CASE(without_a_rate_everything_is_copied_and_nobody_looks_at_the_clock) {
  const Played played = play(0, 1ms, 1s);
  BOOST_TEST(played.copies == 1000u);
  BOOST_TEST(played.looks == 0u);
}

BOOST_AUTO_TEST_CASE(no_more_copies_are_made_than_the_rate_says) {
  for (const std::uint32_t per_second : {1u, 3u, 19u, 20u, 25u, 999u, 50'000u}) {
    BOOST_TEST_CONTEXT("rate " << per_second) {
      const Played played = play(per_second, 5us, 10s);
      // The last interval may have begun just before the end.
      BOOST_TEST(played.copies <= 10u * per_second + 1u + per_second / 20u);
      BOOST_TEST(played.copies >= 9u * per_second);
    }
  }
}

BOOST_AUTO_TEST_CASE(fewer_messages_than_the_rate_are_all_copied) {
  const Played played = play(1000, 2ms, 10s);
  BOOST_TEST(played.copies == 5000u);
}

BOOST_AUTO_TEST_CASE(what_may_be_copied_may_still_be_copied_until_it_is) {
  TapRate rate(1);
  const auto now = [] { return Time{}; };
  BOOST_TEST(rate.lets(now));
  BOOST_TEST(rate.lets(now));  // the message had to wait for room: it counts once
  rate.count();
  BOOST_TEST(!rate.lets(now));
  BOOST_TEST(!rate.lets([] { return Time{} + 999ms; }));
  BOOST_TEST(rate.lets([] { return Time{} + 1s; }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
