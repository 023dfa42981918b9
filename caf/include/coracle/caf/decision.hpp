// What a council, its peers and those who ask it say to each other: typed content, so that anybody
// can take part. One decision is: Motion, Call to each peer, Proposals from each, Agenda to each,
// Vote from each (before it Commitment, Opening where votes are committed first), Decision.
#pragma once

#include "coracle/caf/profile.hpp"
#include "coracle/clock.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of a decision, which no other decision of the same council has.
using DecisionId = std::uint64_t;

// A question to a council; ask() it, or use decide().
struct Motion {
  static constexpr std::string_view content_type = "coracle/caf/motion/v1";

  // What is to be decided.
  std::string subject;
  // What can be voted for. If there is any, peers are not asked for more unless `call_peers`.
  std::vector<std::string> alternatives;
  bool call_peers = false;
  // What holds now, for status_quo().
  std::string incumbent;
  // Distinguishes the questions of one asker: the same one again gets the same decision. Zero:
  // every question is another.
  std::uint64_t key = 0;
};

// What came of it.
struct Decision {
  static constexpr std::string_view content_type = "coracle/caf/decision/v1";

  // Which one it was, and of what.
  DecisionId id = 0;
  std::string subject;
  // Whether there is a decision; otherwise `why` says why not.
  bool decided = false;
  std::string winner;
  // All who won by the rule, before the tie strategy.
  std::vector<std::string> co_winners;
  std::string why;
};

// To a peer: which alternatives do you offer?
struct Call {
  static constexpr std::string_view content_type = "coracle/caf/call/v1";

  // Which decision is to be made, and of what.
  DecisionId id = 0;
  std::string subject;
  // How long there is for it.
  Duration within{};
  // It may have been asked before, by a council that is no more: give the same answer.
  bool again = false;
};

// From a peer: these.
struct Proposals {
  static constexpr std::string_view content_type = "coracle/caf/proposals/v1";

  // To which call it answers, and what is proposed.
  DecisionId id = 0;
  std::vector<std::string> alternatives;
};

// To a peer: the complete list; how do you vote?
struct Agenda {
  static constexpr std::string_view content_type = "coracle/caf/agenda/v1";

  // Of which decision.
  DecisionId id = 0;
  // Counts the votes of one decision: a revote is another.
  std::uint32_t round = 0;
  std::string subject;
  // In alphabetical order. A ballot names them by their place here, counted from zero.
  std::vector<std::string> alternatives;
  // Whether to send a Commitment first, and whether a Vote needs a random number.
  bool commit = false;
  bool random = false;
  Duration within{};
  bool again = false;

  // The place of an alternative, or `nobody`.
  Candidate find(std::string_view alternative) const noexcept;
};

// From a peer: a hash of the vote that it will open; see commitment_to().
struct Commitment {
  static constexpr std::string_view content_type = "coracle/caf/commitment/v1";

  // To which call and round it belongs, and the digest of the ballot.
  DecisionId id = 0;
  std::uint32_t round = 0;
  std::string digest;
};

// To a peer: everybody has committed; now send your Vote.
struct Opening {
  static constexpr std::string_view content_type = "coracle/caf/opening/v1";

  // To which call and round it belongs.
  DecisionId id = 0;
  std::uint32_t round = 0;
};

// From a peer: its ballot.
struct Vote {
  static constexpr std::string_view content_type = "coracle/caf/vote/v1";

  // To which call and round it belongs, and what is voted.
  DecisionId id = 0;
  std::uint32_t round = 0;
  Ballot ballot;
  // Random numbers: a contribution to the seed of ties, and what hides a commitment.
  std::uint64_t nonce = 0;
  std::uint64_t salt = 0;
};

// To whoever sent something that has no effect: what, and why.
struct Refusal {
  static constexpr std::string_view content_type = "coracle/caf/refusal/v1";

  // What was refused, and why.
  DecisionId id = 0;
  std::uint32_t round = 0;
  std::string what;
  std::string reason;
};

// To a council: I am (no longer) a member, from the next decision on. Answered if it is a request.
struct Joining {
  static constexpr std::string_view content_type = "coracle/caf/joining/v1";

  // Whether the peer leaves, and who votes for it.
  bool leaves = false;
  std::string proxy;
};

// From a council to its deputy: a decision has been made known.
struct Announced {
  static constexpr std::string_view content_type = "coracle/caf/announced/v1";

  // Of which decision.
  DecisionId id = 0;
};

// To a council: the Record of a decision, please; ask() it.
struct RecordRequest {
  static constexpr std::string_view content_type = "coracle/caf/record-request/v1";

  // Of which decision.
  DecisionId id = 0;
};

// The commitment of `voter` to `vote`: 64 hexadecimal digits.
std::string commitment_to(const Vote& vote, std::string_view voter);

}  // namespace coracle::caf
