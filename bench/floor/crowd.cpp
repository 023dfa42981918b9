#include "floor/floors.hpp"
#include "floor/stream.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>

#include <poll.h>

namespace coracle::bench {

namespace {

enum Stage : std::size_t { warming, measuring, trailing, ended };

// The memory that all processes share.
struct Crowd {
  std::atomic<Stage> stage{warming};
  std::atomic<std::uint32_t> ready{0};    // pairs that have made a round trip
  std::atomic<bool> has_measured{false};  // a round trip in the measured interval
  // Round trips, by pair; each pair writes its own number.
  std::array<std::uint64_t, most_socket_pairs> measured{};
};

void pass(double seconds) { poll(nullptr, 0, static_cast<int>(std::ceil(seconds * 1e3))); }

void ping(int socket, std::size_t bytes, Crowd& crowd, std::uint64_t& measured) {
  std::vector<char> frame(bytes, 'x');
  std::uint64_t rounds = 0;
  bool is_ready = false;
  for (;;) {
    const Stage stage = crowd.stage.load(std::memory_order_relaxed);
    if (stage == ended) break;
    if (!write_all(socket, frame) || !read_all(socket, frame)) fail_floor("echo");
    if (!is_ready) crowd.ready.fetch_add(1);
    is_ready = true;
    if (stage == measuring && ++rounds == 1) crowd.has_measured = true;
  }
  measured = rounds;
}

// Sends back everything that arrives at any of the sockets; runs until it is killed.
void pong(const std::vector<int>& sockets, std::size_t bytes) {
  std::vector<pollfd> awaited;
  for (const int each : sockets) awaited.push_back({each, POLLIN, 0});
  std::vector<char> frame(bytes);
  for (;;) {
    if (awaited.size() > 1) poll(awaited.data(), awaited.size(), -1);
    for (const pollfd& each : awaited) {
      if (awaited.size() > 1 && each.revents == 0) continue;
      if (!read_all(each.fd, frame) || !write_all(each.fd, frame)) return;
    }
  }
}

}  // namespace

Run floor_socket_load(Socket kind, std::size_t bytes, std::uint32_t pairs, bool is_to_one,
                      double interval) {
  if (pairs > most_socket_pairs) throw NotDone("there are too many pairs for the floor");
  bytes = std::max<std::size_t>(1, bytes);
  Shared<Crowd> crowd;
  std::deque<Ends> ends;
  for (std::uint32_t i = 0; i < pairs; ++i) ends.push_back(connected(kind));
  std::deque<Partner> pongers;
  std::deque<Partner> pingers;
  std::vector<int> far;
  for (const Ends& each : ends) far.push_back(each.second.number());
  if (is_to_one) {
    pongers.emplace_back([&] { pong(far, bytes); });
  } else {
    for (const int each : far) pongers.emplace_back([&, each] { pong({each}, bytes); });
  }
  for (std::uint32_t i = 0; i < pairs; ++i) {
    pingers.emplace_back(
        [&, i] { ping(ends[i].first.number(), bytes, *crowd, crowd->measured[i]); });
  }
  while (crowd->ready < pairs) pass(0.001);
  pass(interval / 4);
  const Time begin = clock_now();
  crowd->stage = measuring;
  do pass(interval);
  while (!crowd->has_measured);
  crowd->stage = trailing;
  const double measured = nanoseconds(clock_now() - begin) / 1e9;
  pass(interval / 8);
  crowd->stage = ended;
  for (Partner& each : pingers) each.wait();
  Run run;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    run.samples.push_back(2 * static_cast<double>(crowd->measured[i]) / measured);
    run.value += run.samples.back();
    run.n += 2 * crowd->measured[i];
  }
  if (run.n == 0) throw NotDone("no pair of sockets finished a round trip");
  return run;
}

}  // namespace coracle::bench
