// Sending to the message store: what the agents of a node send goes to the society's message store,
// which promises to keep it, and gives it to its target. For each target name, a second mailbox
// stands for the name at the message store. A message waits in this mailbox for its way to the
// store, and is under way until the store reports that it has the message. A refused message is
// sent again, in its order, in another round.
// The message store's side is in store_server.hpp.
#pragma once

#include "coracle/outcome.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/remote/delivery_reports.hpp"

#include <cstdint>

namespace coracle::detail {

struct RemoteSide;
struct UnderWay;

// Makes a message that leaves its sender go by way of the message store.
void send_to_store(Worker& worker, MessageRecord& record);
inline bool is_storing(const Mailbox& mailbox) noexcept {
  return (mailbox.mode_now() & Mode::storing) != 0;
}
// Returns the mailbox that agents address.
Mailbox& spoken_of(Mailbox& mailbox) noexcept;

// The message store is another one, or gone (0). To be called at the home of a storing mailbox, as
// all of these.
void on_store(Worker& home, Mailbox& mailbox, LeaseId store);
// The message store has promised to keep the message.
void on_kept(Worker& home, Mailbox& mailbox, RemoteSide& side, UnderWay& message);
// The message store has no room for the message, and takes none of those behind it either. If it
// may have stored the message all the same, the message is marked as redelivered when it is sent
// again.
void on_turned_down(RemoteSide& side, UnderWay& message, bool may_be_stored);
// Notes why the store has no room; `why` is a byte of reason_not_to_keep().
void note_refusal(Mailbox& mailbox, std::uint8_t why) noexcept;
// Begins another round when the store has reported on all of the present one.
void begin_round(Worker& home, Mailbox& mailbox, RemoteSide& side);
// Nothing more will be known of the messages that the last message store has.
void leave_kept(Worker& home, UnderWay& message) noexcept;
// The receipt of the message will not change any more.
void report_out_of_sight(const MessageRecord& record) noexcept;
// Notifies the requester that there will be no reply.
void fail_asker(const MessageRecord& request, Errc error, const char* text = "") noexcept;
// A reply could not be sent, so its request has none.
void owes_again(const MessageRecord& answer) noexcept;
void enter_round(Worker& home, Mailbox& mailbox, RemoteSide& side);
// The message store reports that the agent of a name has ended: notifies its requesters, unless
// their request waits for the next holder.
void tell_askers(NodeCore& node, Mailbox& spoken_of, const Ending& ending);

// As the message store: reports to the node of a sender that wants the outcome of its message.
void tell_sender(Worker& worker, const MessageRecord& record, Outcome outcome, DropReason reason);
void tell_sender(Worker& worker, const MessageRecord& record, std::uint8_t said);
inline void tell_sender(Worker& worker, const MessageRecord& record, ReportKind said) {
  tell_sender(worker, record, static_cast<std::uint8_t>(said));
}
// Announces that an agent has ended, with reports on all that it got, to the nodes that have stored
// requests to it.
void tell_of_end(NodeCore& node, Mailbox& mailbox, const RemoteSide& side);
// Notes the node of a request that is kept.
void note_asker(Worker& home, Mailbox& target, const MessageRecord& record);
// Returns whether somebody at the sender's node wants the outcome.
inline bool is_awaited_elsewhere(const MessageRecord& record) noexcept {
  const OptionalFields* const fields = record.fields;
  return fields != nullptr && fields->kept != 0 && fields->origin != 0 &&
         (fields->tracked || (record.flags & request_flag) != 0);
}

}  // namespace coracle::detail
