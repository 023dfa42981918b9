// Plants the mistake that the environment names, before the tests begin.
#include "slips.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::pair<std::string_view, Slip> names[] = {
    {"call_begun_again", Slip::call_begun_again},
    {"rejection_is_final", Slip::rejection_is_final},
    {"waits_for_successor", Slip::waits_for_successor},
    {"again_not_said", Slip::again_not_said},
    {"silence_is_no_answer", Slip::silence_is_no_answer},
    {"gone_not_told", Slip::gone_not_told},
    {"said_before_saved", Slip::said_before_saved},
};

// ctest expects a failure: a name that nobody knows must not look like one.
const bool planted = [] {
  const char* const wanted = std::getenv("CORACLE_SLIP");
  if (wanted == nullptr) return false;
  for (const auto& [name, slip] : names) {
    if (name == wanted) return planted_slip = slip, true;
  }
  std::cerr << "there is no such slip: " << wanted << '\n';
  std::_Exit(0);
}();

}  // namespace

}  // namespace coracle::detail
