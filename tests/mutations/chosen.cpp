// Chooses the mutation that the environment names, before the tests begin. Then the program
// succeeds as soon as a test case has failed, and fails if none has.
#include "coracle/support/mutations.hpp"

#include <boost/test/results_collector.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::pair<std::string_view, Mutation> names[] = {
    {"call_begun_again", Mutation::call_begun_again},
    {"rejection_is_final", Mutation::rejection_is_final},
    {"waits_for_successor", Mutation::waits_for_successor},
    {"again_not_said", Mutation::again_not_said},
    {"silence_is_no_answer", Mutation::silence_is_no_answer},
    {"gone_not_told", Mutation::gone_not_told},
    {"said_before_saved", Mutation::said_before_saved},
    {"any_sender", Mutation::any_sender},
    {"any_partner", Mutation::any_partner},
    {"any_address", Mutation::any_address},
    {"any_reply_to", Mutation::any_reply_to},
    {"any_exposed", Mutation::any_exposed},
    {"any_task", Mutation::any_task},
    {"any_state", Mutation::any_state},
    {"any_transcript", Mutation::any_transcript},
    {"any_look", Mutation::any_look},
    {"rate_ignored", Mutation::rate_ignored},
    {"beyond_uncounted", Mutation::beyond_uncounted},
    {"beyond_by_receiver", Mutation::beyond_by_receiver},
    {"end_hides_beyond", Mutation::end_hides_beyond},
    {"copied_by_receiver", Mutation::copied_by_receiver},
    {"notices_unasked", Mutation::notices_unasked},
    {"notices_uncopied", Mutation::notices_uncopied},
    {"early_is_forgotten", Mutation::early_is_forgotten},
    {"noted_again", Mutation::noted_again},
    {"receipt_passed_over", Mutation::receipt_passed_over},
    {"followed_uncounted", Mutation::followed_uncounted},
    {"unfollowed_untold", Mutation::unfollowed_untold},
    {"any_noted", Mutation::any_noted},
    {"any_note", Mutation::any_note},
    {"any_receiver", Mutation::any_receiver},
    {"any_options", Mutation::any_options},
    {"copies_uncounted", Mutation::copies_uncounted},
    {"notices_uncounted", Mutation::notices_uncounted},
    {"notices_are_copies", Mutation::notices_are_copies},
    {"gap_wraps", Mutation::gap_wraps},
    {"gaps_uncounted", Mutation::gaps_uncounted},
    {"taps_uncounted", Mutation::taps_uncounted},
    {"own_taps_uncounted", Mutation::own_taps_uncounted},
    {"greetings_uncounted", Mutation::greetings_uncounted},
    {"any_algorithm", Mutation::any_algorithm},
    {"any_signature", Mutation::any_signature},
    {"any_key", Mutation::any_key},
    {"any_extension", Mutation::any_extension},
    {"any_type", Mutation::any_type},
    {"any_issuer", Mutation::any_issuer},
    {"any_audience", Mutation::any_audience},
    {"any_end", Mutation::any_end},
    {"endless", Mutation::endless},
    {"any_beginning", Mutation::any_beginning},
    {"any_name", Mutation::any_name},
    {"any_time", Mutation::any_time},
};

const bool is_chosen = [] {
  const char* const wanted = std::getenv("CORACLE_MUTATION");
  if (wanted == nullptr) return false;
  for (const auto& [name, mutation] : names) {
    if (name == wanted) return chosen_mutation = mutation, true;
  }
  std::cerr << "there is no such mutation: " << wanted << '\n';
  std::_Exit(1);
}();

// The remaining cases would only wait for what the mutation prevents.
class FirstFailure final : public boost::unit_test::test_observer {
 public:
  void test_unit_finish(const boost::unit_test::test_unit& unit, unsigned long) override {
    if (unit.p_type != boost::unit_test::TUT_CASE) return;
    if (boost::unit_test::results_collector.results(unit.p_id).passed()) return;
    std::cout << "mutation: found by " << unit.full_name() << std::endl;
    std::_Exit(0);
  }
  void test_finish() override {
    std::cout << "mutation: no test has found it" << std::endl;
    std::_Exit(1);
  }
  int priority() override { return 10; }  // behind what collects and shows the results
};

struct Observed {
  Observed() {
    static FirstFailure first_failure;
    if (is_chosen) boost::unit_test::framework::register_observer(first_failure);
  }
};

BOOST_TEST_GLOBAL_FIXTURE(Observed);

}  // namespace

}  // namespace coracle::detail
