// Messages that were stored while their sender lived survive, and mistakes of a backend are
// noticed.
#include "storing_society.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::test::storing {

BOOST_AUTO_TEST_SUITE(stored)

BOOST_AUTO_TEST_CASE(what_was_stored_while_its_sender_lived_survives_power_cuts) {
  const std::uint64_t seeds = slowness == 1 ? 150 : 20;
  std::size_t stored = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    StoringSociety society(seed);
    play(society, seed);
    BOOST_TEST_REQUIRE(society.wrong() == "", "seed " << seed << ": " << society.wrong());
    stored += society.stored();
    again += society.again();
  }
  BOOST_TEST(stored > seeds * 20);
  BOOST_TEST(again > seeds / 2);
  std::cout << seeds << " societies that store: " << stored << " messages were stored, " << again
            << " given again\n";
}

// After a failed sync the bytes may be there, or not.
BOOST_AUTO_TEST_CASE(what_may_be_on_a_disk_that_failed_comes_again_with_a_mark) {
  const std::uint64_t seeds = slowness == 1 ? 150 : 20;
  std::size_t stored = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    StoringSociety society(seed);
    society.read();
    society.write_while_disk_fails();
    society.settle();
    BOOST_TEST_REQUIRE(society.wrong() == "", "seed " << seed << ": " << society.wrong());
    stored += society.stored();
    again += society.again();
  }
  BOOST_TEST(stored == seeds * batch_size);
  BOOST_TEST(again > seeds / 2);
  std::cout << seeds << " disks failed: " << stored << " messages were stored, " << again
            << " given again\n";
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_counted_until_it_has_ended_also_after_a_restart) {
  StoringSociety society(1);
  BOOST_TEST(society.kept() == 0u);
  society.write({});  // to an agent that is absent
  BOOST_TEST(society.kept() == batch_size);
  const std::uint64_t bytes = society.kept_bytes();
  BOOST_TEST(bytes > 2u * batch_size);
  society.restart_store();
  BOOST_TEST(society.kept() == batch_size);
  BOOST_TEST(society.kept_bytes() == bytes);
  society.read();
  society.settle();
  BOOST_TEST(society.wrong() == "");
  BOOST_TEST(society.kept() == 0u);
  BOOST_TEST(society.kept_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(mistakes_of_a_message_store_are_noticed_by_senders_that_go_on) {
  for (const BackendFault fault :
       {BackendFault::promises_in_vain, BackendFault::opens_at_once, BackendFault::turns_round}) {
    std::uint64_t seed = 1;
    bool is_found = false;
    for (; seed <= 2000 && !is_found; ++seed) {
      StoringSociety society(seed, fault);
      play(society, seed);
      is_found = !society.wrong().empty();
    }
    BOOST_TEST(is_found, "mistake " << static_cast<int>(fault));
    std::cout << "mistake " << static_cast<int>(fault) << " is found after " << seed - 1
              << " seeds\n";
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test::storing
