// Contract nets: a client announces, all bidders bid, the best is awarded, works and reports. Then
// a thousand contracts at once, among bidders that have room for just as many. The floor is as many
// bare messages between as many agents, with nothing in them to decide.
#include "harness/figures/compare.hpp"
#include "harness/load/players.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/caf/bidder.hpp>
#include <coracle/caf/client.hpp>

#include <fmt/format.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>

namespace coracle::bench {

namespace {

// The task and the results of one repeat.
struct Session {
  std::uint32_t bidders = 0;
  Duration interval{};        // the duration, one contract after the other, or …
  std::uint32_t at_once = 0;  // … the number of contracts together
  std::uint64_t made = 0;
  std::vector<double> samples;  // nanoseconds of each contract
  Duration passed{};
  std::atomic<std::uint64_t> worked = 0;
  std::atomic<std::uint64_t> too_much = 0;  // cases of a bidder beyond its room
  std::latch over{1};
};

// The number of contracts for which each bidder has room, when there are many.
constexpr std::uint32_t room = 10;

std::string bidder_name(std::uint32_t number) { return fmt::format("bidder/{}", number); }

class Hand : public caf::Bidder {
 public:
  Hand(Session& session, std::uint32_t number)
      : Bidder(session.at_once == 0 ? 1 : room), session_(session), number_(number) {}

 protected:
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, (number_ * 7 + static_cast<caf::Amount>(contract.id)) % 101);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement) override {
    if (++at_work_ > commitments().capacity()) ++session_.too_much;
    ++session_.worked;
    if (session_.at_once != 0) co_await pause(std::chrono::milliseconds(1));
    --at_work_;
    co_return caf::Fulfilment();
  }

 private:
  Session& session_;
  std::uint32_t number_;
  std::uint64_t at_work_ = 0;
};

// If the client fails, the program ends: nobody else would announce the end of the work.
class Chief : public caf::Client {
 public:
  explicit Chief(Session& session) : session_(session) {}

 protected:
  Task<> act() override {
    for (std::uint32_t i = 0; i < session_.bidders; ++i) {
      bidders_.bidders.push_back(bidder_name(i));
    }
    start_ = clock_now();
    if (session_.at_once == 0) {
      co_await one_after_the_other();
    } else {
      for (std::uint32_t i = 0; i < session_.at_once; ++i) spawn(one());
    }
  }

 private:
  Task<> one_after_the_other() {
    Time last = start_;
    while (clock_now() - start_ < session_.interval) {
      co_await fulfilled();
      const Time present = clock_now();
      session_.samples.push_back(nanoseconds(present - last));
      last = present;
    }
    finish(last);
  }
  Task<> one() {
    co_await fulfilled();
    if (session_.made == session_.at_once) finish(clock_now());
  }
  Task<> fulfilled() {
    caf::Contract what;
    what.subject = "carry this";
    caf::Procedure how;
    how.rounds = 1'000'000;
    how.back_off = std::chrono::milliseconds(1);
    const caf::Settlement settlement = co_await contract(what, bidders_, how);
    if (settlement.ended != caf::Ended::fulfilled) session_.too_much += 1'000'000;
    ++session_.made;
  }
  void finish(Time when) {
    session_.passed = when - start_;
    session_.over.count_down();
  }

  Session& session_;
  caf::Invitation bidders_;
  Time start_;
};

// Answers the leader, but not its last message on a contract; the winner answers once more.
class Echo : public Agent {
 public:
  explicit Echo(bool wins) : wins_(wins) {}

  Task<> run() override {
    for (std::uint64_t number = 0;; ++number) {
      Message message = co_await receive();
      const Address leader = message.source();
      const bool answers = wins_ ? number % 4 != 3 : number % 2 == 0;
      if (answers) co_await send(leader, message.consume());
    }
  }

 private:
  bool wins_;
};

// Sends and receives as many messages as a client does.
class Leader : public Player {
 public:
  explicit Leader(Session& session) : session_(session) {}

 protected:
  Task<> play() override {
    std::vector<Address> bidders;
    for (std::uint32_t i = 0; i < session_.bidders; ++i) bidders.push_back(find(bidder_name(i)));
    const Content content = content_of(64);
    const Time start = clock_now();
    Time last = start;
    while (clock_now() - start < session_.interval) {
      for (const Address each : bidders) co_await send(each, content);
      for (std::uint32_t i = 0; i < session_.bidders; ++i) co_await receive();
      for (int word = 0; word < 2; ++word) {
        co_await send(bidders.front(), content);
        co_await receive();
      }
      for (const Address each : bidders) co_await send(each, content);
      const Time present = clock_now();
      session_.samples.push_back(nanoseconds(present - last));
      last = present;
      ++session_.made;
    }
    session_.passed = last - start;
    session_.over.count_down();
  }

 private:
  Session& session_;
};

// Lets everything happen that is under way, so that it can be accounted for.
Account settled(Node& node) {
  const Time patience = clock_now() + std::chrono::seconds(10);
  for (;;) {
    const Ledger ledger = node.ledger();
    if (ledger.sent == ledger.consumed || clock_now() > patience) return {ledger.sent, 0};
    std::this_thread::yield();
  }
}

void hold(const Options& options, Session& session, bool is_floor) {
  Society society(options);
  Node& node = society.node();
  for (std::uint32_t i = 0; i < session.bidders; ++i) {
    const AgentSpec spec = placed(bidder_name(i), i % options.workers);
    if (is_floor) node.adopt(spec, std::make_unique<Echo>(i == 0));
    else node.adopt(spec, std::make_unique<Hand>(session, i));
  }
  if (is_floor) node.adopt(placed("client", 0), std::make_unique<Leader>(session));
  else node.adopt(placed("client", 0), std::make_unique<Chief>(session));
  session.over.wait();
  society.stop(settled(node));
  if (session.made == 0) throw NotDone("not one contract was fulfilled");
  if (is_floor) return;
  if (session.too_much > 0) throw NotDone("a contract was not fulfilled, or too much was promised");
  if (session.worked != session.made) throw NotDone("a contract was done twice, or never");
}

Run contracts_once(const Options& options, std::uint32_t bidders, bool is_floor) {
  Session session;
  session.bidders = bidders;
  session.interval = seconds(options.interval(0.1, 1));
  hold(options, session, is_floor);
  Run run;
  run.value = static_cast<double>(session.made) / (nanoseconds(session.passed) / 1e9);
  for (const double sample : session.samples) run.samples.push_back(1e9 / sample);
  run.n = session.made;
  return run;
}

// Milliseconds until `count` contracts that were announced at once are fulfilled.
Run crowd_once(const Options& options, std::uint32_t count) {
  Session session;
  session.bidders = count / room;
  session.at_once = count;
  hold(options, session, false);
  Run run;
  run.value = nanoseconds(session.passed) / 1e6;
  run.n = session.made;
  return run;
}

}  // namespace

std::vector<Metric> run_contracts(const Options& options, Progress& progress) {
  const std::uint32_t few = options.pairs.value_or(10);
  const std::uint32_t many = options.count.value_or(options.quick ? 100 : 1'000);
  const auto runs = interleave(options, progress,
                               {[&] { return contracts_once(options, few, false); },
                                [&] { return contracts_once(options, few, true); },
                                [&] { return crowd_once(options, many); }});
  const std::int64_t workers = options.workers;
  std::vector<Metric> metrics =
      beside_floor("contracts", "contracts/s",
                   {{"bidders", std::int64_t{few}}, {"workers", workers}}, runs[0], runs[1]);
  metrics.push_back({"at_once",
                     "ms",
                     {{"contracts", std::int64_t{many}},
                      {"bidders", std::int64_t{many / room}},
                      {"workers", workers}},
                     summarize(runs[2]),
                     {}});
  return metrics;
}

}  // namespace coracle::bench
