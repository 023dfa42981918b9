// Tests of the checkpoint: what it lets pass, what it takes out of frames that it does not let
// pass, and what it never believes.
#include "realizations/net/src/society/policy/checkpoint.hpp"
#include "coracle/grants.hpp"
#include "coracle/support/core_frames.hpp"
#include "relay.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace coracle::central {

namespace {

using detail::FrameReader;
using detail::FrameWriter;
using Ruling = Checkpoint::Ruling;

// ann is at lease 1 and may send to bob at lease 2; eve, at lease 3, has no permission.
struct Gate {
  Gate() {
    for (const auto& [lease, name] : {std::pair(1u, "ann"), {2u, "bob"}, {3u, "eve"}}) {
      authority.opened(lease, {std::string("node-") + name, name});
      if (!authority.against_claim(lease, name)) authority.claimed(lease, name);
    }
  }

  // A message as the core writes it. A name that begins with a letter is spelled out, other names
  // are numbers.
  // The first piece of a frame with that head.
  static Bytes first(const Bytes& head, unsigned place = 0) {
    Bytes piece = {first_piece, std::byte(place)};
    FrameWriter out(piece);
    out.number(head.size());
    out.number(head.size() + 1000);
    piece.insert(piece.end(), head.begin(), head.end());
    return piece;
  }
  static Bytes message(std::string_view source, std::string_view target, unsigned flags = 0,
                       std::string_view addressed_to = {}) {
    Bytes frame;
    FrameWriter out(frame);
    const auto name = [&out](std::string_view text) {
      if (text[0] >= '0' && text[0] <= '9') return out.number(std::stoul(std::string(text)) + 2);
      const bool is_for_once = text[0] == '=';
      out.number(is_for_once ? detail::passing_name : detail::new_name);
      if (is_for_once) text.remove_prefix(1);
      out.text(text);
    };
    out.byte(detail::message_frame);
    name(target);
    out.number(7);  // serial
    out.number(1);  // incarnation
    out.byte(detail::has_source | detail::has_fields);
    name(source);
    out.number(flags);
    out.number(3);  // sequence
    out.number(0);  // conversation
    out.byte(detail::text_content);
    out.text(addressed_to);
    out.number(1);
    out.text("key");
    out.text("value");
    for (int nothing = 0; nothing < 7; ++nothing) out.number(0);
    out.number(5);  // entry
    out.number(0);
    return frame;
  }
  static Bytes tap(std::string_view eavesdropper, bool for_role = false) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(detail::tap_frame);
    out.number(9);  // token
    out.number(1);
    out.text(eavesdropper);
    out.number(1);
    detail::write_mailbox(out, MailboxOptions());
    for (int conditions = 0; conditions < 6; ++conditions) out.text({});
    out.number(for_role ? 1 : 0);
    if (for_role) out.text(detail::role_component), out.text("observe");
    return frame;
  }

  std::vector<std::string> log;
  Authority authority{parse_policy("allow ann register ann\n"
                                   "allow bob register bob\n"
                                   "allow eve register eve\n"
                                   "allow ann send     bob\n"
                                   "allow bob overhear ann\n"
                                   "allow bob overhear bob\n")
                          .value(),
                      [this](const std::string& line) { log.push_back(line); }};
  Checkpoint checkpoint{authority};
};

// A relay with a policy, between a sender at some lease and bob at lease 2, who are not connected.
struct ToBob {
  ToBob(Authority& authority, LeaseId from) : lease(from), relay(&authority) {
    relay.on_lease(lease, sender);
    relay.on_lease(2, bob);
  }
  bool passes(FrameChannel& from, ByteSpan header, ByteSpan content = {}) {
    net::Arrived arrived{};
    arrived.header = header;
    arrived.content = content;
    return relay.on_message(from, arrived) == nullptr;
  }
  bool bob_reads(std::uint64_t bytes) {
    Bytes frame;
    begin_relayed(frame, Relayed::read, {2, lease}).number(bytes);
    return passes(bob, frame);
  }

  const LeaseId lease;
  FlushQueue turn;
  FrameChannel sender{turn, 1}, bob{turn, 1};
  Relay relay;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(checkpoint, Gate)

BOOST_AUTO_TEST_CASE(what_the_policy_allows_goes_on_and_the_rest_is_emptied) {
  BOOST_TEST((checkpoint.rule({1, 2}, message("ann", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({2, 1}, message("bob", "ann")) == Ruling::replaced));
}

// The node that others take for the message store is given the messages that wait for all names.
BOOST_AUTO_TEST_CASE(only_the_servers_own_node_may_say_that_it_is_the_message_store) {
  const auto says = [this](LeaseId from, std::uint8_t keeps) {
    const Bytes frame{std::byte{detail::store_state_frame}, std::byte{keeps}};
    return checkpoint.rule({from, 2}, frame);
  };
  BOOST_TEST((says(3, detail::keeps_nothing) == Ruling::passes));  // it requests
  BOOST_TEST((says(3, detail::keeps_stored) == Ruling::dropped));
  BOOST_TEST((says(3, detail::keeps_accepted) == Ruling::dropped));
  BOOST_TEST(log.size() == 1u);
  BOOST_TEST(log.front().find("message store") != std::string::npos);
  authority.opened(4, {"message-store", {}, true});
  BOOST_TEST((says(4, detail::keeps_stored) == Ruling::passes));
}

// A message for the message store is judged like a sent message; its time is behind the round.
BOOST_AUTO_TEST_CASE(what_is_stored_is_judged_as_what_is_sent) {
  const auto entrusted = [](std::string_view source, std::string_view target) {
    Bytes frame = message(source, target);
    frame[0] = std::byte{detail::store_message_frame};
    const std::size_t time_at = 1 + 1 + 1 + target.size() + 1 + 1;
    frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(time_at), std::byte{9});
    return frame;
  };
  BOOST_TEST((checkpoint.rule({1, 2}, entrusted("ann", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({2, 1}, entrusted("bob", "ann")) == Ruling::replaced));
  FrameReader in(checkpoint.instead());
  BOOST_TEST(in.byte() == detail::store_message_frame);
  BOOST_TEST(in.number() == detail::new_name);
  BOOST_TEST(in.text() == "ann");
  for (const unsigned expected : {7u, 1u, 9u}) BOOST_TEST(in.number() == expected);
  BOOST_TEST(in.byte() == (detail::has_source | detail::has_fields | detail::is_forbidden));
}

BOOST_AUTO_TEST_CASE(what_is_emptied_has_its_names_and_its_kept_place_and_nothing_else) {
  const Bytes whole = message("eve", "bob");
  BOOST_TEST((checkpoint.rule({3, 2}, whole) == Ruling::replaced));
  const Bytes& emptied = checkpoint.instead();
  BOOST_TEST(emptied.size() < whole.size());
  FrameReader in(emptied);
  BOOST_TEST(in.byte() == detail::message_frame);
  BOOST_TEST(in.number() == detail::new_name);
  BOOST_TEST(in.text() == "bob");
  BOOST_TEST(in.number() == 7u);
  BOOST_TEST(in.number() == 1u);
  BOOST_TEST(in.byte() == (detail::has_source | detail::has_fields | detail::is_forbidden));
  BOOST_TEST(in.number() == detail::new_name);
  BOOST_TEST(in.text() == "eve");
  for (const unsigned expected : {0u, 3u, 0u}) BOOST_TEST(in.number() == expected);
  BOOST_TEST(in.byte() == detail::no_content);
  BOOST_TEST(in.text() == "");
  for (int nothing = 0; nothing < 8; ++nothing) BOOST_TEST(in.number() == 0u);
  BOOST_TEST(in.number() == 5u);
  BOOST_TEST(in.number() == 0u);
  BOOST_TEST((in.ok() && in.at_end()));
  // The numbering of names goes on.
  BOOST_TEST((checkpoint.rule({3, 2}, message("1", "0")) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({3, 2}, message("2", "0")) == Ruling::nonsense));
}

BOOST_AUTO_TEST_CASE(a_node_speaks_for_the_names_that_it_has_registered) {
  BOOST_TEST((checkpoint.rule({3, 2}, message("ann", "bob")) == Ruling::replaced));
  BOOST_TEST(log.back().find("use the name 'ann', which it does not hold") != log.back().npos);
  BOOST_TEST(log.back().find("node-eve") != log.back().npos);
  // An agent's last messages go out after its end; its successor on another node sends, too.
  authority.opened(4, {"node-ann-2", "ann"});
  authority.claimed(4, "ann");
  BOOST_TEST((checkpoint.rule({1, 2}, message("ann", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({4, 2}, message("ann", "bob")) == Ruling::passes));
}

BOOST_AUTO_TEST_CASE(another_policy_holds_at_once_and_is_noted_anew) {
  for (int again = 0; again < 3; ++again) (void)checkpoint.rule({3, 2}, message("eve", "bob"));
  BOOST_TEST(log.size() == 1u);
  authority.replace(parse_policy("allow eve send bob\nallow eve register *").value());
  BOOST_TEST((checkpoint.rule({3, 2}, message("eve", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, message("ann", "bob")) == Ruling::replaced));
  BOOST_TEST(log.size() == 2u);
  authority.replace(parse_policy("").value());
  (void)checkpoint.rule({3, 2}, message("eve", "bob"));
  BOOST_TEST(log.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_copy_needs_a_grant_for_both_who_speak) {
  const auto copy = [](std::string_view eavesdropper, std::string_view of) {
    return message("ann", eavesdropper, detail::copy_flag, of);
  };
  BOOST_TEST((checkpoint.rule({1, 2}, copy("bob", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, copy("bob", "eve")) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({1, 3}, copy("eve", "bob")) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({3, 2}, copy("bob", "bob")) == Ruling::replaced));
}

BOOST_AUTO_TEST_CASE(who_may_overhear_nobody_is_told_so) {
  BOOST_TEST((checkpoint.rule({2, 1}, tap("bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({3, 1}, tap("eve")) == Ruling::replaced));
  FrameReader in(checkpoint.instead());
  BOOST_TEST(in.byte() == detail::refused_request_frame);
  BOOST_TEST(in.number() == 9u);
  // eve can no longer use another's name; and messages to a role are not overheard.
  BOOST_TEST((checkpoint.rule({3, 1}, tap("bob")) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({3, 1}, tap("eve", true)) == Ruling::passes));
}

BOOST_AUTO_TEST_CASE(who_may_be_an_agent_may_look_at_what_waits_for_it) {
  const auto look = [](std::string_view name) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(detail::look_frame);
    out.number(4);
    out.text(name);
    return frame;
  };
  BOOST_TEST((checkpoint.rule({1, 2}, look("ann")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, look("bob")) == Ruling::replaced));
  FrameReader in(checkpoint.instead());
  BOOST_TEST(in.byte() == detail::refused_request_frame);
  BOOST_TEST(in.number() == 4u);
}

BOOST_AUTO_TEST_CASE(who_may_join_a_group_may_ask_for_its_last_messages) {
  const auto last = [](detail::LastAsked when, std::string_view group, std::string_view member) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(detail::last_frame);
    out.number(4);
    out.byte(when);
    out.text(group);
    out.text(member);
    out.number(10);
    return frame;
  };
  using detail::before_joining, detail::when_joined, detail::not_joining;
  authority.replace(parse_policy("allow ann register ann\nallow ann join team\n").value());
  for (const auto when : {before_joining, when_joined}) {
    BOOST_TEST((checkpoint.rule({1, 2}, last(when, "team", "ann")) == Ruling::passes));
    BOOST_TEST((checkpoint.rule({1, 2}, last(when, "choir", "ann")) == Ruling::replaced));
    FrameReader in(checkpoint.instead());
    BOOST_TEST(in.byte() == detail::refused_request_frame);
    BOOST_TEST(in.number() == 4u);
    BOOST_TEST((checkpoint.rule({3, 2}, last(when, "team", "ann")) == Ruling::replaced));
  }
  // A node may report that an agent does not join, even if the agent may no longer join.
  BOOST_TEST((checkpoint.rule({1, 2}, last(not_joining, "choir", "ann")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, last(when_joined, "", "ann")) == Ruling::nonsense));
  Bytes cut = last(when_joined, "team", "ann");
  cut.pop_back();
  BOOST_TEST((checkpoint.rule({1, 2}, cut) == Ruling::nonsense));
}

BOOST_AUTO_TEST_CASE(what_a_node_leaves_behind_is_judged_and_its_store_speaks_for_all) {
  const auto handed_over = [](std::string_view source) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(detail::hand_over_frame);
    out.number(0);   // serial
    out.number(99);  // time left
    out.number(detail::new_name);
    out.text("bob");
    out.byte(detail::has_source);
    out.number(detail::new_name);
    out.text(source);
    for (int nothing = 0; nothing < 3; ++nothing) out.number(0);
    out.byte(detail::text_content);
    return frame;
  };
  authority.opened(9, {"keeper", "", true});
  BOOST_TEST((checkpoint.rule({1, 9}, handed_over("ann")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({3, 9}, handed_over("eve")) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({3, 9}, handed_over("ann")) == Ruling::replaced));
  // The names of a stored message are kept with it, and are not those that the two nodes have
  // agreed on.
  BOOST_TEST((checkpoint.rule({1, 9}, message("1", "0")) == Ruling::nonsense));
  BOOST_TEST((checkpoint.rule({9, 2}, message("ann", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({9, 2}, message("eve", "0")) == Ruling::replaced));
}

BOOST_AUTO_TEST_CASE(of_what_goes_in_pieces_the_first_decides) {
  const Bytes next = {next_piece, std::byte{0}, std::byte{1}};
  const Bytes good = message("=ann", "=bob"), bad = message("=eve", "=bob");
  BOOST_TEST((checkpoint.rule({1, 2}, first(good)) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, next) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({3, 2}, first(bad)) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({3, 2}, next) == Ruling::dropped));
  // Each place of a frame in pieces has its own frame.
  const Bytes third = {next_piece, std::byte{3}, std::byte{1}};
  BOOST_TEST((checkpoint.rule({1, 2}, first(good, 3)) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, first(bad, 2)) == Ruling::replaced));
  BOOST_TEST((checkpoint.rule({1, 2}, third) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, first(good, 4)) == Ruling::nonsense));
  BOOST_TEST((checkpoint.rule({1, 2}, Bytes{next_piece}) == Ruling::nonsense));
  Bytes cut = first(good);
  cut.resize(cut.size() - 4);
  BOOST_TEST((checkpoint.rule({1, 2}, cut) == Ruling::nonsense));
}

// The receiver reads a frame in pieces later than other frames, and would take the number for
// another name: eve could send to bob with a number that stands for another name here.
BOOST_AUTO_TEST_CASE(what_goes_in_pieces_gives_no_name_a_number) {
  BOOST_TEST((checkpoint.rule({1, 2}, first(message("ann", "=bob"))) == Ruling::nonsense));
  BOOST_TEST((checkpoint.rule({1, 2}, first(message("=ann", "bob"))) == Ruling::nonsense));
  BOOST_TEST((checkpoint.rule({1, 2}, message("ann", "bob")) == Ruling::passes));
  BOOST_TEST((checkpoint.rule({1, 2}, first(message("1", "0"))) == Ruling::passes));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_understood_does_not_go_on) {
  const Bytes whole = message("ann", "bob");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Checkpoint fresh(authority);
    BOOST_TEST((fresh.rule({1, 2}, ByteSpan(whole).first(size)) == Ruling::nonsense));
  }
  BOOST_TEST((checkpoint.rule({1, 2}, Bytes{std::byte{99}}) == Ruling::nonsense));
}

BOOST_AUTO_TEST_CASE(the_sender_has_its_room_back_for_what_did_not_go_on) {
  ToBob eve(authority, 3);
  const auto say = [&](ByteSpan piece) {
    Bytes frame;
    begin_relayed(frame, Relayed::piece, {3, 2});
    frame.insert(frame.end(), piece.begin(), piece.end());
    return eve.passes(eve.sender, frame);
  };
  const Bytes spelled = message("eve", "bob"), numbered = message("1", "0");
  BOOST_TEST(say(spelled));
  const std::size_t emptied =
      checkpoint.rule({3, 2}, spelled) == Ruling::replaced ? checkpoint.instead().size() : 0;
  for (std::uint64_t sent = 0; sent < 4 * relay_window / 10; sent += numbered.size())
    BOOST_REQUIRE(say(numbered));
  // bob has read the bytes that were passed on to him.
  BOOST_TEST(eve.bob_reads(emptied));
  BOOST_TEST(!eve.bob_reads(relay_window));
}

BOOST_AUTO_TEST_CASE(of_frames_that_go_together_each_is_asked_about) {
  ToBob ann(authority, 1);
  Bytes ask;
  begin_fetch(ask, Fetch::ask, 2).byte(0);
  FrameWriter(ask).number(1);
  BOOST_TEST(ann.passes(ann.bob, ask));  // messages for bob are held from now on

  const Bytes good = message("ann", "bob"), bad = message("eve", "0");
  Bytes frames;
  for (const Bytes& each : {good, bad, message("0", "1")}) append_to_batch(frames, each);
  Bytes head;
  begin_relayed(head, Relayed::frames, {1, 2});
  BOOST_TEST(ann.passes(ann.sender, head, frames));
  Census census;
  census.leases.emplace_back().lease = 2;
  ann.relay.count(census);
  const auto count = [&census](std::string_view name) {
    for (const auto& [each, value] : census.counts)
      if (each == name) return value;
    return std::uint64_t{0};
  };
  BOOST_TEST(count("relayed_frames") == 3u);
  BOOST_TEST(count("refused_frames") == 2u);
  const std::uint64_t held = census.leases.front().waiting;
  BOOST_TEST(held < frames.size() + 3 * head.size());
  // The sender has its room back for the frames that did not go on.
  BOOST_TEST(!ann.bob_reads(held - 3 * head.size() + 1));
  BOOST_TEST(ann.bob_reads(held - 3 * head.size()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
