#include "stream_network.hpp"

#include <algorithm>
#include <string>

namespace coracle::sim::detail {

namespace {

constexpr std::uint64_t wires_seed = 0x2545f4914f6cdd1d, apart = 0x9e3779b97f4a7c15;

net::SimNetworkOptions settings(const Options& options) {
  net::SimNetworkOptions made;
  made.nodes = options.nodes;
  made.link.delay_least = options.delay_least;
  made.link.delay_most = options.delay_most;
  made.link.bytes_per_second = options.bandwidth;
  made.vouches = false;  // programs prove their identity by a secret
  return made;
}

// Begins a program on a host that has none.
net::Network& network_for(StreamNetwork& streams, unsigned host, bool is_free) {
  net::SimNetwork& network = streams.network();
  if (!is_free) {
    throw Error(Errc::bad_realization, "host " + std::to_string(host) +
                                           " does not exist, or has a program already; there are " +
                                           std::to_string(network.nodes()) + ", counted from 0");
  }
  network.restart(host);
  return network.at(host);
}

}  // namespace

StreamNetwork::StreamNetwork(Core& core)
    : core_(core),
      dice_(core.options().seed ^ wires_seed),
      events_(core.clock()),
      network_(events_, dice_, settings(core.options())),
      hosts_(core.options().nodes) {
  if (!core.options().trace_messages) return;
  network_.trace([&core](std::string_view line) { core.note("wire", line); });
}

void StreamNetwork::cut(unsigned from, unsigned to, bool is_cut) {
  if (is_cut) network_.cut(from, to);
  else network_.mend(from, to);
}

// A host that performs actions by itself rests with its node, and does afterwards what was due
// meanwhile.
void StreamNetwork::pause(unsigned host, Duration span) {
  Host& which = hosts_.at(host);
  if (!which.has_program || which.performs_itself) return;
  which.rests_until = std::max(which.rests_until, core_.now() + span);
  network_.pause(host);
  events_.at(which.rests_until, [this, host] {
    if (hosts_[host].rests_until <= core_.now()) network_.resume(host);
  });
}

Program::Program(World& world, unsigned host, Perform perform)
    : core_(world.core_),
      streams_(core_->streams()),
      host_(host),
      network_(network_for(streams_, host,
                           host < streams_.hosts_.size() && (!streams_.hosts_[host].has_program ||
                                                             !streams_.network().is_up(host)))),
      life_(streams_.network().lives_ended(host)),
      dice_(core_->options().seed + apart * (host + 1) + life_),
      alarms_(net::sim_alarms(streams_.events(), streams_.network(), host)) {
  streams_.hosts_[host] = {true, perform != nullptr, Time()};
  if (perform) streams_.network().perform_by(host, std::move(perform));
}

Program::~Program() {
  if (!has_power()) return;
  streams_.network().crash(host_, net::Crash::process);
  streams_.hosts_[host_] = {};
}

bool Program::has_power() const { return streams_.network().lives_ended(host_) == life_; }

void Program::tell(std::function<void()> what) {
  if (has_power()) streams_.network().tell(host_, std::move(what));
}

}  // namespace coracle::sim::detail
