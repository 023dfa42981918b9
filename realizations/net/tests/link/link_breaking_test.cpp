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

// Notes the messages that come.
class Listening final : public SessionEvents {
 public:
  void on_arrived(const Arrived& message) override {
    texts.emplace_back(reinterpret_cast<const char*>(message.content.data()),
                       message.content.size());
    session->release(message.bytes());
  }
  void on_credit() override {}
  void on_open(Opening) override { ++opened; }
  void on_lost(const Closing&) override {}
  void on_restarted() override { ++lives; }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const Closing&) override { ++lives; }

  Session* session = nullptr;
  std::vector<std::string> texts;
  unsigned opened = 0, lives = 0;
};

const std::vector<std::string> all_texts = {pattern(30, 0), pattern(30, 1), pattern(800, 2)};

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
    for (const std::string& text : all_texts)
      BOOST_TEST(link->session().send(bytes_of("head"), Content(text)) != 0u);
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
    return ann.user.texts.size() == all_texts.size() && bob.user.texts.size() == all_texts.size() &&
           ann.link->session().is_quiet() && bob.link->session().is_quiet();
  });
  BOOST_TEST(done);
  for (const Side* side : {&ann, &bob}) {
    BOOST_TEST(side->user.texts == all_texts);
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
