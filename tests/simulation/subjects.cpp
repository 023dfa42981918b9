#include "subjects.hpp"

#include "coracle/realizations/local.hpp"
#include "local_subject.hpp"

namespace coracle::contract {

namespace {

Realization local_in(sim::World& world) {
  local::Options parts;
  parts.clock = world.clock();
  return world.simulate(local::realization(parts));
}

}  // namespace

Subject subject_in(sim::World& world, unsigned workers) {
  Subject subject = local_subject(workers);
  subject.name = "simulated_" + subject.name;
  subject.open = [&world] { return local_in(world); };
  subject.cannot[Need::threads] = "the simulator has one thread, and what waits there for another "
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
