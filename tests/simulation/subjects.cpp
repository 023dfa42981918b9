#include "subjects.hpp"

#include "coracle/realizations/local.hpp"
#include "local_subject.hpp"

#include <optional>

namespace coracle::contract {

namespace {

Realization local_in(sim::World& world) {
  local::Options parts;
  parts.clock = world.clock();
  return world.simulate(local::realization(parts));
}

Realization node_in(sim::World& world) { return world.realization(0); }

// The hosts of a world lose their power, and more goes wrong.
class HostPower final : public Power {
 public:
  HostPower(sim::World& world, const sim::Faults& faults) : trouble_(world, faults) {}

  void call_off() { trouble_.call_off(); }
  std::optional<Change> next() override {
    const auto change = trouble_.next();
    if (!change) return std::nullopt;
    return Change{change->host, change->is_on};
  }
  Realization parts(unsigned host) override { return trouble_.parts(host); }

 private:
  sim::Trouble trouble_;
};

// How each of them is made in a world, and what it is as a subject.
struct Kind {
  Subject (*subject)(unsigned workers);
  Realization (*open)(sim::World& world);
  unsigned nodes = 1;
};

// A function, because suites are registered while statics are made.
const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"local:", {local_subject, local_in}},
      {"sim:nodes=5", {local_subject, node_in, 5}},
  };
  return all;
}

}  // namespace

std::vector<std::string> simulated_realizations() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  return names;
}

unsigned nodes_of(const std::string& realization) { return kinds().at(realization).nodes; }

Subject subject_in(sim::World& world, unsigned workers, const std::string& realization,
                   const sim::Faults& faults) {
  const Kind& kind = kinds().at(realization);
  Subject subject = kind.subject(workers);
  subject.name = "simulated_" + subject.name;
  subject.open = [&world, &kind] { return kind.open(world); };
  if (kind.nodes > 1) {
    const auto trouble = std::make_shared<std::shared_ptr<HostPower>>();
    subject.join = [&world, &kind, trouble, faults] {
      *trouble = std::make_shared<HostPower>(world, faults);
      std::vector<Realization> others;
      for (unsigned host = 1; host < kind.nodes; ++host) others.push_back(world.realization(host));
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
    return local_in(world);
  };
  return subject;
}

}  // namespace coracle::contract
