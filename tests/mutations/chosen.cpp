// Chooses the mutation that the environment names, before the tests begin.
#include "coracle/support/mutations.hpp"

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
};

// ctest expects a failure: a name that nobody knows must not look like one.
const bool is_chosen = [] {
  const char* const wanted = std::getenv("CORACLE_MUTATION");
  if (wanted == nullptr) return false;
  for (const auto& [name, mutation] : names) {
    if (name == wanted) return chosen_mutation = mutation, true;
  }
  std::cerr << "there is no such mutation: " << wanted << '\n';
  std::_Exit(0);
}();

}  // namespace

}  // namespace coracle::detail
