// Names that are held on other nodes, at the mailbox that stands for them here: the messages that
// go to the holder (outbound.cpp), and the change from one holder to the next
// (changing_holders.cpp).
#pragma once

#include "coracle/directory.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/outcome.hpp"

#include <cstdint>
#include <functional>

namespace coracle {

class Agent;

namespace detail {

class Mailbox;
class Worker;
struct Holder;
struct MessageRecord;
struct UnderWay;

// --- messages to the holder ---
// Performs a whole send of a plain message before which nothing waits. False leaves everything as
// it was.
bool send_away_plain(Worker& home, Agent& sender, MessageRecord& record);
// Puts a message into its mailbox here, or sends it at once to its holder.
void put_away(Worker& home, Mailbox& mailbox, MessageRecord* record) noexcept;
// Sends what waits, as long as the holder may get it.
void pump(Worker& home, Mailbox& mailbox) noexcept;
// There is room for more on the link.
void unblock(Worker& home, Mailbox& mailbox) noexcept;
// Frees the slot of a message that has ended, or is about to end.
void free_place(Worker& home, Mailbox& mailbox, UnderWay& message) noexcept;
// Handles a node's report of messages that went to it; its reports of other messages are ignored.
void on_report(Worker& home, Mailbox& mailbox, LeaseId from, std::uint8_t said, std::uint64_t first,
               std::uint64_t count);

// --- the holder ---
void on_holder(Worker& home, Mailbox& mailbox, const Holder& holder);
void on_holder_ended(Worker& home, Mailbox& mailbox, const Ending& ending);
void on_holder_closed(Worker& home, Mailbox& mailbox, LeaseId from, const Ending& ending);
void on_peer_gone(Worker& home, Mailbox& mailbox, LeaseId lease);
void on_mailbox(Worker& home, Mailbox& mailbox, LeaseId from, const MailboxOptions& options);
// An agent is to hold the name here. Returns true when it has to wait until the last holder has
// reported on its messages; then `begin` is called.
bool awaits_answers(Worker& home, Mailbox& mailbox, Incarnation life,
                    std::function<void(Worker&)> begin);
// Goes on to the next holder, as soon as that is allowed.
void go_to_next_holder(Worker& home, Mailbox& mailbox);
// The last holder has reported on all its messages, or will not do so any more.
void part_from_holder(Worker& home, Mailbox& mailbox);
// This node has a new lease. A node that received messages from this node now takes this node for
// gone. A node that sent messages to this node has taken them back.
void begin_again_at(Worker& home, Mailbox& mailbox);

}  // namespace detail

}  // namespace coracle
