#include "workload.hpp"

#include "coracle/node.hpp"
#include "coracle/tests/support/run_now.hpp"
#include "model/liveness.hpp"
#include "model/model.hpp"
#include "support/societies/test_society.hpp"
#include "workload_agent.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <sstream>
#include <thread>

namespace coracle::conformance {

std::ostream& operator<<(std::ostream& out, const Plan& plan) {
  out << "boxes";
  for (const unsigned box : plan.boxes) out << ' ' << box % 7;
  out << ", late " << plan.late << ", moves";
  for (const unsigned move : plan.moves) out << ' ' << move;
  if (plan.settles) out << ", settles";
  for (const Round& round : plan.rounds) {
    out << "\n  round, twist " << static_cast<unsigned>(round.twist) << " of " << round.who;
    for (std::size_t i = 0; i < round.scripts.size(); ++i) {
      out << "\n    p" << i << ":";
      for (const Step& step : round.scripts[i])
        out << " {" << step.what % 16 << ',' << step.a << ',' << step.b << ',' << step.c << '}';
    }
  }
  return out;
}

namespace {

NodeOptions limited(NodeOptions options, std::size_t node) {
  if (takes_little(node)) options.content_limit = 200;
  return options;
}

// A node loses its power, or begins a new incarnation. The old node object is kept until the end:
// it has no effect.
void apply(const Power::Change& change, const Subject& subject, Recorder& recorder, Trace& trace,
           std::vector<std::unique_ptr<Node>>& nodes, std::vector<std::unique_ptr<Node>>& dead) {
  std::unique_ptr<Node>& node = nodes.at(change.node);
  if (!change.is_on) {
    recorder.lose(change.node);
    test::add_up(node->ledger(), trace.lost);
    dead.push_back(std::move(node));
    return;
  }
  const NodeOptions& options = nodes.front()->options();
  node = std::make_unique<Node>(subject.power()->parts(change.node), limited(options, change.node));
  recorder.begin_again(change.node, *node);
}

// Plays until the driver of the workload has ended; all other agents wait for messages until the
// node stops.
void play_to_the_end(const Subject& subject, const std::shared_ptr<coracle::Driver>& driver,
                     Recorder& recorder, Trace& trace, std::vector<std::unique_ptr<Node>>& nodes,
                     std::vector<std::unique_ptr<Node>>& dead) {
  const auto played = [&] {
    return recorder.is_over() && !test::run_now(nodes.front()->directory().look_up("driver"));
  };
  if (!driver) {
    while (!played()) std::this_thread::yield();
    return;
  }
  const std::shared_ptr<Power> power = subject.power ? subject.power() : nullptr;
  for (std::optional<Power::Change> change;; change.reset()) {
    const auto something = [&] {
      if (power && !change) change = power->next();
      return change || played();
    };
    driver->run_until(something, Time::max(), "the end of the play");
    if (!change) return;
    apply(*change, subject, recorder, trace, nodes, dead);
  }
}

}  // namespace

Trace perform(const Plan& plan, const Subject& subject) {
  using namespace std::chrono_literals;
  NodeOptions options = test::quick(subject.workers);
  options.patience = 4ms;
  options.absent_limit = 64;
  Trace trace;
  test::Watchdog watchdog("a generated workload", std::chrono::seconds(60 * test::slowness));
  std::vector<Realization> realizations = nodes_of(subject);
  const std::shared_ptr<coracle::Driver> driver = realizations.front().driver;
  const std::shared_ptr<Clock> clock = realizations.front().clock;
  const int slowness = driver ? 1 : test::slowness;  // virtual time is the same in every build
  Recorder recorder(plan, 200ms * slowness);
  std::vector<std::unique_ptr<Node>> nodes, dead;
  for (Realization& realization : realizations) {
    nodes.push_back(std::make_unique<Node>(std::move(realization), limited(options, nodes.size())));
    recorder.add_place(*nodes.back());
  }
  if (subject.power) recorder.expect_losses();
  Node& node = *nodes.front();
  node.adopt(Node::dead_letters(),
             std::make_unique<Undertaker>(recorder, recorder.open(Node::dead_letters().str())));
  node.adopt("driver", std::make_unique<Driver>(recorder, recorder.open("driver")));
  for (const unsigned player : plan.moves) {
    const Address who = node.find(player_name(player % static_cast<unsigned>(plan.boxes.size())));
    node.move(who, player % subject.workers, 1ms);
  }
  play_to_the_end(subject, driver, recorder, trace, nodes, dead);
  const Duration allowed = driver ? liveness_limit : Duration(20s) * slowness;
  std::vector<Node*> alive = recorder.places();
  std::erase(alive, nullptr);
  Duration settling{};
  if (!dead.empty()) settling = loss_is_noticed;
  else if (plan.settles && subject.calm) settling = links_are_whole;
  const Drained drained = drain(alive, driver, clock, allowed, subject.calm, settling);
  trace.liveness = drained.liveness;
  trace.is_settled = settling != Duration();
  trace.taps_are_in_time = subject.taps_are_in_time;
  trace.logs = recorder.finish();
  for (const StopReport& report : drained.reports) {
    test::add_up(report.ledger, trace.ledger);
    for (const auto& left : report.undelivered) {
      trace.undelivered[left.name.str()] += left.messages;
    }
  }
  for (unsigned i = 0; i < plan.boxes.size(); ++i)
    trace.boxes[player_name(i)] = box_of(plan.boxes[i]);
  for (const char* name : {"driver", "ghost", "spill"}) trace.boxes[name] = MailboxOptions();
  return trace;
}

namespace {

// A number from the whole range, however small the rest of the plan is.
rc::Gen<unsigned> number(unsigned below) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0u, below));
}

rc::Gen<Step> a_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::what, number(16)), rc::gen::set(&Step::a, number(24)),
      rc::gen::set(&Step::b, number(12)), rc::gen::set(&Step::c, number(20)));
}

rc::Gen<Round> a_round(std::size_t players) {
  const auto script = rc::gen::resize(8, rc::gen::container<std::vector<Step>>(a_step()));
  const auto twist = rc::gen::map(number(3), [](unsigned n) { return Round::Twist(n); });
  return rc::gen::build<Round>(
      rc::gen::set(&Round::scripts,
                   rc::gen::container<std::vector<std::vector<Step>>>(players, script)),
      rc::gen::set(&Round::twist, twist), rc::gen::set(&Round::who, number(6)));
}

rc::Gen<Plan> a_plan() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(2, 6), [](std::size_t players) {
    return rc::gen::build<Plan>(
        rc::gen::set(&Plan::boxes, rc::gen::container<std::vector<unsigned>>(players, number(7))),
        rc::gen::set(&Plan::late, number(2)),
        rc::gen::set(&Plan::rounds,
                     rc::gen::resize(4, rc::gen::container<std::vector<Round>>(a_round(players)))),
        rc::gen::set(&Plan::moves,
                     rc::gen::resize(6, rc::gen::container<std::vector<unsigned>>(number(12)))),
        rc::gen::set(&Plan::settles));
  });
}

}  // namespace

void prove_generated_workloads(const Subject& subject, int most) {
  auto params = rc::detail::configuration().testParams;
  // In real time, players wait for messages that do not come, and in some builds they wait longer.
  const bool is_slow = test::fewer > 1;
  const bool is_virtual = nodes_of(subject).front().driver != nullptr;
  if (std::getenv("RC_PARAMS") == nullptr)
    params.maxSuccess = !is_slow ? most : is_virtual ? std::min(most, 20) : 3;
  std::uint64_t events = 0;
  int runs = 0;
  std::string found;  // the last failure: in real time the smallest plan may not fail again
  const auto property = [&] {
    const Plan plan = *a_plan();
    const Trace trace = perform(plan, subject);
    for (const Log& log : trace.logs) events += log.events.size();
    ++runs;
    const auto breaches = judge(trace);
    if (breaches.empty()) return;
    found = to_string(breaches) + trace.to_string();
    RC_FAIL(found);
  };
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = "generated workloads on " + subject.name;
  const auto result = rc::detail::checkTestable(property, metadata, params);
  std::cout << metadata.id << ": " << runs << " runs, " << events << " events, seed " << params.seed
            << '\n';
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  throw test::Failure(text.str() + "\nthe last that failed:\n" + found +
                      "\nrepeat it with RC_PARAMS=seed=" + std::to_string(params.seed));
}

}  // namespace coracle::conformance
