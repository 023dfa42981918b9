// A party's side of a name that is held on another node. See remote.hpp.
#pragma once

#include "coracle/links.hpp"
#include "coracle/outcome.hpp"
#include "runtime/party.hpp"
#include "runtime/timers.hpp"
#include "runtime/under_way.hpp"

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

// Who holds a name, as the directory says; lease 0 is nobody.
struct Holder {
  LeaseId lease = 0;
  Incarnation life;
  MailboxOptions mailbox;
};

// A message that waits on another node, as it was told; of a long one the beginning.
struct WaitingMessage {
  std::uint16_t flags = 0;
  Conversation conversation = 0;
  std::uint64_t size = 0;
  std::string source, text;
};
// What waits for a name on all other nodes; of many only the first are told.
struct Peeked {
  bool is_allowed = true;  // by the society's policy
  std::uint64_t count = 0;
  std::vector<WaitingMessage> messages;
};

// A party's side of a name that is, or was, held elsewhere. Messages go to one holder at a time:
// before the next one gets any, the last one has answered for all that it was sent.
struct RemoteSide {
  // Rings when the last holder's node has not answered in time.
  struct Patience final : TimerNode {
    Patience(Worker& at, Party& of) noexcept : TimerNode(&on_time), worker(at), party(of) {}
    static void on_time(TimerNode& timer) noexcept;
    Worker& worker;
    Party& party;
  };
  // Rings when a custodian that had no room may be asked again.
  struct Pause final : TimerNode {
    Pause(Worker& at, Party& of) noexcept : TimerNode(&on_time), worker(at), party(of) {}
    static void on_time(TimerNode& timer) noexcept;
    Worker& worker;
    Party& party;
  };

  Holder now;            // where messages go
  Holder next;           // the latest that is known
  bool used = false;     // something went to `now`
  bool parting = false;  // `now` ends, and has not answered for everything
  bool closed = false;   // it has said that it ended
  bool blocked = false;  // its link has no room
  EndReason reason = EndReason::unreachable;
  std::string text;
  std::uint64_t knocks = 0;  // number of the last
  UnderWays under_way;
  std::size_t open = 0;                                // those without an answer
  // Taken by readers or other mailboxes there, so that they have no place here any more, and how
  // much they are.
  std::size_t taken = 0, taken_bytes = 0;
  std::uint64_t marked = 0;  // how many messages were looked at for marks, ends in a run left out
  std::map<LeaseId, std::size_t> moved_on;  // how many wait elsewhere, by the node
  // Of its holder as an eavesdropper: the copies that found no room on the way to it, by ear.
  std::map<std::uint64_t, std::uint64_t> gaps;
  std::vector<std::function<void(Worker&)>> arrivals;  // agents that shall hold the name here
  std::unique_ptr<Patience> patience;
  // Of a party that stands for its name at the custodian, which is its holder; a life is a round.
  Party* stands_for = nullptr;
  bool turned_down = false;  // the custodian has no room
  // Why, as it said last; keeps_nothing: it has not said. Other workers' senders read it.
  std::atomic<std::uint8_t> refusal{0};
  bool is_probing = false;  // whether it has some again: one message finds out
  Duration pause_length{};  // before that
  std::unique_ptr<Pause> pause;

  // Whether its holder may get more; else what comes waits.
  bool may_go() const noexcept { return now.lease != 0 && !parting && !blocked; }
};

inline RemoteSide* known_side(const Party& party) noexcept {
  return party.extension ? party.extension->remote.get() : nullptr;
}
inline RemoteSide& side_of(Party& party) {
  auto& side = party.ext().remote;
  if (!side) side = std::make_unique<RemoteSide>();
  return *side;
}

// A message that its node hands over to the custodian when it stops.
struct HandedOver {
  Party* party = nullptr;
  Parcel* parcel = nullptr;
  std::optional<Stage> kept = {};  // what the custodian has promised of it
  std::optional<Errc> why = {};    // why it has not, as it says
};

// What waits for a name that nobody holds does so for a limited time.
void await_holder(Worker& home, Party& party);
// The requests to an agent that ended whose askers need not know: they are for the next holder.
std::vector<std::uint64_t> requests_left(const Party& party, EndReason reason);
// A holder that had been taken for gone, and lives, is nothing that the directory tells again. With
// a lease only that one is looked for, and messages go to it.
void find_again(Worker& home, Party& party, LeaseId lease = 0);
// What came for lives of the name up to that one, none of which began here, goes back.
void turn_away_earlier(Worker& home, Party& target, Incarnation life) noexcept;
// The society's policy does not let this reply come, or it is too large: whoever waits for it is
// told.
void deny_answer(Worker& home, const Parcel& reply) noexcept;
// What those are told who had their request acknowledged, when a name is taken over.
inline constexpr const char* taken_over = "another agent has taken its name over";
// A question is answered. To an agent of another node that is not there the reply notes in which
// life it was asked for.
void note_answer(Parcel& reply, const MessageView& request);
// Whether a later life of the name is known to be elsewhere, or to have been.
bool is_overtaken(const Party& party, Incarnation life) noexcept;

}  // namespace coracle::detail
