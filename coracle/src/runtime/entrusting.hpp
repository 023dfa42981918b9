// Entrusting: what the agents of a node send goes to the society's custodian, who promises to keep
// it, and gives it to its target. For each name that is sent to, a second party stands for it at
// the custodian: in front of it a message waits for its way there, and is under way until the
// custodian says that it has it. What is refused is sent again, in its order, in another round.
// The custodian's side is in custodian.cpp.
#pragma once

#include "coracle/outcome.hpp"
#include "runtime/marks.hpp"
#include "runtime/party.hpp"

#include <cstdint>

namespace coracle::detail {

struct RemoteSide;
struct UnderWay;

// Has a message that leaves its sender go by the custodian.
void entrust(Worker& worker, Parcel& parcel);
inline bool is_entrusting(const Party& party) noexcept {
  return (party.mode_now() & Mode::entrusting) != 0;
}
// The party that agents speak of.
Party& spoken_of(Party& party) noexcept;

// The custodian is another one, or gone (0). At the home of an entrusting party, as all of these.
void on_keeper(Worker& home, Party& party, LeaseId keeper);
// It has promised to keep the message.
void on_kept(Worker& home, Party& party, RemoteSide& side, UnderWay& message);
// It has no room for the message, and takes none of those behind it either. If it may have stored
// the message all the same, that is marked when it is sent again.
void on_turned_down(RemoteSide& side, UnderWay& message, bool may_be_stored);
// Why it has no room; a byte of reason_not_to_keep().
void note_refusal(Party& party, std::uint8_t why) noexcept;
// When all of that round is answered for: another round.
void begin_round(Worker& home, Party& party, RemoteSide& side);
// Nothing more will be heard of what the last custodian has.
void leave_kept(Worker& home, UnderWay& message) noexcept;
// The receipt of a message says no more.
void report_out_of_sight(const Parcel& parcel) noexcept;
// Whoever asked that is told that there will be no answer.
void fail_asker(const Parcel& request, Errc error, const char* text = "") noexcept;
// An answer could not be sent: its question has none.
void owes_again(const Parcel& answer) noexcept;
void enter_round(Worker& home, Party& party, RemoteSide& side);
// The custodian says that the agent of a name has ended: who has asked it hears that, unless the
// question waits for the next one.
void tell_askers(NodeCore& node, Party& spoken_of, const Ending& ending);

// As the custodian: tells the node of a sender that wants to know what became of its message.
void tell_sender(Worker& worker, const Parcel& parcel, Outcome outcome, DropReason reason);
void tell_sender(Worker& worker, const Parcel& parcel, std::uint8_t said);
inline void tell_sender(Worker& worker, const Parcel& parcel, Mark said) {
  tell_sender(worker, parcel, static_cast<std::uint8_t>(said));
}
// Tells nodes that have entrusted questions to an agent that it has ended, and answered for all.
void tell_of_end(NodeCore& node, Party& party, const RemoteSide& side);
// A message of such a node is kept.
void note_asker(Worker& home, Party& target, const Parcel& parcel);
// Whether somebody there wants to know.
inline bool is_awaited_elsewhere(const Parcel& parcel) noexcept {
  const Extras* const extras = parcel.extras;
  return extras != nullptr && extras->kept != 0 && extras->origin != 0 &&
         (extras->tracked || (parcel.flags & request_flag) != 0);
}

}  // namespace coracle::detail
