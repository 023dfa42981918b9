// The messages between a council, its peers and the agents that send it motions. Their content is
// typed, so that any agent can take part. One decision consists of: Motion, Call to each peer,
// Proposals from each, Agenda to each, Vote from each (before it Commitment, Opening where votes
// are committed first), Decision.
#pragma once

#include "coracle/caf/common/refusal.hpp"
#include "coracle/caf/voting/profile.hpp"
#include "coracle/clock.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of a decision, which no other decision of the same council has.
using DecisionId = std::uint64_t;

// A request to a council for a decision. Send it by ask(), or use decide().
struct Motion {
  static constexpr std::string_view content_type = "coracle/caf/motion/v1";

  // The subject of the decision.
  std::string subject;
  // The alternatives. If there are any, the council calls for more from its peers only if
  // `call_peers` is true.
  std::vector<std::string> alternatives;
  bool call_peers = false;
  // The alternative that holds now, for status_quo().
  std::string incumbent;
  // Distinguishes the motions of one sender: the same key again gets the same decision. With zero,
  // every motion is a new one.
  std::uint64_t key = 0;
};

// The result of a motion.
struct Decision {
  static constexpr std::string_view content_type = "coracle/caf/decision/v1";

  // The number of the decision, and its subject.
  DecisionId id = 0;
  std::string subject;
  // True if there is a decision; otherwise `why` contains the reason.
  bool decided = false;
  std::string winner;
  // All winners by the rule, before the tie strategy.
  std::vector<std::string> co_winners;
  std::string why;
};

// From a council to a peer: a request for alternatives.
struct Call {
  static constexpr std::string_view content_type = "coracle/caf/call/v1";

  // The number of the decision, and its subject.
  DecisionId id = 0;
  std::string subject;
  // The time within which to reply.
  Duration within{};
  // True if a council that has ended may have sent the call before. Then the peer must send the
  // same reply.
  bool again = false;
};

// From a peer to a council: its alternatives.
struct Proposals {
  static constexpr std::string_view content_type = "coracle/caf/proposals/v1";

  // The decision of the call, and the alternatives.
  DecisionId id = 0;
  std::vector<std::string> alternatives;
};

// From a council to a peer: the complete list of alternatives, and a request for a vote.
struct Agenda {
  static constexpr std::string_view content_type = "coracle/caf/agenda/v1";

  // The decision.
  DecisionId id = 0;
  // Counts the votes of one decision: a revote has another number.
  std::uint32_t round = 0;
  std::string subject;
  // The alternatives in alphabetical order. A ballot identifies them by their index here, counted
  // from zero.
  std::vector<std::string> alternatives;
  // `commit` is true if the peer must send a Commitment first. `random` is true if a Vote needs a
  // random number.
  bool commit = false;
  bool random = false;
  Duration within{};
  bool again = false;

  // Returns the index of an alternative, or `nobody`.
  Candidate find(std::string_view alternative) const noexcept;
};

// From a peer to a council: a hash of the vote that the peer will open; see commitment_to().
struct Commitment {
  static constexpr std::string_view content_type = "coracle/caf/commitment/v1";

  // The decision, the vote's number, and the digest of the ballot.
  DecisionId id = 0;
  std::uint32_t round = 0;
  std::string digest;
};

// From a council to a peer: everybody has committed, and the peer should send its Vote now.
struct Opening {
  static constexpr std::string_view content_type = "coracle/caf/opening/v1";

  // The decision, and the vote's number.
  DecisionId id = 0;
  std::uint32_t round = 0;
};

// From a peer to a council: its ballot.
struct Vote {
  static constexpr std::string_view content_type = "coracle/caf/vote/v1";

  // The decision, the vote's number, and the ballot.
  DecisionId id = 0;
  std::uint32_t round = 0;
  Ballot ballot;
  // Random numbers: a contribution to the seed for ties, and the number that hides a commitment.
  std::uint64_t nonce = 0;
  std::uint64_t salt = 0;
};

// From a peer to a council: it becomes a member, or leaves, from the next decision on. The council
// replies if it is a request.
struct Joining {
  static constexpr std::string_view content_type = "coracle/caf/joining/v1";

  // True if the peer leaves; and the member that votes for the peer.
  bool leaves = false;
  std::string proxy;
};

// From a council to its deputy: a decision has been announced.
struct Announced {
  static constexpr std::string_view content_type = "coracle/caf/announced/v1";

  // The decision.
  DecisionId id = 0;
};

// To a council: a request for the Record of a decision. Send it by ask().
struct RecordRequest {
  static constexpr std::string_view content_type = "coracle/caf/record-request/v1";

  // The decision.
  DecisionId id = 0;
};

// Returns the commitment of `voter` to `vote`: 64 hexadecimal digits.
std::string commitment_to(const Vote& vote, std::string_view voter);

}  // namespace coracle::caf
