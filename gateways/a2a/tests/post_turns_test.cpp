#include "tasks/post_turns.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

PostTurns::Turn turn(const std::string& caller, const std::string& server, int number = 0) {
  return {caller, server, "t", std::to_string(number)};
}

auto weighing(std::size_t bytes) {
  return [bytes](const PostTurns::Turn&) { return bytes; };
}

// The callers of the turns that may begin now.
std::string begun(PostTurns& turns) {
  std::string all;
  while (const auto next = turns.next(weighing(0))) all += next->caller + " ";
  return all;
}

PostLimits limits_of(std::size_t posts, std::size_t per_caller, std::size_t per_server,
                     std::size_t per_both) {
  PostLimits limits;
  limits.posts = posts;
  limits.posts_per_caller = per_caller;
  limits.posts_per_server = per_server;
  limits.posts_per_caller_and_server = per_both;
  return limits;
}

BOOST_AUTO_TEST_SUITE(post_turns)

BOOST_AUTO_TEST_CASE(callers_take_turns) {
  PostTurns turns(limits_of(5, 9, 9, 9));
  for (int i = 0; i < 4; ++i) turns.want(turn("eve", "x", i));
  turns.want(turn("ann", "x"));
  turns.want(turn("bob", "x"));
  BOOST_TEST(begun(turns) == "ann bob eve eve eve ");
  BOOST_TEST(turns.waiting() == 1);
  turns.end(turn("ann", "x"));
  BOOST_TEST(begun(turns) == "eve ");
}

BOOST_AUTO_TEST_CASE(a_caller_has_no_more_posts_than_its_share) {
  PostTurns turns(limits_of(9, 2, 9, 9));
  for (int i = 0; i < 4; ++i) turns.want(turn("eve", std::to_string(i)));
  turns.want(turn("mal", "x"));
  BOOST_TEST(begun(turns) == "eve mal eve ");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_slow_holds_up_only_posts_to_itself) {
  PostTurns turns(limits_of(9, 9, 3, 2));
  for (int i = 0; i < 4; ++i) turns.want(turn("eve", "slow", i));
  turns.want(turn("eve", "fast"));
  for (int i = 0; i < 2; ++i) turns.want(turn("mal", "slow", i));
  BOOST_TEST(begun(turns) == "eve mal eve eve ");  // mal has the third post to it
  BOOST_TEST(turns.waiting() == 3);
  turns.end(turn("eve", "slow"));
  BOOST_TEST(begun(turns) == "mal ");
}

BOOST_AUTO_TEST_CASE(while_too_many_bytes_are_on_their_way_nothing_begins) {
  PostLimits limits;
  limits.bytes = 20;
  limits.bytes_per_caller = 10;
  PostTurns turns(limits);
  for (int i = 0; i < 3; ++i) {
    turns.want(turn("eve", "x", i));
    turns.want(turn("mal", "x", i));
  }
  const auto first = turns.next(weighing(10));
  BOOST_TEST(first.value().caller == "eve");
  BOOST_TEST(turns.next(weighing(9)).value().caller == "mal");
  BOOST_TEST(turns.next(weighing(1)).value().caller == "mal");
  BOOST_TEST(!turns.next(weighing(1)));
  turns.end(*first);
  BOOST_TEST(turns.next(weighing(1)).value().caller == "eve");
}

BOOST_AUTO_TEST_CASE(a_burst_begins_no_more_than_its_bytes_permit) {
  PostLimits limits;
  limits.bytes = 50;
  limits.bytes_per_caller = 30;
  PostTurns turns(limits);
  for (int i = 0; i < 9; ++i) {
    turns.want(turn("eve", std::to_string(i)));
    turns.want(turn("mal", std::to_string(i)));
  }
  std::size_t begun_bytes = 0;
  while (const auto turn = turns.next(weighing(10))) begun_bytes += turn->bytes;
  BOOST_TEST(begun_bytes == 50);
  BOOST_TEST(turns.under_way() == 5);
}

BOOST_AUTO_TEST_CASE(a_configuration_that_is_gone_has_no_turn) {
  PostTurns turns;
  turns.want(turn("eve", "x", 1));
  turns.want(turn("eve", "x", 2));
  turns.forget("eve", "t", "1");
  turns.forget("eve", "t", "3");
  turns.forget("mal", "t", "2");
  BOOST_TEST(turns.next(weighing(1)).value().id == "2");
  BOOST_TEST(turns.waiting() == 0);
  BOOST_TEST(turns.under_way() == 1);
  turns.end(turn("eve", "x", 2));
  BOOST_TEST(turns.under_way() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
