#include "fuzzed_society.hpp"

#include "coracle/grants.hpp"
#include "honest.hpp"
#include "member.hpp"
#include "realizations/net/src/handshake.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace coracle::fuzzed {

namespace {

using namespace std::chrono_literals;
using test::Linked;

enum Host : unsigned { one, other, north, south, store, server, hosts };

constexpr const char* policy =
    "allow lab       register lab/**\n"
    "allow evil*     register evil/**\n"
    "allow lab/**    send     **\n"
    "allow evil/1/** send     lab/echo\n"
    "allow evil/1/** send     lab/full\n"
    "allow evil/1/** send     lab/slow\n"
    "allow evil/1/** send     lab/tray\n"
    "allow evil/**   send     evil/**\n"
    "allow lab/**    overhear **\n"
    "allow evil/1/** overhear evil/**\n"
    "allow evil/1/** overhear lab/full\n"
    "allow lab/**    join     **\n"
    "allow lab/tray  redirect lab/*\n"
    "allow evil/**   join     teams/*\n";

constexpr std::size_t kept_bytes = std::size_t{1} << 20;

// Sets the names that certificates would prove.
void vouch(net::Greeting& greeting) {
  if (!greeting.node.starts_with("host")) return;
  switch (greeting.node[4] - '0') {
    case one:
      greeting.certified = "evil1";
      return;
    case other:
      greeting.certified = "evil2";
      return;
    case store:
      greeting.is_inside = true;
      return;
    default:
      greeting.certified = "lab";
  }
}

sim::Options world_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = seed;
  options.nodes = hosts;
  options.trace_messages = false;
  return options;
}

NodeOptions small() {
  NodeOptions options;
  options.absent_limit = 64;
  return options;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "the society is broken: %s\n", what.c_str());
  std::abort();
}

// Mostly zero, so that frames arrive together; seldom so long that leases end, and never if the
// members hurry.
Duration drawn(Choices& choose, bool hurries) {
  const std::uint8_t choice = choose.byte();
  if (choice < (hurries ? 246 : 190)) return {};
  if (choice < 242) return 300us;
  if (choice < 252) return 3ms;
  if (choice < 255 || hurries) return 50ms;
  if (choose.in(160)) return 600ms;
  return choose.in(230) ? Duration(6s) : Duration(40s);
}

}  // namespace

struct Society::Impl {
  explicit Impl(const Settings& settings)
      : hurries(settings.hurries),
        world(world_of(settings.seed)),
        service(std::make_unique<test::LinkedDirectory>(
            world, server, settings.kind, 0,
            test::LinkedGuard{parse_policy(policy).value(), &vouch, policy})) {
    if (settings.kind == Linked::central) {
      Realization made = node(store, settings.kind);
      made.backend = memory_backend(kept_bytes);
      nodes[0] = std::make_unique<Node>(std::move(made), small());
    }
    nodes[1] = std::make_unique<Node>(node(north, settings.kind), small());
    nodes[2] = std::make_unique<Node>(node(south, settings.kind), small());
    begin_south(*nodes[2], &fail);
    begin_north(*nodes[1], &fail, acts);
    const auto reads = [](std::string_view content) {
      if (content.find("secret:") != content.npos) fail("a hostile member has read a secret");
    };
    for (const unsigned host : {one, other}) {
      members[host].emplace(world,
                            Member::Place{.host = host,
                                          .directory = server,
                                          .kind = settings.kind,
                                          .prefix = "evil/" + std::to_string(host + 1) + "/",
                                          .answers = settings.answers},
                            reads);
    }
  }

  Realization node(unsigned host, Linked kind) {
    return test::linked_node(world, host, {server}, kind);
  }
  bool is_ready(Member& member) {
    const auto ready = [&member] { return member.is_ready(); };
    if (ready() || world.run_until(ready, Deadline(20ms))) return true;
    member.restart();
    return world.run_until(ready, Deadline(10s));
  }

  const bool hurries;
  unsigned acts = 0;  // the acts left for an honest agent
  sim::World world;
  std::unique_ptr<test::LinkedDirectory> service;
  std::unique_ptr<Node> nodes[3];
  std::optional<Member> members[2];
};

Society::Society(const Settings& settings) : impl_(std::make_unique<Impl>(settings)) {}

Society::~Society() = default;

unsigned Society::step(Choices& choose) {
  Member& member = *impl_->members[choose.byte() & 1];
  const Duration passes = drawn(choose, impl_->hurries);
  const unsigned said = impl_->is_ready(member) ? member.act(choose) : 0;
  if (passes != Duration()) ++impl_->acts, impl_->world.run_for(passes);
  return said;
}

void Society::check() {
  for (auto& member : impl_->members) member.reset();
  bool done = false;
  try {
    ping(*impl_->nodes[1], done);
    if (!impl_->world.run_until([&done] { return done; }, Deadline(60s)))
      fail("lab/echo answers nobody any more\n" + impl_->world.waits());
  } catch (const Error& error) {
    fail("an agent cannot begin: " + error.sentence());
  }
  for (const auto& node : impl_->nodes) {
    if (node && !node->ledger().balanced()) fail(node->ledger().to_string());
  }
}

}  // namespace coracle::fuzzed
