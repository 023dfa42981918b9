// A mailbox's side of a name that is held on another node. See remote.hpp.
#pragma once

#include "coracle/outcome.hpp"
#include "coracle/transport.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/worker/timers.hpp"
#include "under_way.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::detail {

// The holder of a name, according to the directory; lease 0 is nobody.
struct Holder {
  LeaseId lease = 0;
  Incarnation life;
  MailboxOptions mailbox;
};

// A mailbox's side of a name that is, or was, held elsewhere. Messages go to one holder at a time:
// before the next holder gets any, the last one has reported on all that it was sent.
struct RemoteSide {
  // Rings when the last holder's node has not answered in time.
  struct Patience final : TimerNode {
    Patience(Worker& at, Mailbox& of) noexcept : TimerNode(&on_time), worker(at), mailbox(of) {}
    static void on_time(TimerNode& timer) noexcept;
    Worker& worker;
    Mailbox& mailbox;
  };
  // Rings when a message store that had no room may be tried again.
  struct Pause final : TimerNode {
    Pause(Worker& at, Mailbox& of) noexcept : TimerNode(&on_time), worker(at), mailbox(of) {}
    static void on_time(TimerNode& timer) noexcept;
    Worker& worker;
    Mailbox& mailbox;
  };

  Holder now;            // the holder that messages go to
  Holder next;           // the latest holder that is known
  bool used = false;     // something went to `now`
  bool parting = false;  // `now` ends, and has not reported on everything
  bool closed = false;   // `now` has announced its end
  bool blocked = false;  // the link to `now` has no room
  EndReason reason = EndReason::unreachable;
  std::string text;
  std::uint64_t slot_requests = 0;  // the number of the last one
  UnderWays under_way;
  std::size_t open = 0;  // messages without a report
  // Messages that readers or other mailboxes there have taken, so that they have no slot here any
  // more, and their bytes.
  std::size_t taken = 0, taken_bytes = 0;
  std::uint64_t marked = 0;  // the messages visited for reports, ends in a run left out
  std::map<LeaseId, std::size_t> moved_on;  // the messages that wait elsewhere, by node
  // For a holder that is an eavesdropper: the copies that found no room on the way to it, by
  // its number of the tap.
  std::map<std::uint64_t, Missed> gaps;
  std::vector<std::function<void(Worker&)>> arrivals;  // agents that shall hold the name here
  std::unique_ptr<Patience> patience;
  // For a mailbox that stands for its name at the message store, which is its holder; an
  // incarnation is a round.
  Mailbox* stands_for = nullptr;
  bool turned_down = false;  // the message store has no room
  // The last reason of the store for that; keeps_nothing: it gave none. Senders on other workers
  // read it.
  std::atomic<std::uint8_t> refusal{0};
  bool is_probing = false;  // one message finds out whether the store has room again
  Duration pause_length{};  // the pause before that
  std::unique_ptr<Pause> pause;

  // Returns whether the holder may get more; otherwise what comes waits.
  bool may_go() const noexcept { return now.lease != 0 && !parting && !blocked; }
};

inline RemoteSide* known_side(const Mailbox& mailbox) noexcept {
  return mailbox.extension ? mailbox.extension->remote.get() : nullptr;
}
inline RemoteSide& side_of(Mailbox& mailbox) {
  auto& side = mailbox.ext().remote;
  if (!side) side = std::make_unique<RemoteSide>();
  return *side;
}

// A message that a stopping node hands over to the message store.
struct HandedOver {
  Mailbox* mailbox = nullptr;
  MessageRecord* record = nullptr;
  std::optional<Stage> kept = {};  // the stage that the message store has promised for it
  std::optional<Errc> why = {};    // the store's reason for no promise
};

// Limits the time that messages wait for a name that nobody holds.
void await_holder(Worker& home, Mailbox& mailbox);
// Returns the requests to an agent that ended whose requesters need not be notified: they are for
// the next holder.
std::vector<std::uint64_t> requests_left(const Mailbox& mailbox, EndReason reason);
// Looks for the holder again: the directory does not report a second time a holder that had been
// taken for gone and lives. With a lease, only that one is looked for, and messages go to it.
void find_again(Worker& home, Mailbox& mailbox, LeaseId lease = 0);
// A reply from another node: the request's conversation, and the incarnation that sent the request.
struct ReplyOf {
  Conversation conversation = 0;
  Incarnation asking_life;
};
// Decides on a waiting reply whose requester is not known yet, by what the directory knows now.
void judge_reply(Worker& home, Mailbox& target, ReplyOf which);
// The society's policy does not let this reply come, or the reply is too large: notifies the agent
// that waits for it.
void deny_answer(Worker& home, const MessageRecord& reply) noexcept;
// The text for requesters whose request was acknowledged, when a name is taken over.
inline constexpr const char* taken_over = "another agent has taken its name over";
// Notes that a request is answered. When the requester is of another node and not known to be
// there, the reply notes the incarnation in which it sent the request.
void note_answer(MessageRecord& reply, const MessageView& request);
// Returns whether a later incarnation of the name is, or was, known to be elsewhere.
bool is_overtaken(const Mailbox& mailbox, Incarnation life) noexcept;

}  // namespace coracle::detail
