#include "support/link_run.hpp"

namespace coracle::net::test {

using namespace std::chrono_literals;

namespace {

SimNetworkOptions conditions(std::uint64_t seed) {
  SeededRandom random(seed ^ 0x5eed);
  SimNetworkOptions options;
  options.link.delay_least = between(random, Duration(10us), Duration(5ms));
  options.link.delay_most = options.link.delay_least + between(random, Duration(0), Duration(40ms));
  options.link.jitter = between(random, Duration(0), Duration(50ms));
  options.window = between(random, 300, 100'000);
  return options;
}

Endpoint place(unsigned index) {
  return Endpoint::parse("sim://node" + std::to_string(index) + ":7").value();
}

}  // namespace

LinkRun::LinkRun(std::uint64_t seed) : dice_(seed), lab_(seed, conditions(seed)) {
  options_.session.window = {between(dice_, 100, 50'000), between(dice_, 2, 200)};
  if (chance(dice_, 30)) options_.idle = between(dice_, Duration(1s), Duration(5s));
  habits_.small = between(dice_, 0, 1000);
  habits_.large = between(dice_, 0, 100'000);
  const bool one_way = chance(dice_, 40);
  dials_[0] = !one_way || chance(dice_, 50);
  dials_[1] = !one_way || !dials_[0];
  for (const unsigned index : {0u, 1u}) start(index);
}

void LinkRun::start(unsigned index) {
  alarms_[index] = sim_alarms(lab_.queue, lab_.network, index);
  nodes_[index] = std::make_unique<LinkNode>(
      lab_.network.at(index), *alarms_[index], lab_.clock, dice_,
      identity("node" + std::to_string(index), next_epoch_++), options_, ledger_, index, habits_);
  LinkNode& node = *nodes_[index];
  promise(node.links.listen(place(index)).has_value(), "nobody can listen");
  // After a connection was closed because it was idle, either node may have something to send.
  if (options_.idle != Duration::max()) node.endpoints = {place(1 - index)};
  if (!dials_[index]) return;
  node.add("node" + std::to_string(1 - index), place(1 - index));
  node.link->dial();
}

void LinkRun::stop(unsigned index) {
  const ModelUser& user = nodes_[index]->user;
  opened += user.opened;
  restarted += user.restarted;
  suspected += user.suspected;
  gone += user.gone;
  nodes_[index].reset();
  alarms_[index].reset();
}

void LinkRun::wreck() {
  ++faults_;
  const auto one = static_cast<NodeId>(between(dice_, 0, 1)), other = 1 - one;
  switch (between(dice_, 0, 9)) {
    case 0:
    case 1:
    case 2:
      return lab_.network.reset_connections(one, other);
    case 3:
      return lab_.network.cut(one, other);
    case 4:
      return lab_.network.half_open(one, other);
    case 5:
      return lab_.network.clog(one, other, between(dice_, Duration(1ms), Duration(5s)));
    case 6:
      return lab_.network.stall(one, other);
    case 7:
      return lab_.network.pause(one);
    case 8:
      lab_.network.crash(one, chance(dice_, 50) ? Crash::power : Crash::process);
      stop(one);
      lab_.run(between(dice_, Duration(0), Duration(3s)));
      lab_.network.restart(one);
      return start(one);
    default:
      return mend();
  }
}

void LinkRun::mend() {
  lab_.network.heal();
  for (const NodeId one : {0u, 1u}) {
    lab_.network.unstall(one, 1 - one);
    lab_.network.resume(one);
  }
}

void LinkRun::check(const LinkNode& node) const {
  for (const Closing& each : node.faults) {
    const bool protocol = each.reason >= Reason::malformed && each.reason < Reason::silent;
    const bool greeting = each.reason >= Reason::wrong_version && each.reason < Reason::stale;
    promise(!protocol && !greeting, "a link ends: " + each.sentence);
  }
  promise(node.link == nullptr || node.link->session().memory() < (4u << 20),
          "a session holds too much memory");
}

void LinkRun::act(unsigned index, unsigned most) {
  LinkNode* node = nodes_[index].get();
  if (node == nullptr || node->link == nullptr) return;
  lab_.network.tell(index, [this, index, node, most] {
    if (nodes_[index].get() != node) return;
    most > 0 ? node->user.act(most) : node->user.finish();
    node->link->flush();
  });
}

void LinkRun::run(Duration span) {
  const Time end = lab_.clock.now() + span;
  while (lab_.clock.now() < end) {
    lab_.run(between(dice_, Duration(0), Duration(200ms)));
    act(static_cast<unsigned>(between(dice_, 0, 1)), 8);
    if (chance(dice_, 10)) wreck();
    if (chance(dice_, 4)) mend();
    for (const auto& node : nodes_) check(*node);
  }
}

void LinkRun::drain() {
  mend();
  const Time begin = lab_.clock.now();
  const auto is_done = [this] {
    for (const auto& node : nodes_)
      if (node->link != nullptr && !(node->user.is_done() && node->link->session().is_quiet()))
        return false;
    return true;
  };
  while (!is_done()) {
    lab_.run(50ms);
    for (const unsigned index : {0u, 1u}) {
      act(index, 0);
      check(*nodes_[index]);
    }
    promise(lab_.clock.now() - begin < 60s,
            "what was sent does not arrive a minute after the last fault");
  }
  for (const unsigned index : {0u, 1u}) {
    const ModelUser& user = nodes_[index]->user;
    opened += user.opened;
    restarted += user.restarted;
    suspected += user.suspected;
    gone += user.gone;
  }
}

}  // namespace coracle::net::test
