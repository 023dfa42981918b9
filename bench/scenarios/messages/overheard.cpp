// Conversations at a pace, and an eavesdropper in another process that overhears all of them: what
// the tap costs the conversations, by its options.
#include "harness/figures/compare.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::uint64_t batch = 50;  // round trips between two pauses
constexpr std::uint32_t copies_a_second = 50'000;
constexpr const char* viewer_name = "viewer";

// One line of the result.
struct Variant {
  const char* name;
  std::optional<TapOptions> tap = {};
};

// The first variant is the floor.
const Variant variants[] = {
    {.name = "no tap"},
    {.name = "a rate", .tap = TapOptions{.limit = 4096, .rate = copies_a_second}},
    {.name = "a rate and outcomes",
     .tap = TapOptions{.limit = 4096, .rate = copies_a_second, .outcomes = true}},
    {.name = "no rate", .tap = TapOptions{.limit = 4096}},
};

struct Talk {
  const Variant& variant;
  Content content;
  double interval = 0;  // in seconds
  double pace = 0;      // messages per second of each pair
  std::uint32_t pairs = 0;
};

// The results, which both processes share.
struct Found {
  std::atomic<std::uint64_t> messages = 0;
  std::atomic<std::uint64_t> copies = 0, notices = 0, missing = 0;
};

// Plays ping-pong at its pace, or as fast as it can.
class Pacer : public Player {
 public:
  Pacer(const Talk& talk, Found& found, std::uint32_t number)
      : talk_(talk), found_(found), number_(number) {}

 protected:
  Task<> play() override {
    const Message order = co_await receive();
    const Address viewer = order.source();
    const Address ponger = find(fmt::format("ponger/{}", number_));
    const Time warm = clock_now();
    const Time begin = warm + seconds(talk_.interval / 4), end = begin + seconds(talk_.interval);
    Time due = warm;
    std::uint64_t messages = 0;
    for (Time present = warm; present < end; present = clock_now()) {
      for (std::uint64_t i = 0; i < batch; ++i) {
        co_await send(ponger, talk_.content);
        const Message pong = co_await receive();
      }
      if (present >= begin) messages += 2 * batch;
      due += seconds(2 * batch / talk_.pace);
      if (due > clock_now()) co_await pause(Deadline(due));
      else due = clock_now();
    }
    found_.messages += messages;
    co_await send(ponger, Content(), farewell);
    co_await send(viewer, Content(), farewell);
  }

 private:
  const Talk& talk_;
  Found& found_;
  const std::uint32_t number_;
};

// Overhears everything until all pairs have ended.
class Viewer : public Player {
 public:
  Viewer(const Talk& talk, Found& found) : talk_(talk), found_(found) {}

 protected:
  Task<> play() override {
    if (talk_.variant.tap) co_await overhear(Pattern(), *talk_.variant.tap);
    for (std::uint32_t number = 0; number < talk_.pairs; ++number)
      co_await send(fmt::format("pacer/{}", number), Content(), greeting);
    for (std::uint32_t ended = 0; ended < talk_.pairs;) {
      const Message message = co_await receive();
      if (message.gap() != 0) found_.missing += message.gap();
      else if (message.notice()) ++found_.notices;
      else if (message.overheard()) ++found_.copies;
      else ++ended;
    }
  }

 private:
  const Talk& talk_;
  Found& found_;
};

void talk_here(const Options& here, const Talk& talk, Found& found) {
  Society society(here);
  for (std::uint32_t number = 0; number < talk.pairs; ++number) {
    society.node().adopt(placed(fmt::format("ponger/{}", number), 0), std::make_unique<Ponger>());
    society.node().adopt(placed(fmt::format("pacer/{}", number), 0),
                         std::make_unique<Pacer>(talk, found, number));
  }
  society.wait();
  (void)society.node().stop(std::chrono::seconds(5));
}

Run overhear_once(const Options& options, const Variant& variant) {
  const std::uint32_t pairs = options.pairs.value_or(16);
  const Talk talk{variant, content_of(options.size), options.interval(0.2, 2),
                  options.rate.value_or(1e6) / pairs, pairs};
  MeetingPlace place;
  Options here = place.here(options);
  Shared<Found> found;
  Partner talking([&] {
    place.enter(here);
    talk_here(here, talk, *found);
  });
  Partner viewing([&] {
    place.enter(here);
    Society society(here);
    society.node().adopt(placed(viewer_name, 0), std::make_unique<Viewer>(talk, *found));
    society.wait();
    (void)society.node().stop(std::chrono::seconds(5));
  });
  place.serve(here);
  talking.wait();
  viewing.wait();
  if (found->messages == 0) throw NotDone("no message was sent in the interval");
  if (variant.tap && found->copies == 0) throw NotDone("nothing was overheard");
  if (variant.tap && variant.tap->outcomes && found->notices == 0) throw NotDone("no notice came");
  Run run;
  run.n = found->messages;
  run.value = static_cast<double>(run.n) / talk.interval;
  run.samples = {run.value};
  return run;
}

}  // namespace

std::vector<Metric> run_overheard(const Options& options, Progress& progress) {
  if (!has_service(options))
    throw BadRequest("overheard: write --realization distributed: or central://127.0.0.1:1");
  std::vector<std::function<Run()>> works;
  for (const Variant& variant : variants)
    works.push_back([&options, &variant] { return overhear_once(options, variant); });
  const auto runs = interleave(options, progress, works);
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Params params = {{"with", std::string(variants[i].name)},
                           {"size", static_cast<std::int64_t>(options.size)}};
    metrics.push_back({"rate", "messages/s", params, summarize(runs[i]), {}});
    metrics.back().more = {{"floor", summarize(runs[0]).value},
                           {"ratio_to_floor", ratio(runs[i], runs[0]).value}};
  }
  return metrics;
}

}  // namespace coracle::bench
