// Mistakes that a test may plant into what a node says to other nodes, one at a time, to prove that
// generated societies would find them. They exist only where CORACLE_PLANTED is defined; elsewhere
// planted() is a constant.
#pragma once

#include <cstdint>

namespace coracle::detail {

enum class Bug : std::uint8_t {
  none,
  taken_back_unmarked,    // what another node may have read comes again without a mark
  taken_back_last,        // what comes back waits behind what came later
  not_taken_back,         // what a holder had not read when it ended is forgotten
  next_holder_too_early,  // the next holder begins before the last has answered for everything
  one_mark_too_many,      // what is said of some messages counts for the one behind them, too
  read_taken_for_unread,  // a message that was given back is believed not to have been read
  ear_not_told,           // other nodes do not hear of an eavesdropper
  ears_not_asked_for,     // a node that comes later does not ask who overhears
  copy_forgotten,         // a copy from another node is not delivered, and nobody is told
  name_not_lost,          // an agent whose name is held elsewhere goes on
  moved_on_not_counted,   // a message whose keeper is gone has no end
  kept_too_early,         // what is entrusted is said to be kept before the disk has it
  behind_is_kept,         // what comes behind something for which there was no room is kept
  handed_over_backwards,  // the custodian gets the newest first
  silence_is_consent,     // what a custodian that is gone has not answered counts as stored
  kept_before_stored,     // the custodian answers before its custody has
  any_source,             // a member may speak in any name
  any_keeper,             // a member that says that it is the custodian is believed
  any_hearer,             // an ear may name somebody else's agent as its hearer
  any_mark,               // a member may say what became of messages that it was not sent
  any_closing,            // a member may say that somebody else's agent has ended
  any_answer,             // a member may answer what somebody else was asked
  any_gap,                // a gap may have a source and a content: it is a message
  any_ear,                // a member may end somebody else's ear
  any_joiner,             // a member may ask for a group's last messages in any name
  opened_is_forgotten,    // what may have been read before a restart is given without a mark
};

#ifdef CORACLE_PLANTED
inline Bug planted_bug = Bug::none;
inline bool planted(Bug bug) noexcept { return bug == planted_bug; }
#else
constexpr bool planted(Bug) noexcept { return false; }
#endif

}  // namespace coracle::detail
