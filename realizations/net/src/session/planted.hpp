// Mistakes that a test may plant into a session, one at a time, to prove that it would find them.
// They exist only where CORACLE_PLANTED is defined; elsewhere planted() is a constant.
#pragma once

#include <cstdint>

namespace coracle::net {

enum class Bug : std::uint8_t {
  none,
  watermark_ignored,      // what came before a reconnection is taken again
  acknowledged_too_far,   // one message more is acknowledged than has come
  rewound_too_little,     // what was given to the writer counts as arrived
  credit_counted_again,   // what comes again is charged again
  credit_forgotten,       // a reconnection forgets what was granted
  settlements_not_kept,   // settlements that were being written are lost with the connection
  settled_twice,          // settlements are told again after a reconnection
  partial_off_by_one,     // a large message goes on one byte too late
  chunk_kept_over_lives,  // pieces of the last life begin the first large message of the next
  restart_not_noticed,    // another epoch is taken for the same
  unsettled_not_listed,   // a restart forgets what was sent and not acknowledged
  lanes_confused,         // the acknowledgement of the normal lane also counts for the control lane
};

#ifdef CORACLE_PLANTED
inline Bug planted_bug = Bug::none;
inline bool planted(Bug bug) { return bug == planted_bug; }
#else
constexpr bool planted(Bug) { return false; }
#endif

}  // namespace coracle::net
