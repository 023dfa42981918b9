// docs/trust.md and the code name the same kinds of frames and requests; all others are refused.
#include "member.hpp"

#include "coracle/grants.hpp"
#include "realizations/central/src/relay_frames.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"
#include "realizations/net/src/society/policy/checkpoint.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <map>
#include <set>
#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

// The kinds of each table, by the heading above it.
std::map<std::string, std::set<unsigned>> kinds_of_the_page() {
  std::ifstream in(CORACLE_TRUST_PAGE);
  std::map<std::string, std::set<unsigned>> kinds;
  std::string heading;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (line.starts_with("| `") && line.size() > 6 && line[5] == '`')
      kinds[heading].insert(static_cast<unsigned>(std::stoul(line.substr(3, 2), nullptr, 16)));
  }
  return kinds;
}

// The shortest valid frame of each kind.
std::map<unsigned, Bytes> shortest_frames() {
  std::map<unsigned, Bytes> frames;
  const auto add = [&frames](const Bytes& frame) {
    frames[std::to_integer<unsigned>(frame.front())] = frame;
  };
  const MessageFields fields{.target = "eve", .source = "eve"};
  add(message(fields));
  add(message(fields, slot_request_frame));
  add(message(fields, hand_over_frame));
  add(message(fields, store_message_frame));
  add(Frame(reports_frame).name("x").byte(0).number(1).number(1).bytes());
  add(Frame(closed_frame).name("x").number(1).byte(0).text("").bytes());
  add(Frame(greeting_frame).number(1).byte(0).bytes());
  add(tap(1, 1, "eve", {1, 1}));
  add(Frame(no_tap_frame).number(1).bytes());
  add(Frame(answer_frame).number(1).byte(0).bytes());
  add(Frame(probe_frame).name("x").number(1).name("x").number(0).text("").bytes());
  add(Frame(slot_withdrawal_frame).name("x").number(1).bytes());
  add(Frame(slot_answer_frame).name("x").number(1).byte(0).bytes());
  add(Frame(mailbox_frame).name("x").mailbox().bytes());
  add(Frame(store_state_frame).byte(0).bytes());
  add(Frame(taken_over_frame).number(1).byte(0).bytes());
  add(Frame(refused_request_frame).number(1).bytes());
  add(Frame(denied_frame).number(1).bytes());
  add(Frame(look_frame).number(1).text("x").bytes());
  add(Frame(last_frame).number(1).byte(1).text("choir").text("eve").number(1).bytes());
  add(Frame(inspection_frame).number(1).number(0).number(0).bytes());
  add(Frame(act_frame).number(1).byte(0).text("x").bytes());
  add(Frame(acted_frame).number(1).byte(0).bytes());
  add(Frame(step_frame).number(1).number(1).byte(1).bytes());
  Frame stepped = Frame(stepped_frame).number(1).byte(0);
  add(stepped.number(0).number(0).number(0).number(0).number(0).number(0).bytes());
  return frames;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(table)

BOOST_AUTO_TEST_CASE(a_frame_of_the_core_is_on_the_page_or_is_refused) {
  const auto page = kinds_of_the_page()["Frames of the core"];
  const auto shortest = shortest_frames();
  BOOST_TEST(page.size() == shortest.size());
  society::Authority authority(parse_policy("allow ** send **\nallow * register **\n").value(),
                               [](const std::string&) {});
  authority.opened(2, {"node", {}});
  for (unsigned kind = 0; kind < 0x100; ++kind) {
    BOOST_TEST_CONTEXT("kind " << kind) {
      BOOST_TEST(page.contains(kind) == shortest.contains(kind));
      const auto known = shortest.find(kind);
      const Bytes frame = known != shortest.end() ? known->second : Bytes{std::byte(kind)};
      Lab lab;
      const LeaseId eve = lab.join();
      lab.claim(eve, "eve");
      lab.send(eve, frame, kind == message_frame ? Content("hi") : Content());
      // Only a message store accepts such a message.
      BOOST_TEST(lab.is_refused(eve) == (!page.contains(kind) || kind == store_message_frame));
      society::Checkpoint checkpoint(authority);
      const auto ruling = checkpoint.rule_on_whole({2, 3}, frame);
      BOOST_TEST((ruling == society::Checkpoint::Ruling::nonsense) == !page.contains(kind));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_page_has_every_request_and_every_head) {
  auto page = kinds_of_the_page();
  std::set<unsigned> requests;
  for (unsigned kind = 1; kind <= static_cast<unsigned>(society::Request::all_followed); ++kind)
    requests.insert(kind);
  BOOST_TEST((page["Requests to a directory"] == requests));
  const std::set<unsigned> heads{0x20, 0x21, 0x22, 0x23, 0x24, 0x27};
  BOOST_TEST((page["What passes a clearinghouse"] == heads));
  for (unsigned kind = 0; kind < 0x100; ++kind) {
    const Bytes head{std::byte(kind), std::byte{1}, std::byte{2}};
    const bool is_relayed = central::read_relayed_head(head).ok;
    const bool is_fetched = kind == static_cast<unsigned>(central::Fetch::ask);
    BOOST_TEST((is_relayed || is_fetched) == heads.contains(kind), "head " << kind);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
