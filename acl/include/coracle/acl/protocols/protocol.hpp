// The interaction protocols of FIPA as tables: which side may send which performative in which
// state. The two sides of a pair read the same table. Tests: acl/tests/protocols/protocol_test.cpp.
#pragma once

#include "coracle/acl/performative.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace coracle::acl {

// The two sides of a pair: the agent that has begun, and the other one.
enum class Side : std::uint8_t { initiator, participant };

// The state of a pair.
enum class State : std::uint8_t {
  asked,       // the participant is to answer
  agreed,      // the participant works, or has to
  proposed,    // the initiator is to accept or to reject
  subscribed,  // the participant sends news
  joined,      // the participant waits for the next call of an auction
  relaying,    // a broker passes messages on, and passes the answers back
  over,
};

// One permitted message.
struct Move {
  State from;
  Side by;
  Performative act;
  State to;
};

// A protocol. In addition to its moves, each side may send not-understood and the participant may
// send failure in every state; both end the pair.
struct Protocol {
  // The name in messages: "fipa-request".
  std::string_view name;
  // The performatives that begin it, and the state after that.
  std::span<const Performative> openings;
  State first = State::asked;
  std::span<const Move> moves;
  // The state when nobody has answered in time.
  State when_silent = State::over;
  // True if the answers to the message that a broker passes on may come from any agent.
  bool answers_from_others = false;

  // Returns whether the performative begins this protocol.
  bool is_opened_by(Performative act) const noexcept;
  // The move; nullptr if it is not permitted. The common moves are included.
  const Move* find(State from, Side by, Performative act) const noexcept;
  // Returns whether the side has a move of its own in that state.
  bool is_turn_of(Side side, State state) const noexcept;
};

// The protocols. fipa-query begins with query-if or query-ref. A round of an iterated contract net
// is a cfp instead of accept or reject. In the auctions, the participant that is not called, or
// that has not bid in time, stays in the auction.
extern const Protocol request_protocol;
extern const Protocol query_protocol;
extern const Protocol request_when_protocol;
extern const Protocol propose_protocol;
extern const Protocol subscribe_protocol;
extern const Protocol contract_net_protocol;
extern const Protocol iterated_contract_net_protocol;
extern const Protocol english_auction_protocol;
extern const Protocol dutch_auction_protocol;
extern const Protocol brokering_protocol;
extern const Protocol recruiting_protocol;

// All of them.
std::span<const Protocol* const> all_protocols() noexcept;
// The protocol of that name, in any case of its letters; nullptr if there is none.
const Protocol* protocol_named(std::string_view name) noexcept;

}  // namespace coracle::acl
