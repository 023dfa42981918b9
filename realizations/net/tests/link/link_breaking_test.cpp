// Connections that break at every byte of the greeting and of the first messages.
#include "realizations/net/src/simulated/alarms.hpp"
#include "support/breaking_network.hpp"
#include "support/link_node.hpp"
#include "support/side.hpp"
#include "support/sim_bench.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;
using Way = BreakingNetwork::Way;

// Notes the messages that come, and settles them.
class Listening final : public SessionEvents {
 public:
  void on_arrived(const Arrived& message) override {
    texts[message.lane].emplace_back(reinterpret_cast<const char*>(message.content.data()),
                                     message.content.size());
    session->release(session->life(), message.lane, message.bytes());
    if (message.lane != Lane::control)
      session->settle(session->life(), message.lane, message.seq, Settlement::consumed);
  }
  void on_settled(const Settled& it) override { settled += it.last - it.first + 1; }
  void on_credit(Lane) override {}
  void on_open(Opening) override { ++opened; }
  void on_lost(const Closing&) override {}
  void on_restarted(const Unsettled&) override { ++lives; }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const Closing&, const Unsettled&) override { ++lives; }

  Session* session = nullptr;
  PerLane<std::vector<std::string>> texts;
  std::uint64_t settled = 0;
  unsigned opened = 0, lives = 0;
};

struct Side final : public LinksEvents {
  Side(Network& network, Alarms& alarms, SimLab& lab, Identity self)
      : links(network, alarms, lab.clock, lab.random, std::move(self), {}, *this) {}
  SessionEvents* on_peer(const Greeting&) override { return &user; }
  void on_link(Link& made) override { take(made); }
  void on_fault(const std::string&, const Closing&, const Link*) override {}
  void take(Link& made) {
    link = &made;
    user.session = &made.session();
  }
  bool open() { return link != nullptr && link->session().is_open(); }
  void send() {
    for (const Lane lane : all_lanes) {
      const std::string text = pattern(lane == Lane::large ? 700 : 30, static_cast<unsigned>(lane));
      BOOST_TEST(link->session().send(lane, bytes_of("head"), Content(text)) == 1u);
    }
    link->flush();
  }

  Listening user;
  Link* link = nullptr;
  Links links;
};

// Returns whether the connection broke; everything must arrive nevertheless.
bool survives(Way way, std::size_t byte) {
  SimLab lab(byte);
  const auto ann_alarms = sim_alarms(lab.queue, lab.network, 0);
  const auto bob_alarms = sim_alarms(lab.queue, lab.network, 1);
  BreakingNetwork fragile(lab.network.at(0), way, byte);
  Side ann(fragile, *ann_alarms, lab, identity("node0"));
  Side bob(lab.network.at(1), *bob_alarms, lab, identity("node1", 2));
  const Endpoint there[] = {bob.links.listen(Endpoint::parse("sim://node1:7").value()).value()};
  ann.take(ann.links.add("node1", there, ann.user));
  ann.link->dial();
  BOOST_REQUIRE(lab.until([&] { return ann.open() && bob.open(); }));
  ann.send();
  bob.send();
  const bool done = lab.until([&] {
    for (Side* side : {&ann, &bob}) side->link->flush();
    return ann.user.settled == 2 && bob.user.settled == 2;
  });
  BOOST_TEST(done);
  for (const Side* side : {&ann, &bob}) {
    for (const Lane lane : all_lanes) BOOST_TEST(side->user.texts[lane].size() == 1u);
    BOOST_TEST(side->user.lives == 0u);
  }
  return fragile.broke;
}

BOOST_AUTO_TEST_SUITE(link_breaking)

BOOST_AUTO_TEST_CASE(a_break_at_any_byte_loses_and_doubles_nothing) {
  for (const Way way : {Way::writing, Way::reading}) {
    std::size_t broke = 0, byte = 0;
    for (; byte < 1300; ++byte) {
      BOOST_TEST_CONTEXT("byte " << byte << (way == Way::writing ? " written" : " read"))
      broke += survives(way, byte);
    }
    // The greeting, the resumption and three messages have more than 900 bytes each way.
    BOOST_TEST(broke > 900u);
    BOOST_TEST_MESSAGE(broke << " of " << byte << " broke");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
