#include "wire.hpp"

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
net::Network& network_for(Wire& wire, unsigned host, bool is_free) {
  net::SimNetwork& network = wire.network();
  if (!is_free) {
    throw Error(Errc::bad_realization, "host " + std::to_string(host) +
                                           " does not exist, or has a program already; there are " +
                                           std::to_string(network.nodes()) + ", counted from 0");
  }
  network.restart(host);
  return network.at(host);
}

}  // namespace

Wire::Wire(Core& core)
    : core_(core),
      dice_(core.options().seed ^ wires_seed),
      events_(core.clock()),
      network_(events_, dice_, settings(core.options())),
      hosts_(core.options().nodes) {
  if (!core.options().trace_messages) return;
  network_.trace([&core](std::string_view line) { core.note("wire", line); });
}

void Wire::cut(unsigned from, unsigned to, bool is_cut) {
  if (is_cut) network_.cut(from, to);
  else network_.mend(from, to);
}

// A host that performs actions by itself rests with its node, and does afterwards what was due
// meanwhile.
void Wire::pause(unsigned host, Duration span) {
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
      wire_(core_->wire()),
      host_(host),
      network_(network_for(wire_, host,
                           host < wire_.hosts_.size() &&
                               (!wire_.hosts_[host].has_program || !wire_.network().is_up(host)))),
      life_(wire_.network().lives_ended(host)),
      dice_(core_->options().seed + apart * (host + 1) + life_),
      alarms_(net::sim_alarms(wire_.events(), wire_.network(), host)) {
  wire_.hosts_[host] = {true, perform != nullptr, Time()};
  if (perform) wire_.network().perform_by(host, std::move(perform));
}

Program::~Program() {
  if (!has_power()) return;
  wire_.network().crash(host_, net::Crash::process);
  wire_.hosts_[host_] = {};
}

bool Program::has_power() const { return wire_.network().lives_ended(host_) == life_; }

void Program::tell(std::function<void()> what) {
  if (has_power()) wire_.network().tell(host_, std::move(what));
}

}  // namespace coracle::sim::detail
