#include "subjects.hpp"

#include "coracle/realizations/local.hpp"
#include "local_subject.hpp"

namespace coracle::contract {

namespace {

Realization local_in(const sim::Options& options) {
  sim::World world(options);
  local::Options parts;
  parts.clock = world.clock();
  return world.simulate(local::realization(parts));
}

}  // namespace

Subject subject_in(const sim::Options& options) {
  Subject subject = local_subject(options.workers);
  subject.name = "simulated_" + subject.name + (options.trace_messages ? "" : "_untraced");
  subject.open = [options] { return local_in(options); };
  subject.cannot[Need::threads] = "the simulator has one thread, and what waits there for another "
                                  "thing stops that too";
  return subject;
}

Subject simulated_subject(unsigned workers, std::uint64_t seed, bool traced) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.workers = workers;
  options.trace_messages = traced;
  return subject_in(options);
}

}  // namespace coracle::contract
