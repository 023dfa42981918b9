#include "open_loop.hpp"

#include "harness/machines/forked.hpp"
#include "meeting_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <latch>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace coracle::bench {

Time OpenPinger::due(std::uint64_t number) const {
  return offer_.start + Duration(std::llround(offer_.interval_ns * static_cast<double>(number)));
}

Task<> OpenPinger::play() {
  also(send_all());
  for (std::uint64_t received = 0; received < offer_.pings; ++received) {
    const Message pong = co_await receive();
    const std::uint64_t number = pong.conversation() - 1;
    const Duration latency = clock_now() - due(number);
    if (number >= offer_.warm_up) latencies_->record(latency.count());
  }
  co_await send(offer_.ponger, offer_.content, farewell);
  busy_->fetch_sub(1, std::memory_order_release);
}

Task<> OpenPinger::send_all() {
  for (std::uint64_t number = 0; number < offer_.pings; ++number) {
    const Time at = due(number);
    if (clock_now() < at) co_await pause(at);
    co_await send(offer_.ponger, offer_.content, number + 1);
  }
}

namespace {

struct Found {
  Histogram latencies;
  double seconds = 0;
  std::uint64_t round_trips = 0;
};

void add_pongers(Node& node, const std::vector<Pair>& pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    node.create<Ponger>(placed(fmt::format("ponger/{}", i), pairs[i].ponger));
  }
}

// A histogram for each worker, so that no two threads ever write to one.
Found offer_from(const Options& options, const std::vector<Pair>& pairs, double interval) {
  Society society(options);
  std::vector<Histogram> latencies(options.workers);
  const bool is_apart = options.processes > 1;
  const auto count = static_cast<double>(pairs.size());
  const double each_rate = *options.rate / count;
  Offer offer;
  offer.content = content_of(options.size);
  offer.interval_ns = 1e9 / each_rate;
  offer.pings = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(each_rate * interval));
  offer.warm_up = offer.pings / 10;

  std::atomic<unsigned> busy{static_cast<unsigned>(pairs.size())};
  std::set<unsigned> generating;
  if (!is_apart) add_pongers(society.node(), pairs);
  for (const Pair& each : pairs) generating.insert(each.pinger);
  std::latch ready(1);
  if (options.patterns != 0) {
    society.node().adopt(placed("eavesdropper", 0),
                         std::make_unique<Eavesdropper>(options.patterns, ready, busy));
    ready.wait();
  }
  // All agents exist before the first intended time, and the pairs are out of step.
  const Time start = clock_now() + std::chrono::milliseconds(20 + pairs.size() / 20);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    offer.ponger = society.node().find(fmt::format("ponger/{}", i));
    const double shift = offer.interval_ns * static_cast<double>(i) / count;
    offer.start = start + Duration(std::llround(shift));
    society.node().create<OpenPinger>(placed(fmt::format("pinger/{}", i), pairs[i].pinger), offer,
                                      &latencies[pairs[i].pinger], &busy);
  }
  for (const unsigned worker : generating) {
    auto awake = std::make_unique<KeepAwake>(busy);
    society.node().adopt(placed(fmt::format("awake/{}", worker), worker), std::move(awake));
  }
  Found found;
  found.round_trips = offer.pings * pairs.size();
  society.wait();
  found.seconds = nanoseconds(clock_now() - start) / 1e9;
  const std::uint64_t own = found.round_trips + pairs.size();
  if (is_apart) society.stop({.sent = own, .received = found.round_trips});
  else society.stop({.sent = own + found.round_trips});
  for (const Histogram& part : latencies) found.latencies.add(part);
  return found;
}

// With two processes the pongers are in the other one.
Found run_once(const Options& options, const std::vector<Pair>& pairs, double interval) {
  if (options.processes == 1) return offer_from(options, pairs, interval);
  MeetingPlace place;
  Options here = place.here(options);
  Partner partner([&] {
    place.enter(here);
    Society society(here);
    add_pongers(society.node(), pairs);
    society.wait();
    const std::uint64_t received = society.node().ledger().received;
    society.stop({.sent = received - pairs.size(), .received = received});
  });
  place.serve(here);
  const Found found = offer_from(here, pairs, interval);
  partner.wait();
  return found;
}

}  // namespace

std::vector<Metric> run_open_loop(const Options& options, const Params& params,
                                  const std::vector<Pair>& pairs) {
  const double interval = options.interval(0.2, 2);
  Histogram all;
  std::vector<double> means;
  std::vector<Run> rates;
  for (unsigned i = 0; i < options.repeats(); ++i) {
    const auto found = std::make_unique<Found>(run_once(options, pairs, interval));
    all.add(found->latencies);
    means.push_back(found->latencies.mean());
    rates.push_back(
        {2 * static_cast<double>(found->round_trips) / found->seconds, {}, 2 * found->round_trips});
  }
  Params with_rate = params;
  with_rate.emplace_back("offered", *options.rate);
  Metric rtt{"rtt", "ns", with_rate, summarize(means, all.count()), {}};
  rtt.summary.p50 = all.percentile(50);
  rtt.summary.p99 = all.percentile(99);
  rtt.more = {{"p99.9", all.percentile(99.9)}, {"longest", all.max()}};
  const Metric rate{"rate", "messages/s", with_rate, summarize(rates), {}};
  return {rtt, rate};
}

}  // namespace coracle::bench
