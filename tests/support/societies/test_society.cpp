#include "test_society.hpp"

#include "support/societies/elsewhere.hpp"

#include <thread>

namespace coracle::test {

Task<Address> start(Agent& me, AgentSpec spec, Body body) {
  Proceedings& proceedings = dynamic_cast<Actor&>(me).proceedings();
  auto agent = std::make_unique<Actor>(std::move(body), proceedings);
  co_return co_await place(proceedings, me, std::move(spec), std::move(agent));
}

Task<Address> start_here(Agent& me, AgentSpec spec, Body body) {
  const Address made = co_await testing::start(me, std::move(spec), std::move(body));
  co_await all_have_heard(dynamic_cast<Actor&>(me).proceedings());
  co_return made;
}

Society::Society(Realization realization, NodeOptions options)
    : watchdog_(std::make_unique<Watchdog>(realization.name, std::chrono::seconds(90 * slowness))),
      driver_(realization.driver),
      clock_(realization.clock),
      node_(std::make_unique<Node>(std::move(realization), options)) {
  if (options.workers == 0 && !driver_) turn_takers_.emplace_back(*node_);
}

Society::Society(std::vector<Realization> realizations, const NodeOptions& options)
    : Society(std::move(realizations.front()), options) {
  if (realizations.size() == 1) return;
  std::vector<Node*> places = {node_.get()};
  for (std::size_t index = 1; index < realizations.size(); ++index) {
    others_.push_back(std::make_unique<Node>(std::move(realizations[index]), options));
    places.push_back(others_.back().get());
    if (options.workers == 0 && !driver_) turn_takers_.emplace_back(*others_.back());
  }
  spread_over(proceedings_, places);
}

void add_up(const Ledger& one, Ledger& sum) {
  sum.sent += one.sent;
  sum.in_flight += one.in_flight;
  sum.in_hand += one.in_hand;
  sum.queued += one.queued;
  sum.consumed += one.consumed;
  sum.expired += one.expired;
  sum.refused += one.refused;
  sum.undeliverable += one.undeliverable;
  for (std::size_t reason = 0; reason < 5; ++reason) sum.dropped[reason] += one.dropped[reason];
  sum.store_lost += one.store_lost;
  sum.received += one.received;
  sum.passed_on += one.passed_on;
  sum.copies_made += one.copies_made;
  sum.copies_waiting += one.copies_waiting;
  sum.copies_consumed += one.copies_consumed;
  sum.copies_missed += one.copies_missed;
  sum.copies_received += one.copies_received;
  sum.copies_passed_on += one.copies_passed_on;
}

Society::~Society() {
  spread_over(proceedings_, {});
  if (turn_takers_.empty()) return;
  // A node that stops waits for answers of the others, so their turns are still taken.
  for (const auto& other : others_) other->stop(Deadline(Duration(0)));
  node_->stop(Deadline(Duration(0)));
}

void Society::rethrow() const {
  if (!driver_) return proceedings_.rethrow();
  try {
    proceedings_.rethrow();
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + " (" + driver_->how_to_repeat() + ")");
  }
}

void Society::await(const std::function<bool()>& met) {
  if (driver_) {
    driver_->run_until(met, Time::max(), "what a test waits for");
  } else {
    while (!met()) std::this_thread::yield();
  }
}

void Society::run(Body body, const std::function<void()>& meanwhile, std::chrono::seconds limit) {
  proceedings_.begin();
  node_->adopt("main", std::make_unique<Actor>(std::move(body), proceedings_, true));
  if (meanwhile) meanwhile();
  bool in_time = false;
  if (driver_) {
    const Time end = Deadline(limit * slowness).at(clock_->now());
    const auto over = [this] { return proceedings_.over(); };
    in_time = driver_->run_until(over, end, "the main agent's end");
  } else {
    in_time = proceedings_.wait(limit * slowness);
  }
  rethrow();
  if (!in_time)
    fail("the main agent has not ended within " + std::to_string((limit * slowness).count()) +
         " s; the node's ledger: " + node_->ledger().to_string());
}

StopReport Society::stop(Deadline deadline) {
  StopReport report = node_->stop(deadline);
  for (const auto& other : others_) {
    const StopReport one = other->stop(deadline);
    report.still_alive.insert(report.still_alive.end(), one.still_alive.begin(),
                              one.still_alive.end());
    report.undelivered.insert(report.undelivered.end(), one.undelivered.begin(),
                              one.undelivered.end());
    add_up(one.ledger, report.ledger);
  }
  rethrow();
  return report;
}

NodeOptions quick(unsigned workers) {
  NodeOptions options;
  options.workers = workers;
  options.patience = std::chrono::seconds(5);
  return options;
}

}  // namespace coracle::test
