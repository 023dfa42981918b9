// The rules by which a council decides, and its members. Tests: caf/tests/voting/election_test.cpp.
#pragma once

#include "coracle/caf/voting/rule.hpp"
#include "coracle/caf/voting/ties.hpp"
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

// The visibility of ballots.
enum class Secrecy : std::uint8_t {
  open,           // the record contains who cast which ballot
  tally_only,     // the record contains the ballots without names
  commit_reveal,  // as open, but nobody sees a ballot before everybody has committed to one
};

// The ballot that counts when one peer sends two. A second ballot that equals the first is
// harmless.
enum class Repeated : std::uint8_t {
  first_counts,  // the second is refused and recorded as contradictory
  last_counts,   // the second replaces the first until the vote ends; the record notes this
};

// The treatment of the vote of a peer that did not vote in time.
enum class Absent : std::uint8_t {
  abstains,
  status_quo,  // the vote counts for what holds now, where that can be voted for, by every kind of
               // rule: ranked first, approved of, with the highest score where all others get the
               // lowest
  proxy,       // the vote goes with that of the peer's proxy, or of the proxy's proxy …
};

// The treatment of a vacant seat. A seat is vacant when nobody holds the member's name, because its
// agent has not begun or has ended.
enum class Vacant : std::uint8_t {
  absent,  // the council calls the member but does not wait; if it comes while others vote, it
           // takes part
  wait,    // the council waits for the member until the phase ends
  refuse,  // the council refuses motions while a seat is vacant; a seat that becomes vacant later
           // counts as absent
};

// The part of the electorate that must take part.
struct Quorum {
  // The kind of quorum: by heads or by weight, as a number or as a share of all.
  enum class Kind : std::uint8_t { none, heads, share_of_heads, share_of_weight };

  // The kind, and the required number or share.
  Kind kind = Kind::none;
  Fraction amount = 0;

  // A quorum of `count` peers.
  static Quorum heads(std::int64_t count) { return {Kind::heads, count}; }
  // A quorum of a share of the peers, or of their weight.
  static Quorum share_of_heads(Fraction share) { return {Kind::share_of_heads, share}; }
  static Quorum share_of_weight(Fraction share) { return {Kind::share_of_weight, share}; }

  friend bool operator==(const Quorum&, const Quorum&) = default;
};

// A peer, with the properties that its council knows.
struct Member {
  std::string name;
  Fraction weight = 1;
  // The name of the member that votes for this one while it is absent (Absent::proxy).
  std::string proxy;

  friend bool operator==(const Member&, const Member&) = default;
};

// The members who take part in a decision. An electorate never changes. The order of the members is
// their seniority.
class Electorate {
 public:
  // Fails with Errc::bad_options for a negative weight, an invalid name, or a name that occurs
  // twice.
  explicit Electorate(std::vector<Member> members);

  // The members that may vote, and their number.
  const std::vector<Member>& members() const noexcept { return members_; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(members_.size()); }
  // The weight of all members together.
  Fraction weight() const noexcept { return weight_; }
  // Returns the number of a member, counted from zero; empty for other names.
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
  // The rule by which ballots make winners, and the strategies that break ties.
  Rule rule = plurality();
  Ties ties = Ties({lexical()});
  // The quorums for offering alternatives and for voting. "No quorum" is a result.
  Quorum proposing;
  Quorum voting;
  // The longest time that each phase may last.
  Duration propose_within = std::chrono::seconds(5);
  Duration vote_within = std::chrono::seconds(5);
  Secrecy secrecy = Secrecy::open;
  Repeated repeated = Repeated::first_counts;
  Absent absent = Absent::abstains;
  Vacant vacant = Vacant::absent;
  // A member that missed so many votes in a row leaves the council; with zero, no member ever does.
  std::uint32_t leaves_after = 0;
  // The member whose ballot chair() uses; its weight may be zero.
  std::string chair;
  // If true, "none of these" is always an alternative.
  bool none_of_these = false;
  // If true, every member receives each result.
  bool announce = true;
  // Limits: the alternatives of one peer, the alternatives on the agenda, and the bytes of one
  // alternative.
  std::uint32_t alternatives_each = 16;
  std::uint32_t agenda_limit = 1000;
  std::uint32_t text_limit = 1024;
  // Scores of a ballot lie between these two, in steps of a thousandth.
  Fraction lowest_score = 0;
  Fraction highest_score = 10;
};

// The alternative that Charter::none_of_these adds.
inline constexpr std::string_view none_of_these = "none of these";

}  // namespace coracle::caf
