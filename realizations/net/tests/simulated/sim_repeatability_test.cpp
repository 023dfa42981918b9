// The same seed gives the same events, byte for byte, whatever the faults.
#include "support/side.hpp"
#include "support/sim_bench.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

constexpr unsigned node_count = 5;

// One end of a connection that sends numbered texts and checks those of its peer.
class Chatter final : public ConnectionEvents {
 public:
  Chatter(std::unique_ptr<Connection> taken, std::uint64_t& total)
      : connection(std::move(taken)), total_(total) {
    connection->bind(*this);
    connection->read(buffer_);
    say();
  }

  void on_read(std::size_t bytes) override {
    for (std::size_t i = 0; i < bytes; ++i)
      good &= buffer_[i] == static_cast<std::byte>(next_in_++ % 251);
    total_ += bytes;
    connection->read(buffer_);
  }
  void on_written() override { say(); }
  void on_closed(const Error&) override { over = true; }

  std::unique_ptr<Connection> connection;
  bool over = false, good = true;

 private:
  void say() {
    if (next_out_ > 20'000) return;
    for (auto& each : text_) each = static_cast<std::byte>(next_out_++ % 251);
    const std::span<const std::byte> all(text_);
    const std::span<const std::byte> parts[] = {all.first(100), all.subspan(100)};
    connection->write(parts);
  }

  std::uint64_t& total_;
  std::uint64_t next_in_ = 0, next_out_ = 0;
  std::array<std::byte, 1000> buffer_{}, text_{};
};

// A node: listens, and connects to others again and again.
class Member final : public ListenEvents, public ConnectEvents {
 public:
  Member(SimLab& lab, NodeId self, std::uint64_t& total) : lab_(lab), self_(self), total_(total) {
    const Endpoint here = Endpoint::parse("sim://node" + std::to_string(self) + ":7").value();
    listener_ = lab.network.at(self).listen(here, *this).value();
  }
  void on_accept(std::unique_ptr<Connection> connection) override { keep(std::move(connection)); }
  void on_refuse(const Error&) override {}
  void on_connect(Result<std::unique_ptr<Connection>> outcome) override {
    dialing_ = false;
    if (outcome) keep(std::move(outcome).value());
  }

  void turn() {
    std::erase_if(chatters, [this](const auto& each) {
      good &= each->good;
      return each->over;
    });
    if (dialing_ || chatters.size() > 4) return;
    const auto other = between(lab_.random, 0, node_count - 1);
    const Endpoint there[] = {Endpoint::parse("sim://node" + std::to_string(other) + ":7").value()};
    dialing_ = true;
    attempt_ = lab_.network.at(self_).connect(there, 3s, *this);
  }

  bool good = true;
  std::vector<std::unique_ptr<Chatter>> chatters;

 private:
  void keep(std::unique_ptr<Connection> connection) {
    chatters.push_back(std::make_unique<Chatter>(std::move(connection), total_));
  }

  SimLab& lab_;
  NodeId self_;
  std::uint64_t& total_;
  bool dialing_ = false;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<Attempt> attempt_;
};

void some_fault(SimLab& lab, std::map<NodeId, std::unique_ptr<Member>>& members,
                std::uint64_t& total) {
  Random& random = lab.random;
  const auto one = static_cast<NodeId>(between(random, 0, node_count - 1));
  const auto other = static_cast<NodeId>(between(random, 0, node_count - 1));
  const NodeId island[] = {one, other};
  switch (between(random, 0, 12)) {
    case 0:
      return lab.network.partition(island);
    case 1:
      return lab.network.partition_one_way(island);
    case 2:
      return lab.network.heal();
    case 3:
      return lab.network.clog(one, other, between(random, 1ms, 3s));
    case 4:
      return lab.network.swizzle_clog(2s);
    case 5:
      return lab.network.reset_connections(one, other);
    case 6:
      return lab.network.half_open(one, other);
    case 7:
      return lab.network.stall(one, other);
    case 8:
      return lab.network.unstall(one, other);
    case 9:
      return lab.network.pause(one);
    case 10:
      return lab.network.resume(one);
    case 11:
      lab.network.crash(one, chance(random, 50) ? Crash::power : Crash::process);
      if (chance(random, 50)) members.erase(one);
      return;
    default:
      if (lab.network.is_up(one)) return;
      members.erase(one);
      lab.network.restart(one);
      members[one] = std::make_unique<Member>(lab, one, total);
  }
}

struct Run {
  std::string trace;
  std::uint64_t bytes = 0;
  bool good = true;
};

// Runs twenty virtual seconds of five nodes that exchange texts while everything goes wrong.
Run play(std::uint64_t seed) {
  SimNetworkOptions options;
  options.nodes = node_count;
  options.link.delay_most = 20ms;
  options.link.jitter = 3ms;
  options.window = 5000;
  SimLab lab(seed, options);
  Run run;
  lab.network.trace([&run](std::string_view line) { (run.trace += line) += '\n'; });
  std::map<NodeId, std::unique_ptr<Member>> members;
  for (NodeId node = 0; node < node_count; ++node)
    members[node] = std::make_unique<Member>(lab, node, run.bytes);
  for (int round = 0; round < 100; ++round) {
    lab.run(200ms);
    for (auto& [node, member] : members) {
      member->turn();
      run.good &= member->good;
    }
    if (chance(lab.random, 40)) some_fault(lab, members, run.bytes);
  }
  return run;
}

BOOST_AUTO_TEST_SUITE(sim_repeatability)

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_events) {
  const std::uint64_t seeds = 200 / coracle::test::fewer;
  std::uint64_t bytes = 0;
  std::string last;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Run first = play(seed), second = play(seed);
    BOOST_REQUIRE_MESSAGE(first.trace == second.trace, "seed " << seed);
    BOOST_REQUIRE_MESSAGE(first.good, "a stream was not a stream with seed " << seed);
    BOOST_TEST((first.trace != last));
    last = first.trace;
    bytes += first.bytes;
  }
  BOOST_TEST(bytes > 100'000u * seeds, "hardly anything was said: " << bytes << " bytes");
}

// The result does not depend on compilers, flags and machines. After an intended change of the
// simulation, this test needs the new number.
BOOST_AUTO_TEST_CASE(every_build_gives_the_same_events) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char each : play(4711).trace)
    hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  BOOST_TEST(hash == 6462505881355894374u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
