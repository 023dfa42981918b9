// Mutations: faults that a test puts into the library, one at a time, to prove that the tests find
// them. They exist only where CORACLE_MUTATIONS is defined; elsewhere mutated() is a constant.
#pragma once

#include <cstdint>

namespace coracle {

// All mutations there are.
enum class Mutation : std::uint8_t {
  none,

  // Frames between nodes: coracle/src/runtime.
  taken_back_unmarked,    // a message that another node may have read comes again unmarked
  taken_back_last,        // a message that comes back waits behind later ones
  not_taken_back,         // messages that a holder had not read when it ended are forgotten
  next_holder_too_early,  // the next holder begins before the last has reported on everything
  one_report_too_many,    // a report about some messages counts for the one behind them, too
  read_taken_for_unread,  // a message that was given back is taken for unread
  tap_not_told,           // a tap is not announced to other nodes
  taps_not_asked_for,     // a node that comes later does not ask for the taps
  any_size,               // a message over its reader's limit is read all the same
  copy_forgotten,         // a copy from another node is not delivered, without any notice
  name_not_lost,          // an agent whose name is held elsewhere goes on
  moved_on_not_counted,   // a message is not counted as lost when the node that keeps it is gone
  kept_too_early,         // the message store reports a message as kept before the disk has it
  behind_is_kept,         // a message behind one for which there was no room is kept
  handed_over_backwards,  // the message store gets the newest message first
  silence_is_consent,   // messages that a vanished message store has not confirmed count as stored
  kept_before_stored,   // the message store confirms before its backend has the message
  any_source,           // a member may send in any name
  any_store,            // a member that announces itself as the message store is believed
  any_eavesdropper,     // a tap may name another node's agent as its eavesdropper
  any_report,           // a member may report the outcome of messages that it was not sent
  any_closing,          // a member may report that another node's agent has ended
  any_answer,           // a member may reply to a request that another one received
  any_gap,              // a gap may have a source and a content: it is a message
  any_tap,              // a member may end another node's tap
  any_joiner,           // a member may request a group's last messages in any name
  any_probe,            // a probe may go to a name that nobody has used
  any_tracked,          // a copy, a gap or a dead letter may ask for delivery reports
  mentioned_is_kept,    // a name that a member merely mentions gets a record
  mute_is_awaited,      // a member that does not reply is waited for, however often it was silent
  opened_is_forgotten,  // a message that may have been read before a restart comes unmarked

  // Messages that an operator holds: coracle/src/runtime/operating.
  held_unasked,         // messages are held without the right to operate their receiver
  any_hold,             // a member may release what another one holds
  any_stepped,          // a member may reply for another one about a hold
  steps_uncounted,      // a member may ask about its holds without limit
  holds_uncounted,      // a node may begin any number of holds
  held_uncounted,       // any number of messages are held
  again_is_held,        // a message that may have been read before is held once more
  held_is_read,         // a held message is received all the same
  released_behind,      // a message that is released goes behind those that came later
  released_unnoticed,   // a reader that waits does not get what is released
  left_is_held,         // a message that has expired counts as held
  ended_is_held,        // messages of an agent that has ended stay held
  hold_outlives_agent,  // a hold goes on after the operator's agent
  hold_outlives_node,   // a hold goes on after the operator's node
  hold_outlives_stop,   // messages are held while their node stops
  busy_is_final,        // a node that is too busy to answer is not asked again

  // Taps: coracle/src/runtime/groups.
  rate_ignored,         // a tap gets more copies than its rate
  beyond_uncounted,     // messages beyond a rate are not counted
  beyond_by_receiver,   // a message to several that is beyond a rate counts for each of them
  end_hides_beyond,     // a tap that ends does not learn what was beyond its rate
  copied_by_receiver,   // a message to several is copied for each of them
  notices_unasked,      // a tap without outcomes gets notices
  notices_uncopied,     // a tap gets notices of messages that were not copied for it
  early_is_forgotten,   // stages that are reached before the copy is sent are not reported
  noted_again,          // a stage is reported each time that it is reached
  receipt_passed_over,  // a message that is followed does not report to its receipt
  followed_uncounted,   // a worker follows any number of messages
  unfollowed_untold,    // notices of a message that is not followed do not count as missing
  any_noted,            // a message that is no copy may have a note
  any_note,             // a copy may have a note that means nothing
  any_receiver,         // a notice may be about a receiver that has no name
  any_options,          // a tap may have options that mean nothing
  copies_uncounted,     // any number of copies wait for their eavesdropper
  notices_uncounted,    // any number of notices wait for their eavesdropper
  notices_are_copies,   // notices take the room of copies
  gap_wraps,            // a gap beyond all numbers begins at zero again
  gaps_uncounted,       // any number of taps that have missed copies are remembered
  taps_uncounted,       // a member may register any number of taps
  own_taps_uncounted,   // the agents of a node may have any number of taps
  greetings_uncounted,  // a member gets the taps of a node however often it asks for them

  any_character,  // names may have control characters: coracle/src/name.cpp

  // Remote calls, broadcasts and tuple spaces.
  call_begun_again,      // a call that was handed out before is made once more
  rejection_is_final,    // no other handler is asked after a rejection
  waits_for_successor,   // a request waits for the next holder of a handler's name
  again_not_said,        // a handler does not learn that another one had the request before
  silence_is_no_answer,  // a request that its handler drops never ends
  gone_not_told,         // the keeper does not learn which tuples were taken
  said_before_saved,     // replies do not wait for the keeper

  // Conversations of FIPA: acl/src.
  any_sender,   // a message comes from the agent that it names as its sender
  any_partner,  // another agent may answer for the partner of a conversation

  // Gateways of FIPA: gateways/fipa/src.
  any_address,   // a letter changes where messages to the agent go that it names as its sender
  any_reply_to,  // a letter may have its answer sent to an agent that is not exposed
  any_exposed,   // other platforms reach every agent

  // Gateways of MCP: gateways/mcp/src.
  any_task,        // a caller may use the task of another one
  any_state,       // a caller may answer the question that was put to another one
  any_transcript,  // a caller may read the requests of another one
  any_look,        // clients may look at every agent

  // Signed tokens of callers: gateways/jose/src.
  any_algorithm,  // a token may be signed by an algorithm that is not accepted
  any_signature,  // a token may have any signature
  any_key,        // a token may be signed by another key than the one that it names
  any_extension,  // a token may have an extension that has to be understood
  any_type,       // a signed text of another type is a token
  any_issuer,     // a token may be of another issuer
  any_audience,   // a token for somebody else is accepted
  any_end,        // a token that has expired is accepted
  endless,        // a token without an end is accepted
  any_beginning,  // a token that is not valid yet is accepted
  any_name,       // a token may name its caller by any bytes
  any_time,       // the keys are read again for each token whose key is unknown

  // Sessions of links: realizations/net/src/session.
  watermark_ignored,     // frames that came before a reconnection are taken again
  acknowledged_too_far,  // one message more is acknowledged than has come
  rewound_too_little,    // bytes that were given to the writer count as arrived
  credit_counted_again,  // frames that come again are charged again
  credit_forgotten,      // a reconnection forgets what was granted
  restart_not_noticed,   // another epoch is taken for the same

  // The services of a society: realizations/net/src/society.
  relayed_twice,       // a clearinghouse sends some frames to their receiver twice
  away_is_gone,        // a clearinghouse forgets frames for a node without a connection
  lease_end_not_told,  // the directory does not announce that a lease has ended
  sends_unasked,       // the policy is not applied to messages
  copies_unasked,      // nor to copies for eavesdroppers
  refused_is_heard,    // messages that the policy refuses are overheard all the same
  claims_unasked,      // the policy is not applied to registrations
  joins_unasked,       // nor to joining a group
  any_lease,           // a node may act for the lease of another one
  any_relayed,         // a node may send under the lease of another one
  any_generation,      // a node may report leases of any generation

  // The journal on a disk: realizations/store/src.
  acknowledge_before_sync,  // a batch counts as written before its sync
  cut_whole_group,          // recovery leaves the last group out, even if the group is good
  rename_before_sync,       // a new segment gets its name before its content is synced
  go_on_after_failed_sync,  // a failed sync is tried again
  trust_what_is_read,       // recovery does not write the last group again
  remove_before_sync,       // a finished segment is removed before the cause of its end is synced
  forget_to_sync_folder,    // a new segment's name is not synced
};

#ifdef CORACLE_MUTATIONS
inline Mutation chosen_mutation = Mutation::none;
inline bool mutated(Mutation mutation) noexcept { return mutation == chosen_mutation; }
#else
// Returns whether the library is to make that fault.
constexpr bool mutated(Mutation) noexcept { return false; }
#endif

}  // namespace coracle
