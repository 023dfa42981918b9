#include "coracle/testing/society.hpp"

#include "coracle/testing/seeds.hpp"
#include "watch.hpp"

namespace coracle::testing {

namespace {

constexpr Duration moment = std::chrono::milliseconds(1);

// The machine's own clock, which lives as long as the program.
std::shared_ptr<Clock> machine_clock() { return {std::shared_ptr<void>(), &steady_clock()}; }

sim::Options by_environment() {
  sim::Options options;
  options.seed = sim::seed_from_environment(options.seed);
  return options;
}

std::string what_is_left(const Ledger& ledger) {
  return std::to_string(ledger.in_flight) + " messages were under way, " +
         std::to_string(ledger.queued) + " waited in mailboxes, and " +
         std::to_string(ledger.in_hand) + " were in hand";
}

}  // namespace

Society::Society() : own_world_(std::make_unique<sim::World>(by_environment())) {
  world_ = own_world_.get();
  open(own_world_->realization(), {});
}

Society::Society(sim::World& world, NodeOptions options) : world_(&world) {
  open(world.realization(), std::move(options));
}

Society::Society(Realization realization, NodeOptions options) {
  open(std::move(realization), std::move(options));
}

Society::~Society() {
  if (driver_) driver_->note({}, detail::test_is_over);
  recover();
  hosts_.clear();
}

void Society::open(Realization realization, NodeOptions options) {
  watch_ = std::make_shared<detail::Watch>();
  options_ = options;
  driver_ = realization.driver;
  clock_ = realization.clock ? realization.clock : machine_clock();
  node_ = std::make_unique<Node>(detail::watched(std::move(realization), watch_, clock_),
                                 std::move(options));
}

Address Society::play(AgentSpec spec, Body body) {
  return node_->adopt(std::move(spec), std::make_unique<Actor>(std::move(body), proceedings_));
}

void Society::act(Body body, Duration limit) {
  bool over = false;
  proceedings_.begin();
  node_->adopt("test", std::make_unique<Actor>(std::move(body), proceedings_, true));
  over = wait_until([this] { return proceedings_.over(); }, limit, "the end of the test's agent");
  if (!over) {
    throw Failure("the test's agent has not ended within " +
                      std::to_string(std::chrono::duration<double>(limit).count()) + " s",
                  how_to_repeat());
  }
}

// Returns whether `met` became true within `span`. A failure meanwhile ends the wait.
bool Society::wait_until(const std::function<bool()>& met, Duration span, const std::string& what) {
  const Time end = Deadline(span).at(now());
  bool is_met = false;
  const auto over = [&] { return (is_met = met()) || proceedings_.failed(); };
  if (driver_) {
    run_driven(over, end, what);
  } else {
    while (!over() && now() < end) watch_->wait(std::min(moment, end - now()));
  }
  try {
    proceedings_.rethrow();
  } catch (const Failure& failure) {
    throw Failure(failure.what(), how_to_repeat());
  }
  return is_met;
}

void Society::pass(Duration span) {
  (void)wait_until([] { return false; }, span, "that time");
}

Time Society::now() const { return clock_->now(); }

std::vector<Seen> Society::messages() const { return watch_->all(); }

void Society::forget() { watch_->forget(); }

std::string Society::how_to_repeat() const {
  if (!driver_) return "It ran on threads, so another run may differ.";
  return "This was " + driver_->how_to_repeat() + " " + own_command();
}

MessageExpectation Society::expect(AMessage, const char* file, int line) {
  return MessageExpectation(*this, true, file, line);
}

MessageExpectation Society::expect(NoMessage, const char* file, int line) {
  return MessageExpectation(*this, false, file, line);
}

Expectation Society::expect(Quiet, const char* file, int line) {
  const auto met = [this] {
    const Ledger all = ledger();
    return all.in_flight + all.queued + all.in_hand == 0;
  };
  const auto instead = [this] { return what_is_left(ledger()); };
  return Expectation(*this, "that everything that was sent is read", met, instead, file, line);
}

Expectation Society::expect(std::string what, std::function<bool()> met, const char* file,
                            int line) {
  return Expectation(*this, "that " + what, std::move(met), {}, file, line);
}

}  // namespace coracle::testing
