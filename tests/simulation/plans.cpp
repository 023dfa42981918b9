#include "plans.hpp"

#include "linked/linked_hosts.hpp"
#include "model/model.hpp"
#include "subjects.hpp"

namespace coracle::conformance {

namespace {

constexpr unsigned crash = 15;  // the kind of step

unsigned below(Random& random, unsigned count) {
  return static_cast<unsigned>((random.next() >> 32) * count >> 32);
}

Round a_round(Random& random, unsigned players, unsigned steps) {
  Round round;
  for (unsigned player = 0; player < players; ++player) {
    std::vector<Step> script;
    for (unsigned i = below(random, 2 * steps); i > 0; --i) {
      Step step = {below(random, 16), below(random, 24), below(random, 12), below(random, 20)};
      // Crashes are rare among many steps, so that some agents survive.
      if (step.what == crash && below(random, steps) >= 5) step.what = below(random, crash);
      script.push_back(step);
    }
    round.scripts.push_back(std::move(script));
  }
  round.twist = static_cast<Round::Twist>(below(random, 3));
  round.who = below(random, 6);
  return round;
}

}  // namespace

Plan plan_of(std::uint64_t seed, Size size) {
  sim::Options options;
  options.seed = seed;
  sim::World source(options);
  Random& random = source.random();
  const bool small = size == Size::small;
  const unsigned players = small ? 2 + below(random, 4) : 5;
  const unsigned rounds = small ? below(random, 4) + 1 : 33;
  Plan plan;
  for (unsigned player = 0; player < players; ++player) plan.boxes.push_back(below(random, 7));
  plan.late = below(random, 2);
  for (unsigned round = 0; round < rounds; ++round) {
    plan.rounds.push_back(a_round(random, players, small ? 5 : 20));
  }
  for (unsigned i = below(random, 6); i > 0; --i) plan.moves.push_back(below(random, 12));
  plan.settles = below(random, 2) == 1;
  return plan;
}

sim::Options options_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = seed;
  options.workers = 1 + seed % 2;
  options.trace_messages = seed % 4 < 2;
  return options;
}

Run run_seed(const sim::Options& options, Size size, const Plant& plant,
             const std::string& realization, const std::optional<sim::Faults>& faults) {
  sim::Options settings = options;
  settings.nodes = hosts_of(realization);
  sim::World world(settings);
  return run_in(world, settings, size, plant, realization, faults);
}

Run run_in(sim::World& world, const sim::Options& options, Size size, const Plant& plant,
           const std::string& realization, const std::optional<sim::Faults>& faults) {
  Run run;
  run.seed = options.seed;
  const sim::Faults all = faults ? *faults : faults_of(options.seed, realization);
  Subject subject = subject_in(world, options.workers, realization, all);
  if (plant) {
    subject.open = [&plant, open = subject.open] {
      Realization parts = open();
      plant(parts);
      return parts;
    };
  }
  (void)test::take_accusations();
  try {
    const Trace trace = perform(plan_of(options.seed, size), subject);
    for (const Log& log : trace.logs) run.events += log.events.size();
    run.messages = trace.ledger.sent;
    run.wrong = to_string(judge(trace));
    if (options.record && !run.wrong.empty()) run.wrong += '\n' + trace.to_string();
  } catch (const std::exception& error) {
    run.wrong = error.what();
  }
  subject = {};  // ends the parts besides the nodes
  for (const std::string& line : test::take_accusations())
    run.wrong += "an honest node is accused: " + line + '\n';
  run.things = world.things();
  run.hash = world.trace_hash();
  run.trace = world.trace();
  return run;
}

std::vector<std::size_t> faults_needed(const sim::Options& options, Size size,
                                       const std::string& realization, const Plant& plant) {
  const auto fails = [&](const sim::Faults& fewer) {
    return !run_seed(options, size, plant, realization, fewer).wrong.empty();
  };
  return sim::needed(faults_of(options.seed, realization), fails);
}

std::string report(const Run& run, const std::string& command) {
  return "seed " + std::to_string(run.seed) + " failed: " + run.wrong +
         "\nrepeat it with: " + command + '\n';
}

}  // namespace coracle::conformance
