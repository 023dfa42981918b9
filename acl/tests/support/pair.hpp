// The two sides of one pair, and the messages between them.
#pragma once

#include "support/conversing.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::acl::test {

// The two sides.
inline constexpr Side by_ann = Side::initiator;
inline constexpr Side by_bob = Side::participant;

// Ann has begun a conversation with bob.
struct Pair {
  explicit Pair(const Protocol& protocol, std::optional<Duration> reply_within = {})
      : ann(protocol, opening(protocol, reply_within), Calendar(), now),
        bob(protocol, ann.opening(), agent("bob"), "b", Calendar(), now) {}

  static Message opening(const Protocol& protocol, std::optional<Duration> reply_within) {
    Message made = message(protocol.openings[0], "ann", {"bob"});
    made.protocol = protocol.name;
    made.conversation_id = "c1";
    made.reply_with = "r0";
    if (reply_within) made.reply_by = date_from_now(*reply_within);
    return made;
  }

  Session& of(Side side) { return side == Side::initiator ? ann : bob; }
  Session& other(Side side) { return side == Side::initiator ? bob : ann; }

  // One side goes on, and the other one gets the message.
  Message tell(Side side, Speech speech) {
    const std::optional<Message> sent = of(side).say(std::move(speech), now);
    BOOST_TEST_REQUIRE(sent.has_value());
    BOOST_TEST(other(side).hear(*sent, now) == Heard::taken);
    BOOST_TEST(ann.state() == bob.state());
    BOOST_TEST(ann.outcome() == bob.outcome());
    (side == Side::initiator ? last_of_ann : last_of_bob) = sent->reply_with;
    return *sent;
  }
  Message tell(Side side, Performative act, std::optional<Duration> reply_within = {}) {
    return tell(side, say(act, reply_within));
  }
  // A message of a side as it would be if it was permitted: to be heard, not said.
  Message forged(Side side, Performative act) {
    const Session& to = other(side);
    Message made = message(act, side == Side::initiator ? "ann" : "bob",
                           {side == Side::initiator ? "bob" : "ann"});
    made.protocol = to.protocol().name;
    made.conversation_id = "c1";
    made.in_reply_to = asked_with(side);
    made.reply_with = "forged";
    return made;
  }
  // The reply-with of the last message of the side's partner.
  std::string asked_with(Side side) {
    return side == Side::participant ? last_of_ann : last_of_bob;
  }

  Time now = at(0s);
  std::string last_of_ann = "r0";
  std::string last_of_bob;
  Session ann;
  Session bob;
};

// A way from the beginning of a protocol to a state.
inline std::map<State, std::vector<Move>> ways(const Protocol& protocol) {
  std::map<State, std::vector<Move>> found = {{protocol.first, {}}};
  for (bool grows = true; grows;) {
    grows = false;
    for (const Move& each : protocol.moves) {
      if (each.to == State::over || found.count(each.to) != 0 || found.count(each.from) == 0) {
        continue;
      }
      found[each.to] = found[each.from];
      found[each.to].push_back(each);
      grows = true;
    }
  }
  return found;
}

// The pair in that state.
inline Pair pair_in(const Protocol& protocol, const std::vector<Move>& way) {
  Pair pair(protocol);
  for (const Move& each : way) pair.tell(each.by, each.act);
  return pair;
}

}  // namespace coracle::acl::test
