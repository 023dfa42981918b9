// Each mutation of the journal's rules is noticed within 2,000 seeds.
#include "coracle/support/mutations.hpp"
#include "support/store_player.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::store::test {
namespace {

void is_found(Mutation mutation) {
  chosen_mutation = mutation;
  bool found = false;
  for (std::uint64_t seed = 0; seed < 2000 && !found; ++seed) {
    const std::string verdict = StorePlayer(seed).play();
    found = !verdict.empty();
    if (found) BOOST_TEST_MESSAGE("found by seed " << seed << ": " << verdict);
  }
  chosen_mutation = Mutation::none;
  BOOST_TEST(found, "not found within 2,000 seeds");
}

BOOST_AUTO_TEST_SUITE(journal)

BOOST_AUTO_TEST_CASE(an_answer_before_the_sync_is_noticed) {
  is_found(Mutation::acknowledge_before_sync);
}
BOOST_AUTO_TEST_CASE(a_tail_that_is_cut_too_far_is_noticed) { is_found(Mutation::cut_whole_group); }
BOOST_AUTO_TEST_CASE(a_name_before_the_content_is_noticed) {
  is_found(Mutation::rename_before_sync);
}
BOOST_AUTO_TEST_CASE(going_on_after_a_failed_sync_is_noticed) {
  is_found(Mutation::go_on_after_failed_sync);
}
BOOST_AUTO_TEST_CASE(trusting_what_can_be_read_is_noticed) {
  is_found(Mutation::trust_what_is_read);
}
BOOST_AUTO_TEST_CASE(removing_a_segment_too_early_is_noticed) {
  is_found(Mutation::remove_before_sync);
}
BOOST_AUTO_TEST_CASE(a_name_that_is_not_synced_is_noticed) {
  is_found(Mutation::forget_to_sync_folder);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
