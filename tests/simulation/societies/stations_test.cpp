// A node's connectivity to other nodes, in situations that are hard to produce.
#include "realizations/distributed/src/peers.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"
#include "realizations/net/src/society/home/settings.hpp"
#include "realizations/sim/src/stream_network.hpp"

#include "linked/linked_hosts.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::test {

namespace {

using sim::detail::Program;

sim::Options three_hosts() {
  sim::Options options;
  options.nodes = 3;
  return options;
}

net::Identity named(const std::string& node, const std::string& society) {
  net::Identity self;
  self.society = society;
  self.node = node;
  self.epoch = {1, 0};
  self.anybody = true;
  return self;
}

// Notes when it is notified that there is room again.
struct Roomy final : FrameReceiver {
  void on_frame(LeaseId, std::span<const std::byte>, Content) override {}
  void on_too_large(LeaseId, std::span<const std::byte>) override {}
  std::size_t content_limit() const noexcept override { return max_content_bytes; }
  void on_room(LeaseId) override {
    ++heard;
    heard_while_sending += sends ? 1 : 0;
  }
  void on_gone(LeaseId) override {}
  void on_back(LeaseId) override {}

  bool sends = false;
  int heard = 0, heard_while_sending = 0;
};

// Dials a host.
struct Stranger final : net::LinksEvents, net::SessionEvents {
  Stranger(sim::World& world, unsigned host)
      : program(world, host),
        links(program.network(), program.alarms(), program.clock(), program.random(),
              named("stranger", "another"), {}, *this) {}

  void dial(const std::string& place) {
    const net::Endpoint there[] = {net::Endpoint::parse(place).value()};
    links.add("", there, *this).dial();
  }
  net::SessionEvents* on_peer(const net::Greeting&) override { return nullptr; }
  void on_link(net::Link&) override {}
  void on_fault(const std::string&, const net::Closing& why, const net::Link*) override {
    refused += why.reason == net::Reason::wrong_society ? 1 : 0;
  }
  void on_arrived(const net::Arrived&) override {}
  void on_credit() override {}
  void on_open(net::Opening) override {}
  void on_lost(const net::Closing&) override {}
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override {}

  Program program;
  net::Links links;
  int refused = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(stations)

// The sender may hold a lock that it needs to handle the notification.
BOOST_AUTO_TEST_CASE(a_sender_does_not_hear_of_room_while_it_sends) {
  sim::World world(three_hosts());
  Program program(world, 0);
  std::vector<std::function<void()>> posted;
  bool is_here = false;
  society::NodeConnectivity connectivity(
      {.network = program.network(),
       .alarms = program.alarms(),
       .clock = program.clock(),
       .random = program.random(),
       .post = [&](auto what) { posted.push_back(std::move(what)); },
       .end = [] {},
       .look = {},
       .service = "directory",
       .frame_transport =
           [](society::NodeConnectivity& whose) {
             return std::make_unique<distributed::Peers>(whose);
           },
       .log = [](const std::string&) {},
       .is_here = [&is_here] { return is_here; }},
      named("node", "simulated"), society::link_options(1s), {});
  Roomy user;
  const auto do_what_was_posted = [&] {
    is_here = true;
    for (auto& what : std::exchange(posted, {})) what();
  };
  connectivity.frame_transport().attach(user, 1);
  do_what_was_posted();
  is_here = false;
  constexpr LeaseId self = 1, other = 2;
  const std::byte frame[] = {std::byte{1}};
  int sent = 1;
  while (connectivity.frame_transport().send(self, other, frame, {}, nullptr))
    BOOST_TEST_REQUIRE(++sent < 100'000);
  is_here = user.sends = true;
  connectivity.frame_transport().send(self, other, frame, {}, nullptr);
  user.sends = false;
  do_what_was_posted();
  BOOST_TEST(user.heard == 1);
  BOOST_TEST(user.heard_while_sending == 0);
}

BOOST_AUTO_TEST_CASE(a_stranger_who_is_sent_away_does_not_end_the_search_for_the_directory) {
  sim::World world(three_hosts());
  const LinkedDirectory directory(world, 2);
  Stranger stranger(world, 1);
  world.part({2});
  world.at(world.now() + 1ms, [&stranger] { stranger.dial("sim://node0:49152"); });
  world.at(world.now() + 3s, [&world] { world.mend_all(); });
  Node node(linked_node(world, 0, {2}));
  BOOST_TEST(stranger.refused > 0);
  BOOST_TEST((world.now() >= Time(4s)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
