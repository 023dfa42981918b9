// Behaviours that pass signals on, each of which a higher layer could suppress. The floor is the
// arbitration alone, in a loop without agents.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/dispel/subsumption.hpp>

#include <fmt/format.h>

#include <thread>
#include <vector>

namespace coracle::bench {

namespace {

using Signal = std::uint64_t;

// The number of times that a chain sends a signal through itself, and the result.
struct Race {
  Duration interval{};
  std::uint64_t rounds = 0;
  Time start{};
  Time end{};
};

// Passes its input on to the next one.
class Relay : public dispel::Behaviour {
 public:
  dispel::In<Signal> in{*this, "in"};
  dispel::Out<Signal> out{*this, "out"};

 protected:
  void react() override {
    if (in.is_fresh()) out.send(*in + 1);
  }
};

// A behaviour of a higher layer: it could suppress all others, and never does.
class Quiet : public dispel::Behaviour {
 public:
  dispel::Out<Signal> out{*this, "out"};

 protected:
  void react() override {}
};

// The first and last behaviour of the chain; ends when the time is over.
class Starter : public dispel::Behaviour {
 public:
  explicit Starter(Race* race) : race_(race) {}
  dispel::In<Signal> back{*this, "back"};
  dispel::Out<Signal> out{*this, "out"};

 protected:
  void react() override {
    const Time present = clock_now();
    if (!back) race_->start = present;
    else race_->rounds += 1;
    race_->end = present;
    if (back && present - race_->start >= race_->interval) return rest_for_good();
    out.send(back ? *back + 1 : 0);
  }

 private:
  Race* race_;
};

Run chain_once(const Options& options, std::uint32_t behaviours) {
  Race race;
  race.interval = seconds(options.interval(0.1, 1));
  dispel::Subsumption network("chain");
  network.add<Starter>(0, "starter", &race).add<Quiet>(1, "quiet");
  std::string last = "starter";
  for (std::uint32_t i = 1; i < behaviours; ++i) {
    const std::string name = fmt::format("relay{}", i);
    network.add<Relay>(0, name).wire(last + ".out", name + ".in");
    network.suppress("quiet.out", name + ".in", std::chrono::seconds(1));
    last = name;
  }
  network.wire(last + ".out", "starter.back");
  Society society(options);
  for (const auto& each : network.plan()) {
    society.node().adopt(placed(each.name.str(), 0), network.make(each));
  }
  while (society.node().agents() > behaviours) std::this_thread::yield();
  if (race.rounds == 0) throw NotDone("no signal came round");
  const Ledger ledger = society.node().ledger();
  if (!ledger.balanced() || ledger.dropped_total() != 0) throw NotDone("signals were lost");
  Run run;
  run.n = ledger.sent;
  run.value = static_cast<double>(ledger.sent) / (nanoseconds(race.end - race.start) / 1e9);
  return run;
}

Run floor_once(const Options& options) {
  std::vector<dispel::detail::Junction> nodes;
  for (int i = 0; i < 1000; ++i) {
    nodes.emplace_back(std::vector<Duration>{std::chrono::nanoseconds(1)});
  }
  const Duration interval = seconds(options.interval(0.05, 0.3));
  const Time start = clock_now();
  Run run;
  std::uint64_t passed = 0;
  Time present = start;
  while (present - start < interval) {
    present = clock_now();
    for (dispel::detail::Junction& node : nodes) passed += node.arrive(0, present) ? 1 : 0;
    run.n += nodes.size();
  }
  if (passed != run.n) throw NotDone("a signal was suppressed");
  run.value = static_cast<double>(run.n) / (nanoseconds(present - start) / 1e9);
  return run;
}

}  // namespace

std::vector<Metric> run_subsume(const Options& options, Progress& progress) {
  const std::uint32_t behaviours = std::max(options.count.value_or(1'000), 4U);
  const auto runs = interleave(
      options, progress,
      {[&] { return chain_once(options, behaviours); }, [&] { return floor_once(options); }});
  return beside_floor("rate", "signals/s", {{"behaviours", std::int64_t{behaviours}}}, runs[0],
                      runs[1]);
}

}  // namespace coracle::bench
