// A society whose message store is on a disk, and loses its power, as the clearinghouse does.
// Stored messages are delivered in order, and not twice without the redelivered mark.
#include "hand_over_society.hpp"
#include "support/societies/doer.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace coracle::test {

namespace {

// The message store has room for the first three of five messages. Their reader starts at about the
// time at which the others are refused.
class CrowdedSociety final : public StoreSociety {
 public:
  explicit CrowdedSociety(std::uint64_t seed)
      : StoreSociety({seed, BackendFault::nothing, with_room_for(8), false, 5, 20ms}) {}

  void play() {
    write(0);
    leave();
    write(5);
    read_soon();
    leave();
    until([this] { return is_over_; });
    read(60s);
  }

 private:
  static constexpr int all = 1000;

  static NodeOptions with_room_for(std::uint32_t messages) {
    NodeOptions options;
    options.absent_limit = messages;
    return options;
  }
  void write(int first) {
    bool done = false;
    start(writer, "ann", [&, first](Agent& me) -> Task<> {
      for (int number = first; number < first + 5; ++number)
        co_await me.send("bob", std::to_string(number));
      done = true;
    });
    until([&done] { return done; });
  }
  // The writer's node ends, and another one starts.
  void leave() {
    (void)at(writer).stop(0s);
    crash(writer);
    restart(writer);
  }
  void read_soon() {
    const Duration soon = up_to(world().random(), 20ms);
    start(reader, "early", [this, soon](Agent& me) -> Task<> {
      co_await me.pause(soon);
      auto bob = std::make_unique<Doer>([this](Agent& him) -> Task<> {
        Task<> hearing = hear(him, all, 1s);
        co_await hearing;
        is_over_ = true;
      });
      (void)co_await me.adopt("bob", std::move(bob));
    });
  }
  void read(Duration patience) {
    is_over_ = false;
    start(reader, "bob", [this, patience](Agent& me) -> Task<> {
      Task<> hearing = hear(me, all, patience);
      co_await hearing;
      is_over_ = true;
    });
    until([this] { return is_over_; });
  }

  bool is_over_ = false;
};

BOOST_AUTO_TEST_SUITE(message_store)

BOOST_AUTO_TEST_CASE(what_is_refused_does_not_overtake_what_was_taken_over) {
  const std::uint64_t seeds = slowness == 1 ? 150 : 20;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CrowdedSociety society(seed);
    society.play();
    BOOST_TEST_REQUIRE(society.wrong() == "", "seed " << seed << ": " << society.wrong());
  }
}

BOOST_AUTO_TEST_CASE(what_was_stored_survives_power_cuts) {
  const std::uint64_t seeds = slowness == 1 ? 150 : 20;
  std::size_t stored = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    HandOverSociety society(seed);
    society.play();
    BOOST_TEST_REQUIRE(society.wrong() == "", "seed " << seed << ": " << society.wrong());
    stored += society.stored();
    again += society.again();
  }
  BOOST_TEST(stored > seeds * 8);
  BOOST_TEST(again > seeds / 2);
  std::cout << seeds << " societies with a message store: " << stored << " messages were stored, "
            << again << " given again\n";
}

BOOST_AUTO_TEST_CASE(mistakes_of_a_message_store_are_noticed) {
  for (const BackendFault fault :
       {BackendFault::promises_in_vain, BackendFault::opens_at_once, BackendFault::turns_round}) {
    std::uint64_t seed = 1;
    bool is_found = false;
    for (; seed <= 150 && !is_found; ++seed) {
      HandOverSociety society(seed, fault);
      society.play();
      is_found = !society.wrong().empty();
    }
    BOOST_TEST(is_found, "mistake " << static_cast<int>(fault));
    std::cout << "mistake " << static_cast<int>(fault) << " is found after " << seed - 1
              << " seeds\n";
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
