// Tests of replays of a simulated run: of the whole run, up to a message, or with a changed
// message.
#include "coracle/recording/replay.hpp"
#include "coracle/recording/recorder.hpp"
#include "support/market.hpp"
#include "support/societies/expect.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coracle::test {

namespace {

using recording::MessageId;
using recording::Recorder;
using recording::Recording;
using recording::Replay;
using recording::Replayed;
using recording::Said;

constexpr int rounds = 4;

struct Recorded {
  explicit Recorded(std::uint64_t seed, unsigned workers = 2) {
    sim::Options options;
    options.seed = seed;
    options.workers = workers;
    options.record = true;
    Recorder recorder(file);
    sim::World world = recorder.world(options);
    hold_market(world, rounds, &book);
    recorder.close();
    trace = world.trace();
  }

  Recording load() const { return Recording::load(file); }

  TemporaryFolder folder;
  const std::string file = folder / "market.db";
  std::vector<std::string> book;
  std::string trace;
};

std::string difference_of(const Replayed& again) {
  return again.difference ? again.difference->to_string() : std::string();
}

// The first message with that text.
const Said& find(const Recording& recording, const std::string& text, const char* target) {
  const auto& all = recording.messages();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Said& said) {
    return said.content == text && said.target == Name(target);
  });
  if (found == all.end()) fail("no message '" + text + "' was recorded");
  return *found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_AUTO_TEST_CASE(a_recording_of_the_simulator_replays_exactly) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Recorded recorded(seed, 1 + static_cast<unsigned>(seed % 3));
    const Recording recording = recorded.load();
    BOOST_TEST(recording.complete());
    std::vector<std::string> book;
    const Replayed again = Replay(recording).traced().run(
        [&](sim::World& world) { hold_market(world, rounds, &book); });
    BOOST_TEST(difference_of(again) == "");
    BOOST_TEST(again.failure == "");
    BOOST_TEST(book == recorded.book);
    BOOST_TEST((again.trace == recorded.trace), "the trace of seed " << seed);
    BOOST_TEST(again.messages == recording.messages().size());
  }
}

BOOST_AUTO_TEST_CASE(every_message_has_an_outcome_in_the_recording) {
  const Recorded recorded(3);
  const Recording recording = recorded.load();
  BOOST_TEST(recording.messages().size() >= rounds * 7u);
  for (const Said& said : recording.messages()) {
    const auto ends = std::count_if(
        recording.events().begin(), recording.events().end(), [&](const auto& happened) {
          return happened.message == said.id && happened.what >= Happening::consumed &&
                 happened.what <= Happening::store_lost;
        });
    BOOST_TEST(ends == 1, to_string(said));
  }
}

BOOST_AUTO_TEST_CASE(another_program_is_told_where_it_first_differs) {
  const Recorded recorded(5);
  const Recording recording = recorded.load();
  const Replayed again =
      Replay(recording).run([](sim::World& world) { hold_market(world, rounds - 1); });
  BOOST_REQUIRE(again.difference.has_value());
  BOOST_TEST(again.difference->recorded != again.difference->replayed);
}

BOOST_AUTO_TEST_CASE(a_replay_stops_at_a_message) {
  const Recorded recorded(7);
  const Recording recording = recorded.load();
  for (const Said& said : recording.messages()) {
    bool looked = false;
    const Replayed again = Replay(recording)
                               .until(said.id,
                                      [&](sim::World& world) {
                                        looked = true;
                                        BOOST_TEST((world.now() > said.at));
                                        BOOST_TEST((world.now() < said.at + 10us));
                                      })
                               .run([](sim::World& world) { hold_market(world, rounds); });
    BOOST_TEST(again.stopped);
    BOOST_TEST(difference_of(again) == "");
    BOOST_TEST(again.messages >= said.id);
    BOOST_TEST((again.at < said.at + 10us));
    BOOST_TEST(looked);
    BOOST_TEST(again.failure == "");
    BOOST_TEST(!again.waits.empty());
  }
  expect_error(error_from([&] { Replay(recording).until(1'000'000); }), Errc::bad_options,
               "no such message");
}

BOOST_AUTO_TEST_CASE(a_message_that_is_dropped_never_comes) {
  const Recorded recorded(9);
  const Recording recording = recorded.load();
  const Said& said = find(recording, "price?", "red");
  std::vector<std::string> book;
  const Replayed again = Replay(recording).drop(said.id).run(
      [&](sim::World& world) { hold_market(world, rounds, &book); });
  BOOST_TEST(again.failure == "");
  BOOST_REQUIRE(again.difference.has_value());
  BOOST_REQUIRE(book.size() == recorded.book.size());
  BOOST_TEST(recorded.book[0] == "round 0: 10 or 20");
  BOOST_TEST(book[0] == "round 0: nothing or 20");
  BOOST_TEST(book[1] == "round 1: 10 or 21");
}

BOOST_AUTO_TEST_CASE(a_message_that_is_delayed_comes_later_and_its_successors_behind_it) {
  const Recorded recorded(11);
  const Recording recording = recorded.load();
  const Said& said = find(recording, "price?", "blue");
  std::vector<std::string> book;
  const Replayed again = Replay(recording).delay(said.id, 8ms).run([&](sim::World& world) {
    hold_market(world, rounds, &book);
  });
  BOOST_TEST(again.failure == "");
  BOOST_REQUIRE(book.size() == recorded.book.size());
  BOOST_TEST(book[0] == "round 0: 10 or nothing");  // the reply comes after 5 ms
  BOOST_TEST(book[1] == "round 1: 11 or 21");       // the next request follows the first reply
  const Replayed little = Replay(recording).delay(said.id, 1ms).run([&](sim::World& world) {
    hold_market(world, rounds, &book);
  });
  BOOST_TEST(book.back() == "done");
  BOOST_TEST(book[recorded.book.size()] == recorded.book[0]);
  BOOST_TEST((little.at > recording.events().back().at));
}

BOOST_AUTO_TEST_CASE(a_message_that_is_changed_says_something_else) {
  const Recorded recorded(13);
  const Recording recording = recorded.load();
  const Said& said = find(recording, "11", "buyer");
  std::vector<std::string> book;
  const Replayed again = Replay(recording).change(said.id, "99").run([&](sim::World& world) {
    hold_market(world, rounds, &book);
  });
  BOOST_TEST(again.failure == "");
  BOOST_TEST(book[0] == recorded.book[0]);
  BOOST_TEST(book[1] == "round 1: 99 or 21");
  BOOST_TEST(book[2] == recorded.book[2]);
}

BOOST_AUTO_TEST_CASE(a_fork_that_changes_nothing_differs_nowhere) {
  const Recorded recorded(15);
  const Recording recording = recorded.load();
  const Said& said = find(recording, "11", "buyer");
  const Replayed again =
      Replay(recording).change(said.id, "11").traced().run([](sim::World& world) {
        hold_market(world, rounds);
      });
  BOOST_TEST(difference_of(again) == "");
  BOOST_TEST((again.trace == recorded.trace));
}

BOOST_AUTO_TEST_CASE(several_forks_of_one_replay_all_happen) {
  const Recorded recorded(17);
  const Recording recording = recorded.load();
  std::vector<std::string> book;
  Replay(recording)
      .drop(find(recording, "price?", "red").id)
      .change(find(recording, "20", "buyer").id, "2")
      .run([&](sim::World& world) { hold_market(world, rounds, &book); });
  BOOST_TEST(book[0] == "round 0: nothing or 2");
}

BOOST_AUTO_TEST_CASE(a_society_that_threw_throws_again) {
  TemporaryFolder folder;
  const auto society = [](sim::World& world) {
    hold_market(world, 1);
    throw std::runtime_error("the market burned down");
  };
  {
    Recorder recorder(folder / "fire.db");
    sim::World world = recorder.world();
    BOOST_CHECK_THROW(society(world), std::runtime_error);
  }
  const Recording recording = Recording::load(folder / "fire.db");
  const Replayed again = Replay(recording).run(society);
  BOOST_TEST(again.failure == "the market burned down");
  BOOST_TEST(!again.difference.has_value());
}

BOOST_AUTO_TEST_CASE(a_live_recording_is_not_replayed_exactly) {
  TemporaryFolder folder;
  {
    Recorder recorder(folder / "live.db");
    Realization parts = sim::realization();
    parts.name = "elsewhere:";
    Node node(recorder.record(std::move(parts)));
  }
  const Recording recording = Recording::load(folder / "live.db");
  BOOST_TEST(recording.realization() == "elsewhere:");
  expect_error(error_from([&] { const Replay replay(recording); }), Errc::unsupported, "live");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
