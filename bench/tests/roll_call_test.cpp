#include "architectures/roll_call.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::bench {

namespace {

using namespace std::chrono_literals;

const std::vector<Station> workers = {
    {"worker/ann-1", "192.0.2.1"}, {"worker/bob-2", "192.0.2.2"}, {"worker/cat-3", "192.0.2.3"}};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(roll_call)

BOOST_AUTO_TEST_CASE(a_round_in_which_everybody_answers_has_no_failure) {
  RollCall call(workers);
  for (std::size_t each = 0; each < workers.size(); ++each) {
    BOOST_TEST(!call.is_over());
    call.reported(each, {});
  }
  BOOST_TEST(call.is_over());
  BOOST_TEST(call.failure() == "");
}

BOOST_AUTO_TEST_CASE(two_workers_that_do_not_reach_each_other_are_named_once) {
  RollCall call(workers);
  call.reported(0, {});
  call.reported(1, {2});
  call.reported(2, {1});
  BOOST_TEST(call.is_over());
  BOOST_TEST(call.failure().starts_with(
      "worker/bob-2 (192.0.2.2) and worker/cat-3 (192.0.2.3) cannot reach each other; let TCP "));
}

BOOST_AUTO_TEST_CASE(it_is_enough_that_one_of_two_does_not_get_an_answer) {
  RollCall call(workers);
  call.reported(0, {});
  call.reported(1, {});
  call.reported(2, {0});
  BOOST_TEST(has(call.failure(), "worker/ann-1 (192.0.2.1) and worker/cat-3 (192.0.2.3) cannot"));
}

BOOST_AUTO_TEST_CASE(a_worker_that_does_not_report_is_named_without_those_that_miss_it_too) {
  RollCall call(workers);
  call.reported(0, {1});
  call.missed(1);
  call.reported(2, {1});
  BOOST_TEST(has(call.failure(), "gets no answer from worker/bob-2 (192.0.2.2);"));
  BOOST_TEST(!has(call.failure(), "cannot reach each other"));
  BOOST_TEST(!has(call.failure(), "ann"));
}

BOOST_AUTO_TEST_CASE(a_missing_worker_does_not_hide_two_others_that_are_cut_off) {
  RollCall call(workers);
  call.missed(0);
  call.reported(1, {0, 2});
  call.reported(2, {0, 1});
  BOOST_TEST(has(call.failure(), "gets no answer from worker/ann-1"));
  BOOST_TEST(has(call.failure(), "worker/bob-2 (192.0.2.2) and worker/cat-3 (192.0.2.3) cannot"));
}

BOOST_AUTO_TEST_CASE(of_very_many_pairs_the_first_are_named_and_the_others_counted) {
  std::vector<Station> many(10, workers[0]);
  std::vector<std::uint32_t> all;
  for (std::uint32_t each = 0; each < many.size(); ++each) all.push_back(each);
  RollCall call(many);
  for (std::size_t each = 0; each < many.size(); ++each) call.reported(each, all);
  BOOST_TEST(has(call.failure(), "; 39 more cannot reach each other"));
}

BOOST_AUTO_TEST_CASE(it_stands_still_when_nothing_was_done_for_longer_than_the_limit) {
  Standstill still;
  const Time begin{};
  BOOST_TEST(!still.lasts(7, begin, 30s));
  BOOST_TEST(!still.lasts(7, begin + 30s, 30s));
  BOOST_TEST(still.lasts(7, begin + 31s, 30s));
  BOOST_TEST(!still.lasts(8, begin + 60s, 30s));
  BOOST_TEST(!still.lasts(8, begin + 90s, 30s));
  still.forget();
  BOOST_TEST(!still.lasts(8, begin + 200s, 30s));
  BOOST_TEST(still.lasts(8, begin + 231s, 30s));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::bench
