// Remote calls: the cost of one call beside the ping-pong of the same realization, and the number
// of calls per second when several are under way.
#include "harness/figures/compare.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/rpc.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::uint64_t batch = 1000;  // calls for each look at the clock

// The number of calls under way, where several are: between processes, enough to give both of them
// work all the time.
constexpr std::size_t window_of(const Options& options) { return options.processes > 1 ? 512 : 64; }

template <class Side>
struct Adder {
  rpc::Function<Side, "increment", std::uint64_t(std::uint64_t)> increment;
  rpc::Function<Side, "close", void()> close;
};

// The task and the results of one repeat.
struct Work {
  double interval = 0;
  std::size_t window = 0;
  std::uint64_t calls = 0;  // or exchanges
  Duration passed{};
};

class Answers : public Player {
 public:
  std::uint64_t increment(std::uint64_t number) const { return number + 1; }
  void close() { service_.retire(); }

 protected:
  Task<> play() override { co_await service_.run(); }

 private:
  rpc::Service<Adder, Answers> service_{
      *this, *this, {.increment = &Answers::increment, .close = &Answers::close}};
};

// Runs `some` again and again, for as long as it should.
template <class Some>
Task<> repeat(Work& work, Some& some) {
  const Time begin = clock_now();
  const Time end = begin + seconds(work.interval);
  while (clock_now() < end) {
    co_await some.do_batch();
    work.calls += batch;
  }
  work.passed = clock_now() - begin;
}

class CallsOneByOne : public Player {
 public:
  explicit CallsOneByOne(Work& work) : work_(work) {}

  Task<> do_batch() {
    for (std::uint64_t i = 0; i < batch; ++i) {
      const std::uint64_t next = co_await adder_.increment(number_);
      if (next != ++number_) std::abort();
    }
  }

 protected:
  Task<> play() override {
    co_await repeat(work_, *this);
    co_await adder_.close.tell();
  }

 private:
  Work& work_;
  std::uint64_t number_ = 0;
  rpc::Stub<Adder> adder_{*this, "server"};
};

class CallsSeveral : public Player {
 public:
  explicit CallsSeveral(Work& work) : work_(work), calls_(work.window) {}

  Task<> do_batch() {
    for (std::uint64_t i = 0; i < batch; ++i) {
      Call& call = calls_[number_ % calls_.size()];
      if (call && co_await *call != number_ - calls_.size() + 1) std::abort();
      call.emplace(adder_.increment.begin(number_));
      ++number_;
    }
  }

 protected:
  Task<> play() override {
    co_await repeat(work_, *this);
    for (Call& call : calls_) {
      if (call) (void)co_await *call;
    }
    co_await adder_.close.tell();
  }

 private:
  using Stub = rpc::Stub<Adder>;
  using Call = std::optional<decltype(std::declval<Stub>().increment.begin(0))>;

  Work& work_;
  std::uint64_t number_ = 0;
  Stub adder_{*this, "server"};
  std::vector<Call> calls_;
};

class Exchanges : public Player {
 public:
  explicit Exchanges(Work& work) : work_(work) {}

  Task<> do_batch() {
    const Address ponger = find("server");
    for (std::uint64_t i = 0; i < batch; ++i) {
      co_await send(ponger, std::move(ball_));
      Message pong = co_await receive();
      ball_ = pong.consume();
    }
  }

 protected:
  Task<> play() override {
    co_await repeat(work_, *this);
    co_await send("server", Content(), farewell);
  }

 private:
  Work& work_;
  Content ball_ = content_of(8);
};

template <class Here, class There>
Run play_once(const Options& options) {
  Work work;
  work.interval = options.interval(0.1, 0.5);
  work.window = window_of(options);
  if (options.processes > 1) {
    MeetingPlace place;
    Options here = place.here(options);
    Partner partner([&here, &place] {
      place.enter(here);
      Society society(here);
      society.node().adopt(placed("server", here.workers - 1), std::make_unique<There>());
      society.wait();
      const std::uint64_t received = society.node().ledger().received;
      society.stop({.sent = received - 1, .received = received});
    });
    place.serve(here);
    Society society(here);
    society.node().adopt(placed("client", 0), std::make_unique<Here>(work));
    society.wait();
    partner.wait();
    society.stop({.sent = work.calls + 1, .received = work.calls});
  } else {
    Society society(options);
    society.node().adopt(placed("server", options.workers - 1), std::make_unique<There>());
    society.node().adopt(placed("client", 0), std::make_unique<Here>(work));
    society.wait();
    society.stop({.sent = 2 * work.calls + 1});
  }
  Run run;
  run.n = work.calls;
  run.value = nanoseconds(work.passed) / static_cast<double>(work.calls);
  return run;
}

}  // namespace

std::vector<Metric> run_rpc(const Options& options, Progress& progress) {
  Params params = {{"workers", std::int64_t{options.workers}}};
  if (options.processes > 1) params.emplace_back("processes", std::int64_t{options.processes});
  const auto runs = interleave(options, progress,
                               {[&] { return play_once<CallsOneByOne, Answers>(options); },
                                [&] { return play_once<Exchanges, Ponger>(options); },
                                [&] { return play_once<CallsSeveral, Answers>(options); }});
  std::vector<Metric> metrics = beside_floor("call", "ns", params, runs[0], runs[1]);
  std::vector<double> rates;
  std::uint64_t calls = 0;
  for (const Run& run : runs[2]) {
    rates.push_back(1e9 / run.value);
    calls += run.n;
  }
  params.emplace_back("under_way", static_cast<std::int64_t>(window_of(options)));
  metrics.push_back({"rate", "calls/s", params, summarize(rates, calls), {}});
  return metrics;
}

}  // namespace coracle::bench
