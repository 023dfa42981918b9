#include "subjects.hpp"

#include "coracle/realizations/local.hpp"
#include "linked_hosts.hpp"
#include "subjects/local_subject.hpp"

#include <optional>

namespace coracle::conformance {

namespace {

constexpr unsigned linked_nodes = 5;
constexpr int longer = 250;  // at most 7.5 s: a holder may be silent for ten (decision 0017)

Realization local_in(sim::World& world, unsigned) {
  local::Options parts;
  parts.clock = world.clock();
  return world.simulate(local::realization(parts));
}

Realization node_in(sim::World& world, unsigned host) { return world.realization(host); }

Realization linked_in(sim::World& world, unsigned host) {
  return test::linked_node(world, host, {linked_nodes}, test::Linked::distributed,
                           test::letting_take_over());
}

std::shared_ptr<void> directory_in(sim::World& world) {
  return std::make_shared<test::LinkedDirectory>(world, linked_nodes);
}

Realization central_as(const central::Options& options, sim::World& world, unsigned host) {
  return test::linked_node(world, host, {linked_nodes}, test::Linked::central, options);
}

Realization central_in(sim::World& world, unsigned host) {
  return central_as(test::letting_take_over(), world, host);
}

// The other methods of delivery and matching (decision 0032).
template <central::Delivery::How how>
Realization central_by(sim::World& world, unsigned host) {
  central::Options options = test::letting_take_over();
  options.delivery.how = how;
  return central_as(options, world, host);
}

Realization linear_in(sim::World& world, unsigned host) {
  central::Options options = test::letting_take_over();
  options.matching = Matching::linear;
  return central_as(options, world, host);
}

std::shared_ptr<void> clearinghouse_in(sim::World& world) {
  return std::make_shared<test::LinkedDirectory>(world, linked_nodes, test::Linked::central);
}

// A kind of realization: the functions that make it in a world and as a subject.
struct Kind {
  Subject (*subject)(unsigned workers);
  Realization (*open)(sim::World& world, unsigned host);
  unsigned nodes = 1;
  // The service on the host after the nodes' hosts; nullptr: none.
  std::shared_ptr<void> (*around)(sim::World& world) = nullptr;
};

// A function, because suites are registered during static initialization.
const std::map<std::string, Kind>& kinds() {
  using How = central::Delivery::How;
  static const std::map<std::string, Kind> all = {
      {"local:", {local_subject, local_in}},
      {"sim:nodes=5", {local_subject, node_in, 5}},
      {"distributed:nodes=5", {local_subject, linked_in, linked_nodes, directory_in}},
      {"central:nodes=5", {local_subject, central_in, linked_nodes, clearinghouse_in}},
      {"central:delivery=notify",
       {local_subject, central_by<How::notify>, linked_nodes, clearinghouse_in}},
      {"central:delivery=poll",
       {local_subject, central_by<How::poll>, linked_nodes, clearinghouse_in}},
      {"central:matching=linear", {local_subject, linear_in, linked_nodes, clearinghouse_in}},
  };
  return all;
}

// The hosts of a world lose their power, and other faults happen.
class HostPower final : public Power {
 public:
  HostPower(sim::World& world, const Kind& kind, const sim::Faults& faults)
      : world_(world), kind_(kind), trouble_(world, faults) {}

  void call_off() { trouble_.call_off(); }
  std::optional<Change> next() override {
    const auto change = trouble_.next();
    if (!change) return std::nullopt;
    return Change{change->host, change->is_on};
  }
  Realization parts(unsigned host) override {
    trouble_.begin(host);
    return kind_.open(world_, host);
  }

 private:
  sim::World& world_;
  const Kind& kind_;
  sim::Trouble trouble_;
};

}  // namespace

std::vector<std::string> simulated_realizations() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  return names;
}

unsigned nodes_of(const std::string& realization) { return kinds().at(realization).nodes; }

unsigned hosts_of(const std::string& realization) {
  const Kind& kind = kinds().at(realization);
  return kind.nodes + (kind.around != nullptr ? 1 : 0);
}

sim::Faults faults_of(std::uint64_t seed, const std::string& realization) {
  const unsigned nodes = nodes_of(realization);
  const unsigned hosts = hosts_of(realization);
  sim::Faults faults = sim::random_faults(seed, hosts);
  if (hosts == nodes) return faults;
  std::erase_if(faults, [nodes](const sim::Fault& fault) {
    return fault.kind == sim::Fault::Kind::crash && fault.host >= nodes;
  });
  for (const sim::Fault& fault : sim::random_resets(seed, hosts)) faults.push_back(fault);
  // Under some seeds, links between nodes are cut for seconds, so that their connections break.
  for (sim::Fault fault : seed % 4 == 3 ? sim::random_faults(~seed, nodes) : sim::Faults()) {
    if (fault.kind != sim::Fault::Kind::cut && fault.kind != sim::Fault::Kind::part) continue;
    fault.span *= longer;
    faults.push_back(fault);
  }
  return faults;
}

Subject subject_in(sim::World& world, unsigned workers, const std::string& realization,
                   const sim::Faults& faults) {
  const Kind& kind = kinds().at(realization);
  Subject subject = kind.subject(workers);
  subject.name = "simulated_" + subject.name;
  subject.taps_are_in_time = kind.around == nullptr;
  subject.open = [&world, &kind, around = std::make_shared<std::shared_ptr<void>>()] {
    if (kind.around != nullptr) *around = kind.around(world);
    return kind.open(world, 0);
  };
  if (kind.nodes > 1) {
    const auto trouble = std::make_shared<std::shared_ptr<HostPower>>();
    subject.join = [&world, &kind, trouble, faults] {
      *trouble = std::make_shared<HostPower>(world, kind, faults);
      std::vector<Realization> others;
      for (unsigned host = 1; host < kind.nodes; ++host) others.push_back(kind.open(world, host));
      return others;
    };
    subject.power = [trouble] { return *trouble; };
    subject.calm = [trouble] { (*trouble)->call_off(); };
  }
  subject.cannot[Need::threads] =
      "the simulator has one thread, and what waits there for another "
      "thing stops that too";
  return subject;
}

Subject spread_subject(unsigned nodes, unsigned workers, std::uint64_t seed) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.workers = workers;
  options.nodes = nodes;
  const auto world = std::make_shared<std::optional<sim::World>>();
  Subject subject = local_subject(workers);
  subject.name =
      "spread_over_" + std::to_string(nodes) + "_nodes_" + std::to_string(workers) + "_workers";
  subject.taps_are_in_time = true;
  subject.open = [options, world] { return world->emplace(options).realization(); };
  subject.join = [world, nodes] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number) {
      others.push_back((*world)->realization(number));
    }
    return others;
  };
  subject.cannot[Need::threads] =
      "the simulator has one thread, and what waits there for another "
      "thing stops that too";
  return subject;
}

Subject linked_subject(unsigned nodes, unsigned workers, std::uint64_t seed) {
  struct Around {
    explicit Around(const sim::Options& options)
        : world(options), directory(world, options.nodes - 1) {}
    Realization node(unsigned host) {
      return test::linked_node(world, host, {world.hosts() - 1}, test::Linked::distributed,
                               test::letting_take_over());
    }
    sim::World world;
    test::LinkedDirectory directory;
  };
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.workers = workers;
  options.nodes = nodes + 1;
  const auto around = std::make_shared<std::unique_ptr<Around>>();
  Subject subject = spread_subject(nodes, workers, seed);
  subject.name = "linked_" + subject.name;
  subject.open = [options, around] {
    *around = std::make_unique<Around>(options);
    return (*around)->node(0);
  };
  subject.join = [around, nodes] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number) others.push_back((*around)->node(number));
    return others;
  };
  return subject;
}

Subject simulated_subject(unsigned workers, std::uint64_t seed, bool traced) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.workers = workers;
  options.trace_messages = traced;
  sim::World unused(options);
  Subject subject = subject_in(unused, workers);
  if (!traced) subject.name += "_untraced";
  subject.open = [options] {
    sim::World world(options);
    return local_in(world, 0);
  };
  return subject;
}

}  // namespace coracle::conformance
