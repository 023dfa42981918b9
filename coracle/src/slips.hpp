// Mistakes that a test may plant into remote calls, broadcasts and tuple spaces, one at a time, to
// prove that their tests notice. They exist only where CORACLE_PLANTED is defined; elsewhere
// slips() is a constant.
#pragma once

#include <cstdint>

namespace coracle::detail {

enum class Slip : std::uint8_t {
  none,
  call_begun_again,      // a call that was handed out before is made once more
  rejection_is_final,    // nobody else is asked after a rejection
  waits_for_successor,   // a request waits for the next holder of a handler's name
  again_not_said,        // a handler is not told that another one had the request before
  silence_is_no_answer,  // a request that its handler drops has no end
  gone_not_told,         // the keeper is not told what was taken
  said_before_saved,     // answers do not wait for the keeper
};

#ifdef CORACLE_PLANTED
inline Slip planted_slip = Slip::none;
inline bool slips(Slip slip) noexcept { return slip == planted_slip; }
#else
constexpr bool slips(Slip) noexcept { return false; }
#endif

}  // namespace coracle::detail
