// How a council decides, and who belongs to it. Contract: caf/tests/election_test.cpp.
#pragma once

#include "coracle/caf/rule.hpp"
#include "coracle/caf/ties.hpp"
#include "coracle/clock.hpp"
#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace coracle::caf {

// Who sees which ballot.
enum class Secrecy : std::uint8_t {
  open,           // the record says who voted how
  tally_only,     // the record has the ballots without names
  commit_reveal,  // open, but nobody sees a ballot before everybody has committed to one
};

// Which of two ballots of one peer counts. A second one that says the same is harmless.
enum class Repeated : std::uint8_t {
  first_counts,  // the second is refused and recorded as contradictory
  last_counts,   // the second replaces the first, until the vote ends; the record says so
};

// What becomes of the vote of a peer that did not vote in time.
enum class Absent : std::uint8_t {
  abstains,
  status_quo,  // it counts for what holds now, where that can be voted for, by every kind of rule:
               // ranked first, approved of, with the highest score where all others get the lowest
  proxy,       // it goes with the vote of the peer's proxy, or of the proxy's proxy …
};

// How a council deals with a vacant seat: a member whose name nobody holds, because its agent has
// not begun or has ended.
enum class Vacant : std::uint8_t {
  absent,  // it is asked and not waited for; if it comes while the others vote, it takes part
  wait,    // it is waited for until the phase ends
  refuse,  // a motion is refused while there is one; a seat that becomes vacant later is absent
};

// How much of the electorate must take part.
struct Quorum {
  // By heads or by weight, as a number or as a share of all.
  enum class Kind : std::uint8_t { none, heads, share_of_heads, share_of_weight };

  // What is counted, and how much of it is needed.
  Kind kind = Kind::none;
  Fraction amount = 0;

  // That many peers.
  static Quorum heads(std::int64_t count) { return {Kind::heads, count}; }
  // That share of the peers, or of their weight.
  static Quorum share_of_heads(Fraction share) { return {Kind::share_of_heads, share}; }
  static Quorum share_of_weight(Fraction share) { return {Kind::share_of_weight, share}; }

  friend bool operator==(const Quorum&, const Quorum&) = default;
};

// A peer as its council knows it.
struct Member {
  std::string name;
  Fraction weight = 1;
  // Who votes for it while it is absent (Absent::proxy).
  std::string proxy;

  friend bool operator==(const Member&, const Member&) = default;
};

// The members who take part in a decision; it never changes. The order is their seniority.
class Electorate {
 public:
  // Fails with Errc::bad_options for a negative weight, a name that stands there twice or is none.
  explicit Electorate(std::vector<Member> members);

  // Who may vote, and how many that are.
  const std::vector<Member>& members() const noexcept { return members_; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(members_.size()); }
  // The weight of all.
  Fraction weight() const noexcept { return weight_; }
  // The number of a member, counted from zero.
  std::optional<std::uint32_t> find(const Name& name) const;
  // The members' names, in the same order.
  const std::vector<Name>& names() const noexcept { return names_; }

 private:
  std::vector<Member> members_;
  std::vector<Name> names_;
  std::unordered_map<Name, std::uint32_t> numbers_;
  Fraction weight_;
};

// The rules of a council.
struct Charter {
  // How ballots become winners, and ties a decision.
  Rule rule = plurality();
  Ties ties = Ties({lexical()});
  // How many must have offered alternatives, and voted. "No quorum" is a result.
  Quorum proposing;
  Quorum voting;
  // How long each phase lasts at most.
  Duration propose_within = std::chrono::seconds(5);
  Duration vote_within = std::chrono::seconds(5);
  Secrecy secrecy = Secrecy::open;
  Repeated repeated = Repeated::first_counts;
  Absent absent = Absent::abstains;
  Vacant vacant = Vacant::absent;
  // A member that missed so many votes in a row leaves the council; zero: never.
  std::uint32_t leaves_after = 0;
  // Who decides by chair(); a member, maybe of weight zero.
  std::string chair;
  // Whether "none of these" can always be voted for.
  bool none_of_these = false;
  // Whether every member is told of each result.
  bool announce = true;
  // Limits: alternatives of one peer, on the agenda, and bytes of one.
  std::uint32_t alternatives_each = 16;
  std::uint32_t agenda_limit = 1000;
  std::uint32_t text_limit = 1024;
  // Scores of a ballot lie between these, in steps of a thousandth.
  Fraction lowest_score = 0;
  Fraction highest_score = 10;
};

// What none_of_these adds.
inline constexpr std::string_view none_of_these = "none of these";

}  // namespace coracle::caf
