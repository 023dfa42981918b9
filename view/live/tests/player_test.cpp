#include "server/player.hpp"
#include "support/samples.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::view {

namespace {

using test::at;

// A message each second, from 1 on; the third one expires at 3.5.
formats::Story story() {
  formats::Story story;
  story.begin = at(1), story.end = at(10);
  for (std::uint64_t i = 1; i <= 9; ++i) {
    formats::StoryMessage& message = story.messages.emplace_back();
    message.id = i;
    message.sent = at(static_cast<double>(i));
    message.source = Name("ann"), message.target = Name("bob");
    message.type = "text/plain", message.content = "hi";
    message.ended = at(static_cast<double>(i) + 0.5);
    message.outcome = i == 3 ? Outcome::expired : Outcome::consumed;
  }
  return story;
}

struct Playing {
  formats::Story past = story();
  Feed feed = Feed(ViewerOptions());
  Player player = Player(feed, past);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(player, Playing)

BOOST_AUTO_TEST_CASE(it_plays_at_its_speed) {
  player.play(2);
  player.advance(std::chrono::milliseconds(1100));
  BOOST_TEST(feed.messages.all().size() == 3U);
  BOOST_CHECK(feed.messages.find(2)->outcome == Outcome::consumed);
  BOOST_CHECK(!feed.messages.find(3)->outcome);
  player.pause();
  player.advance(std::chrono::hours(1));
  BOOST_TEST(feed.messages.all().size() == 3U);
}

BOOST_AUTO_TEST_CASE(it_ends_at_the_end_and_then_plays_again_from_the_beginning) {
  player.play(1000);
  player.advance(std::chrono::seconds(1));
  BOOST_TEST(player.speed() == 0);
  BOOST_TEST(feed.messages.all().size() == 9U);
  player.play(1);
  BOOST_TEST(player.at() == 0);
  BOOST_TEST(feed.messages.all().empty());
}

BOOST_AUTO_TEST_CASE(it_goes_back_and_forth) {
  player.seek(5);
  BOOST_TEST(feed.messages.all().size() == 6U);
  player.seek(0.2);
  BOOST_TEST(feed.messages.all().size() == 1U);
  BOOST_TEST(player.seek_message(8));
  BOOST_TEST(feed.messages.find(8) != nullptr);
  BOOST_TEST(!player.seek_message(80));
  player.step(-2);
  BOOST_TEST(feed.messages.find(7) == nullptr);
  BOOST_TEST(feed.messages.find(6) != nullptr);
  player.step(1);
  BOOST_TEST(feed.messages.find(7) != nullptr);
}

BOOST_AUTO_TEST_CASE(it_finds_errors_in_both_directions) {
  BOOST_TEST(player.seek_error(true));
  BOOST_TEST(player.at() == 2.5);
  BOOST_TEST(!player.seek_error(true));
  player.seek(8);
  BOOST_TEST(player.seek_error(false));
  BOOST_TEST(player.at() == 2.5);
}

BOOST_AUTO_TEST_CASE(its_counts_are_right_also_for_messages_that_are_not_kept) {
  Feed small(ViewerOptions{.messages = 2});
  Player short_player(small, past);
  short_player.seek(9);
  BOOST_TEST(small.messages.all().size() == 2U);
  BOOST_TEST(small.people.find(Name("ann"))->sent == 9U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
