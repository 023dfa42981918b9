#include "floor/floors.hpp"
#include "harness/figures/timing.hpp"

#include <deque>
#include <thread>
#include <vector>

namespace coracle::bench {

namespace {

// A message: as large as an envelope, with its content inside.
struct Letter {
  std::uint64_t number = 0;
  char content[56] = {};
};

using Mailbox = std::deque<Letter>;

constexpr std::uint64_t batch = 1000;

std::uint64_t take_from(Mailbox& box) {
  const std::uint64_t number = box.front().number;
  box.pop_front();
  return number;
}

// One exchange of a pair; the number comes back one greater, so that nothing can be optimized away.
std::uint64_t exchange(Mailbox& here, Mailbox& there, std::uint64_t number) {
  there.push_back({number, {}});
  here.push_back({take_from(there) + 1, {}});
  return take_from(here);
}

struct CallPair {
  Mailbox here;
  Mailbox there;
  std::uint64_t number = 0;
};

// One thread's share of the pairs; returns its round trips per second. As in a runtime, the
// messages of all pairs are under way before the first one is answered.
double pairs_per_second(std::uint32_t pairs, double interval) {
  std::vector<CallPair> all(pairs);
  std::uint64_t rounds = 0;
  const Time start = clock_now();
  Duration passed{};
  do {
    for (CallPair& pair : all) pair.there.push_back({pair.number, {}});
    for (CallPair& pair : all) pair.here.push_back({take_from(pair.there) + 1, {}});
    for (CallPair& pair : all) pair.number = take_from(pair.here);
    rounds += pairs;
    passed = clock_now() - start;
  } while (passed < seconds(interval));
  return static_cast<double>(rounds) / (nanoseconds(passed) / 1e9);
}

}  // namespace

Run floor_call_round_trip(double interval) {
  Mailbox here;
  Mailbox there;
  Run run;
  std::uint64_t number = 0;
  const Time start = clock_now();
  Time before = start;
  while (before - start < seconds(interval)) {
    for (std::uint64_t i = 0; i < batch; ++i) number = exchange(here, there, number);
    const Time after = clock_now();
    run.samples.push_back(nanoseconds(after - before) / batch);
    before = after;
  }
  run.n = number;
  run.value = nanoseconds(before - start) / static_cast<double>(number);
  return run;
}

Run floor_call_pairs(std::uint32_t pairs, unsigned threads, double interval) {
  std::vector<double> rates(threads);
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) {
    const std::uint32_t share = pairs / threads + (i < pairs % threads ? 1 : 0);
    if (share == 0) continue;
    running.emplace_back(
        [&rates, i, share, interval] { rates[i] = pairs_per_second(share, interval); });
  }
  for (std::thread& thread : running) thread.join();
  Run run;
  for (const double rate : rates) run.value += 2 * rate;
  run.n = static_cast<std::uint64_t>(run.value * interval);
  return run;
}

Run floor_call_flood(std::uint32_t senders, double interval) {
  constexpr std::size_t places = 1024;
  Mailbox box;
  Run run;
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> sent(senders);
  const Time start = clock_now();
  Time before = start;
  while (before - start < seconds(interval)) {
    for (std::size_t i = 0; i < places; ++i) box.push_back({++sent[i % senders], {}});
    while (!box.empty()) sum += take_from(box);
    run.n += places;
    const Time after = clock_now();
    run.samples.push_back(places / (nanoseconds(after - before) / 1e9));
    before = after;
  }
  run.value = sum == 0 ? 0 : static_cast<double>(run.n) / (nanoseconds(before - start) / 1e9);
  return run;
}

}  // namespace coracle::bench
