// Messages that are stored before their senders are notified: a hundred agents of one process send
// to as many of another one, through a clearinghouse with a disk on which no sync takes less than 4
// ms. Each sender has up to 64 sends under way, and awaits that each of them is stored; the readers
// read meanwhile. The floor appends as many records of that size to a file at once, and syncs the
// file, again and again. Where scripts/peers has built it, JetStream stores as many messages beside
// it; it syncs every two minutes.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/other_systems.hpp"
#include "harness/machines/shared.hpp"
#include "harness/machines/slow_disk.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/receipt.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::size_t in_flight = 64;                         // of one sender
constexpr Duration sync_time = std::chrono::milliseconds(4);  // of the disk
constexpr std::uint64_t batch = 4096;                         // messages of one sample
constexpr std::size_t samples_limit = 1 << 14;
constexpr std::size_t record_bytes = 128;  // besides the content
constexpr Duration at_most = std::chrono::minutes(1);

// The results of the senders.
struct Found {
  double rate = 0;
  std::uint64_t n = 0;
  std::size_t samples = 0;
  double sample[samples_limit] = {};
};

// The state that all senders of the process share; they live on one worker.
struct Stores {
  explicit Stores(double interval) : begin(clock_now() + seconds(interval / 4)) {}

  void on_stored() {
    const Time now = clock_now();
    if (now < begin) return;
    if (marks.empty() || ++stored % batch == 0) marks.push_back(now);
  }

  const Time begin;  // the first part of the time is the warm-up
  std::uint64_t stored = 0;
  std::vector<Time> marks;
};

class StoringSender : public Player {
 public:
  StoringSender(Stores& stores, std::uint32_t number, std::size_t size, Time end)
      : stores_(stores), whom_(fmt::format("reader/{}", number)), size_(size), end_(end) {}

 protected:
  Task<> play() override {
    std::string text(size_, 'x');
    std::deque<Receipt> waiting;
    std::size_t changed = 0;
    std::uint64_t sent = 0;
    const auto goes_on = [this] { return clock_now() < end_ || stores_.marks.size() < 2; };
    while (goes_on() || !waiting.empty()) {
      if (goes_on()) {
        text[changed] ^= 1;
        if (++changed == size_) changed = 0;
        Post post(whom_, Content::bytes(std::as_bytes(std::span(text))));
        waiting.push_back(co_await track(std::move(post)));
        ++sent;
        if (waiting.size() < in_flight) continue;
      }
      if (!co_await waiting.front().reached(Stage::stored, at_most))
        throw NotDone("a message was not stored");
      waiting.pop_front();
      stores_.on_stored();
    }
    Post last(whom_, Content(std::to_string(sent)));
    last.conversation(farewell);
    co_await send(std::move(last));
  }

 private:
  Stores& stores_;
  const Name whom_;
  const std::size_t size_;
  const Time end_;
};

class Reading : public Player {
 protected:
  Task<> play() override {
    for (std::uint64_t read = 0;; ++read) {
      const Message message = co_await receive();
      if (message.conversation() != farewell) continue;
      if (std::to_string(read) != message.text())
        throw NotDone(fmt::format("{} messages were sent, but {} came", message.text(), read));
      co_return;
    }
  }
};

void send_all(const Options& here, std::uint32_t pairs, Found& found) {
  Options durable = here;
  durable.realization += "&durable=yes";
  const double interval = here.interval(0.3, 2);
  Society society(durable);
  Stores stores(interval);
  const Time end = clock_now() + seconds(interval * 1.25);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    society.node().adopt(placed(fmt::format("sender/{}", i), 0),
                         std::make_unique<StoringSender>(stores, i, here.size, end));
  }
  society.wait();
  const std::vector<Time>& marks = stores.marks;
  if (marks.size() < 2) throw NotDone("too few messages were stored to measure anything");
  found.n = batch * (marks.size() - 1);
  found.rate = 1e9 * static_cast<double>(found.n) / nanoseconds(marks.back() - marks.front());
  for (std::size_t i = 1; i < marks.size() && found.samples < samples_limit; ++i)
    found.sample[found.samples++] =
        1e9 * static_cast<double>(batch) / nanoseconds(marks[i] - marks[i - 1]);
}

void read_all(const Options& here, std::uint32_t pairs) {
  Society society(here);
  for (std::uint32_t i = 0; i < pairs; ++i)
    society.node().adopt(placed(fmt::format("reader/{}", i), 0), std::make_unique<Reading>());
  society.wait();
}

Run store_once(const Options& options, std::uint32_t pairs) {
  MeetingPlace place;
  Options here = place.here(options);
  Shared<Found> found;
  Partner senders([&] {
    place.enter(here);
    send_all(here, pairs, *found);
  });
  Partner readers([&] {
    place.enter(here);
    read_all(here, pairs);
  });
  place.server().data = place.folder() + "/data";
  place.server().disk = [](const std::string& folder) { return slow_disk(folder, sync_time); };
  place.serve(here);
  senders.wait();
  readers.wait();
  Run run;
  run.value = found->rate;
  run.n = found->n;
  run.samples.assign(found->sample, found->sample + found->samples);
  return run;
}

Run floor_once(const Options& options, std::uint32_t pairs) {
  MeetingPlace place;
  return floor_journal(place.folder() + "/floor", options.size + record_bytes, pairs * in_flight,
                       sync_time, options.interval(0.1, 1));
}

}  // namespace

std::vector<Metric> run_durable(const Options& options, Progress& progress) {
  if (!options.realization.starts_with("central"))
    throw BadRequest(
        "durable: only the Central realization stores; write --realization central://");
  const std::uint32_t pairs = options.pairs.value_or(100);
  std::vector<std::function<Run()>> works = {[&] { return store_once(options, pairs); },
                                             [&] { return floor_once(options, pairs); }};
  std::string version;
  const auto other = other_system(options, "nats");
  if (other && options.size >= least_size_of_peers) {
    works.emplace_back([&] {
      PeerFound found = other->play("stored", options.size, options.interval(0.3, 2), -1);
      version = found.version;
      return found.run;
    });
  }
  const auto runs = interleave(options, progress, works);
  const Params params = {{"pairs", std::int64_t{pairs}},
                         {"in_flight", static_cast<std::int64_t>(in_flight)},
                         {"sync_ms", 4.0},
                         {"size", static_cast<std::int64_t>(options.size)}};
  std::vector<Metric> metrics = beside_floor("rate", "stored/s", params, runs[0], runs[1]);
  if (runs.size() < 3) return metrics;
  const Params theirs = {{"system", std::string("JetStream, files")},
                         {"version", version},
                         {"synced", std::string("every two minutes")},
                         {"size", static_cast<std::int64_t>(options.size)}};
  metrics.push_back({"rate", "stored/s", theirs, summarize(runs[2]), {}, "nats"});
  metrics.push_back({"ratio_to_peer", "x", theirs, ratio(runs[0], runs[2]), {}});
  return metrics;
}

}  // namespace coracle::bench
