// Two nodes exchange messages through shared memory, and the test changes that memory at
// random meanwhile: this may cost them their link, and nothing else. CORACLE_SEEDS is the number of
// runs, CORACLE_SEED the first seed.
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/shared_memory/shared_memory.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "support/asio_bench.hpp"
#include "support/link_node.hpp"
#include "tests/support/seeds.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/mman.h>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;
using coracle::test::below;

// The memory that this process shares with others, mapped again, so that it stays when a connection
// releases it.
class Pages {
 public:
  static constexpr std::size_t heads = 4096, bytes = heads + 2 * SharedMemory::ring_bytes;

  Pages() = default;
  Pages(const Pages&) = delete;
  ~Pages() {
    for (const auto& [inode, at] : all_) ::munmap(at, bytes);
  }

  // Finds the shared memory that is new.
  void look() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (line.find("memfd:coracle") == std::string::npos) continue;
      std::istringstream words(line);
      std::string range, rights, offset, device, inode;
      words >> range >> rights >> offset >> device >> inode;
      if (all_.contains(inode)) continue;
      void* const there = reinterpret_cast<void*>(std::stoul(range, nullptr, 16));  // NOLINT
      void* const again = ::mremap(there, 0, bytes, MREMAP_MAYMOVE);
      if (again == MAP_FAILED) continue;
      // Access behind the end must be noticed.
      (void)::mmap(static_cast<std::byte*>(there) + bytes, heads, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      all_.emplace(inode, static_cast<std::byte*>(again));
    }
  }
  bool empty() const { return all_.empty(); }

  // Changes something: mostly a number of a head, to something that is not quite wrong.
  void change(Random& random) {
    auto chosen = all_.begin();
    std::advance(chosen, below(random, all_.size()));
    std::byte* const at = chosen->second;
    const auto what = below(random, 8);
    if (what == 0) return put(at + 8 * below(random, bytes / 8), random.next());
    std::byte* const head = at + 128 * below(random, 2);
    if (what == 1) return put(head + (below(random, 2) != 0 ? 8 : 72), below(random, 3));
    std::byte* const number = head + (below(random, 2) != 0 ? 0 : 64);
    put(number, near(get(number), random));
  }

 private:
  static std::uint64_t get(const std::byte* at) {
    return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(at), __ATOMIC_RELAXED);
  }
  static void put(std::byte* at, std::uint64_t value) {
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(at), value, __ATOMIC_RELAXED);
  }
  static std::uint64_t near(std::uint64_t now, Random& random) {
    constexpr std::uint64_t ring = SharedMemory::ring_bytes;
    switch (below(random, 8)) {
      case 0:
        return random.next();
      case 1:
        return now + (1UL << 30);
      case 2:
        return now - 1 - below(random, ring);
      case 3:
        return now + ring;
      case 4:
        return 0;
      default:
        return now + below(random, ring);
    }
  }

  std::map<std::string, std::byte*> all_;  // mappings by inode
};

// A part of a write that is several times as large as the memory.
constexpr std::size_t largest = 900'000;

LinkOptions roomy() {
  LinkOptions options;
  options.session.largest = 1u << 20;
  options.session.window = {8u << 20, 4096};
  options.session.kept = 8u << 20;
  return options;
}

// Sends much, accepts everything, and keeps nothing.
class Chatter final : public SessionEvents {
 public:
  void bind(Session& session) { session_ = &session; }
  void act(Random& random) {
    static const std::string text = std::string(largest, 'x');
    if (session_ == nullptr || !session_->is_open()) return;
    for (auto left = below(random, 12); left > 0; --left) {
      const std::size_t bytes = below(random, 4) == 0 ? below(random, largest) : below(random, 200);
      (void)session_->send(std::as_bytes(std::span("head")),
                           Content::bytes(std::as_bytes(std::span(text)).first(bytes)));
    }
  }

  void on_arrived(const Arrived& message) override {
    ++arrived;
    session_->release(message.bytes());
  }
  void on_credit() override {}
  void on_open(Opening) override {}
  void on_lost(const Closing&) override { ++lost; }
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const Closing&) override {}

  std::uint64_t arrived = 0, lost = 0;

 private:
  Session* session_ = nullptr;
};

struct Talker final : LinksEvents {
  Talker(Network& network, Alarms& alarms, Random& random, Identity self)
      : links(network, alarms, steady_clock(), random, std::move(self), roomy(), *this) {}
  void turn(Random& random) {
    chatter.act(random);
    if (link != nullptr) link->flush();
  }
  bool is_open() const { return link != nullptr && link->session().is_open(); }

  SessionEvents* on_peer(const Greeting&) override { return &chatter; }
  void on_link(Link& made) override { chatter.bind((link = &made)->session()); }
  void on_fault(const std::string&, const Closing& why, const Link*) override {
    BOOST_TEST(!why.sentence.empty());
    ++faults;
  }

  Chatter chatter;
  Link* link = nullptr;
  std::uint64_t faults = 0;
  Links links;  // ends first
};

constexpr std::uint64_t quiet_turns = 5, least_changes = 50;

struct Sums {
  std::uint64_t arrived = 0, lost = 0;
};

void talk(std::uint64_t seed, bool by_thread, Sums& sums) {
  SeededRandom random(seed), wild(seed + 1);
  AsioBench bench(Endpoint::Scheme::unix_socket);
  bench.looks = below(random, 2) == 0;
  const auto alarms = asio_alarms(bench.context);
  Talker bob(bench.listening(), *alarms, random, identity("bob", 2));
  Talker ann(bench.connecting(), *alarms, random, identity("ann", 1));
  const Endpoint place[] = {bob.links.listen(bench.place()).value()};
  ann.chatter.bind((ann.link = &ann.links.add("bob", place, ann.chatter))->session());
  ann.link->dial();
  BOOST_TEST_REQUIRE(bench.until([&] { return ann.is_open() && bob.is_open(); }));
  Pages pages;
  pages.look();
  BOOST_TEST_REQUIRE(!pages.empty());
  std::atomic<bool> is_over = false;
  std::atomic<std::uint64_t> changes = by_thread ? 0 : least_changes;
  std::atomic<std::uint64_t> turn = 0;
  std::thread changing;
  if (by_thread)
    changing = std::thread([&] {
      while (turn < quiet_turns) std::this_thread::yield();
      for (; !is_over; ++changes) pages.change(wild);
    });
  const auto turns = 20 + below(random, 40);
  for (; turn < turns || changes < least_changes; ++turn) {
    if (ann.faults + bob.faults != 0) break;
    ann.turn(random);
    bob.turn(random);
    for (int polls = 0; polls < 4; ++polls) {
      if (!by_thread && turn >= quiet_turns && below(wild, 4) == 0) pages.change(wild);
      for (Network* const network : {&bench.listening(), &bench.connecting()}) {
        if (bench.looks) (void)network->look();
        if (bench.looks) network->rest();
      }
      bench.context.restart();
      bench.context.poll();
    }
  }
  is_over = true;
  if (changing.joinable()) changing.join();
  sums.arrived += ann.chatter.arrived + bob.chatter.arrived;
  sums.lost += ann.chatter.lost + bob.chatter.lost;
}

void talk_often(bool by_thread, std::uint64_t otherwise) {
  const char* const first = std::getenv("CORACLE_SEED");
  const std::uint64_t begin = first == nullptr ? 1 : std::stoull(first);
  const std::uint64_t runs = coracle::test::seeds_to_play(otherwise);
  Sums sums;
  for (std::uint64_t seed = begin; seed < begin + runs; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) talk(seed, by_thread, sums);
  }
  std::cout << runs << " runs: " << sums.arrived << " messages arrived, " << sums.lost
            << " times a connection was lost\n";
  BOOST_TEST(sums.arrived > runs);
  BOOST_TEST(sums.lost > runs / 2);
}

BOOST_AUTO_TEST_SUITE(wild_memory)

BOOST_AUTO_TEST_CASE(whatever_is_changed_between_two_looks_costs_no_more_than_the_link) {
  talk_often(false, 2400);
}

BOOST_AUTO_TEST_CASE(whatever_is_changed_at_any_time_costs_no_more_than_the_link) {
  talk_often(true, 480);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
