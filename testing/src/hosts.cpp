// Several nodes of a society under test, and their faults.
#include "coracle/testing/society.hpp"
#include "watch.hpp"

#include <utility>

namespace coracle::testing {

namespace {

constexpr Duration try_again = std::chrono::seconds(5);

sim::Fault fault_of(sim::Fault::Kind kind, unsigned host, unsigned other, Duration span) {
  sim::Fault fault;
  fault.kind = kind;
  fault.span = span;
  fault.host = host;
  fault.other = other;
  return fault;
}

}  // namespace

sim::World& Society::world_with_hosts() const {
  if (world_ != nullptr) return *world_;
  throw Error(Errc::bad_options,
              "a society on a realization of the test's own has one host; give "
              "it a sim::World with Options::nodes above 1");
}

unsigned Society::host(Program program) {
  const auto number = static_cast<unsigned>(hosts_.size() + 1);
  const unsigned all = world_with_hosts().hosts();
  if (number >= all)
    throw Error(Errc::bad_options, "there is no host " + std::to_string(number) +
                                       ": the world has " + std::to_string(all) +
                                       ", and host 0 is the test's own; raise Options::nodes");
  hosts_.push_back({std::move(program), nullptr});
  begin(number);
  return number;
}

// A node does not crash while it is made.
void Society::begin(unsigned host) {
  Host& it = hosts_[host - 1];
  for (const auto& trouble : troubles_) trouble->begin(host);
  it.node =
      std::make_unique<Node>(detail::watched(world_->realization(host), watch_, clock_), options_);
  it.program(*it.node);
}

Node& Society::node(unsigned host) {
  if (host == 0) return *node_;
  if (host <= hosts_.size() && hosts_[host - 1].node) return *hosts_[host - 1].node;
  throw Error(Errc::bad_options, "host " + std::to_string(host) +
                                     " has no node now: it has no power, or runs no program; see "
                                     "Society::host()");
}

Address Society::play(Node& node, AgentSpec spec, Body body) {
  return node.adopt(std::move(spec), std::make_unique<Actor>(std::move(body), proceedings_));
}

void Society::cut(unsigned host, unsigned other, Duration span) {
  suffer({fault_of(sim::Fault::Kind::part, host, other, span)});
}

void Society::pause(unsigned host, Duration span) {
  suffer({fault_of(sim::Fault::Kind::pause, host, 0, span)});
}

void Society::crash(unsigned host, Duration span) {
  suffer({fault_of(sim::Fault::Kind::crash, host, 0, span)});
}

void Society::suffer(const sim::Faults& faults) {
  for (const sim::Fault& fault : faults) {
    if (fault.kind != sim::Fault::Kind::crash || fault.host != 0) continue;
    throw Error(Errc::bad_options,
                "host 0 cannot crash: the test itself is there; have another "
                "host, made by Society::host(), do so");
  }
  troubles_.push_back(std::make_unique<sim::Trouble>(world_with_hosts(), faults));
  (void)troubles_.back()->next();  // hosts may crash from now on
}

void Society::recover() {
  for (const auto& trouble : troubles_) trouble->call_off();
  troubles_.clear();
}

std::optional<sim::Trouble::Change> Society::next_change() {
  for (const auto& trouble : troubles_) {
    if (auto change = trouble->next()) return change;
  }
  if (again_->empty()) return std::nullopt;
  const unsigned host = again_->back();
  again_->pop_back();
  return sim::Trouble::Change{host, true};
}

// Hosts that run nothing have nothing to lose.
void Society::apply(const sim::Trouble::Change& change) {
  if (change.host == 0 || change.host > hosts_.size()) return;
  std::unique_ptr<Node>& node = hosts_[change.host - 1].node;
  if (!change.is_on) return node.reset();
  if (node) return;
  try {
    begin(change.host);
  } catch (const Error& error) {
    if (error.errc() != Errc::name_taken) throw;
    node->stop(Duration::zero());  // its finished agents give up their names
    world_->crash(change.host);    // then it leaves its place
    node.reset();
    world_->at(now() + try_again, [again = again_, host = change.host] { again->push_back(host); });
  }
}

// Nodes begin and end between two steps.
void Society::run_driven(const std::function<bool()>& over, Time end, const std::string& what) {
  for (;;) {
    std::optional<sim::Trouble::Change> change;
    const auto pauses = [&] { return over() || (change = next_change()).has_value(); };
    driver_->run_until(pauses, end, what);
    if (!change) return;
    apply(*change);
  }
}

Ledger Society::ledger() {
  Ledger all = node_->ledger();
  for (const Host& host : hosts_) {
    if (!host.node) continue;
    const Ledger one = host.node->ledger();
    all.in_flight += one.in_flight;
    all.queued += one.queued;
    all.in_hand += one.in_hand;
  }
  return all;
}

}  // namespace coracle::testing
