// The assignment of evaluations to agents, without any agent.
#include "tuple_space/eval_board.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle {
namespace {

using detail::EvalBoard;

struct Fixture {
  EvalBoard board{3};

  std::string next() {
    const auto turn = board.next();
    if (!turn) return "nobody";
    return turn->evaluator.str() + " does " + turn->job.function + std::to_string(turn->job.id);
  }
};

BOOST_FIXTURE_TEST_SUITE(eval_board, Fixture)

BOOST_AUTO_TEST_CASE(evaluators_take_turns_at_the_oldest_job_that_they_can_do) {
  board.offer("ann", 1, 1, {"f", "g"});
  board.offer("bob", 2, 2, {"g"});
  for (const char* each : {"f", "g", "f", "g", "g"}) board.add(each, {});
  BOOST_TEST(next() == "ann does f1");
  BOOST_TEST(next() == "bob does g2");
  BOOST_TEST(next() == "bob does g4");
  BOOST_TEST(next() == "nobody");
  BOOST_TEST(board.done("ann", 1, 1).has_value());
  BOOST_TEST(next() == "ann does f3");
  BOOST_TEST(board.open() == 4U);
}

BOOST_AUTO_TEST_CASE(what_was_begun_by_one_that_is_lost_is_anothers_and_counts_once) {
  board.offer("ann", 1, 1, {"f"});
  board.add("f", {});
  board.add("f", {});
  BOOST_TEST(next() == "ann does f1");
  BOOST_TEST(board.lost("ann").empty());
  BOOST_TEST(!board.done("ann", 1, 1).has_value());
  board.offer("bob", 2, 1, {"f"});
  BOOST_TEST(next() == "bob does f1");
  BOOST_TEST(board.given_again() == 1U);
  BOOST_TEST(!board.done("ann", 1, 1).has_value());
  BOOST_TEST(!board.done("bob", 7, 1).has_value());
  BOOST_TEST(board.done("bob", 2, 1).has_value());
  BOOST_TEST(!board.done("bob", 2, 1).has_value());
  BOOST_TEST(board.open() == 1U);
}

BOOST_AUTO_TEST_CASE(a_job_over_which_too_many_are_lost_is_given_up) {
  board.offer("ann", 1, 1, {"f"});
  board.add("f", {});
  for (std::uint64_t life = 1; life < 3; ++life) {
    BOOST_TEST(next() == "ann does f1");
    BOOST_TEST(board.lost("ann").empty());
    board.offer("ann", life + 1, 1, {"f"});
  }
  BOOST_TEST(next() == "ann does f1");
  const auto given_up = board.lost("ann");
  BOOST_TEST_REQUIRE(given_up.size() == 1U);
  BOOST_TEST(given_up[0].function == "f");
  BOOST_TEST(board.open() == 0U);
}

BOOST_AUTO_TEST_CASE(a_function_that_was_offered_once_is_known_for_ever) {
  BOOST_TEST(!board.offered("f"));
  board.offer("ann", 1, 1, {"f"});
  board.lost("ann");
  BOOST_TEST(board.offered("f"));
  board.add("f", {});
  BOOST_TEST(next() == "nobody");
  board.offer("bob", 1, 1, {"f"});
  BOOST_TEST(next() == "bob does f1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
