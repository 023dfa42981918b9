// The second paper's section 5.3: the time of a registration and of a search against the number of
// services that are registered already, the number of registrations in a second when many are made
// at once, and the time that a node takes to join; with searcher and registered agents in one
// process, in two, and the registered agents spread over both.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/query.hpp>
#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace coracle::bench {

namespace {

constexpr std::uint32_t samples_at_level = 100;
constexpr std::uint32_t registered_at_once = 256;

// The place of the registered agents, seen from the searcher.
enum class Where { here, there, spread };

const char* to_string(Where where) {
  return where == Where::here ? "here" : where == Where::there ? "there" : "spread";
}

std::string service(std::uint32_t number) { return fmt::format("service/{}", number); }

struct Fill {
  static constexpr std::string_view content_type = "coracle/bench/fill/v1";

  std::uint32_t begin = 0;  // the numbers of the services
  std::uint32_t end = 0;
  std::uint32_t step = 1;
  std::uint32_t at_once = 1;
};

struct Filled {
  static constexpr std::string_view content_type = "coracle/bench/filled/v1";

  std::vector<double> times;  // ns, of each registration
  double passed = 0;          // ns, for all of them
};

// Registers services on request.
class Registrar : public Player {
 public:
  explicit Registrar(std::atomic<std::uint64_t>& sent) : sent_(sent) {}

 protected:
  Task<> play() override {
    for (;;) {
      const Message request = co_await receive();
      if (request.conversation() == farewell) break;
      const Fill wish = request.content().as<Fill>();
      filled_.times.clear();
      next_ = wish.begin;
      const Time before = clock_now();
      for (busy_ = 1; busy_ < wish.at_once; ++busy_) also(fill(wish));
      co_await fill(wish);
      while (busy_ != 0) co_await yield();
      filled_.passed = nanoseconds(clock_now() - before);
      Content times = Content::of(std::move(filled_));
      co_await reply(request, std::move(times));
      sent_ += 1;
    }
    for (const Address each : services_) co_await send(each, Content(), farewell);
    sent_ += services_.size();
  }

 private:
  Task<> fill(Fill wish) {
    while (next_ < wish.end) {
      const std::uint32_t number = std::exchange(next_, next_ + wish.step);
      AgentSpec spec(service(number));
      spec.properties(Properties().set("service", number));
      const Time before = clock_now();
      const Address made = co_await create<Resting>(std::move(spec));
      filled_.times.push_back(nanoseconds(clock_now() - before));
      services_.push_back(made);
    }
    --busy_;
  }

  std::atomic<std::uint64_t>& sent_;
  std::vector<Address> services_;
  Filled filled_;
  std::uint32_t next_ = 0;
  std::uint32_t busy_ = 0;
};

// The results at one number of registered services.
struct Level {
  std::uint32_t registered = 0;
  Run registration;
  Run search;   // by property
  Run look_up;  // by name
};

// The results at the highest number.
struct Summit {
  Run rate;  // of registrations, many at once
  Run join;  // of a new node that learns all of them
};

struct Heights {
  std::vector<Level> levels;
  Summit summit;
};

// Runs on a node of its own, and ends when its node has learned that name.
class Newcomer : public Player {
 public:
  explicit Newcomer(Name wanted) : wanted_(std::move(wanted)) {}

 protected:
  Task<> play() override {
    for (;;) {
      const std::optional<Entry> entry = co_await node().directory().look_up(wanted_);
      if (entry) co_return;
      co_await yield();
    }
  }

 private:
  const Name wanted_;
};

double time_to_join(const Options& options, const Name& wanted) {
  const Time before = clock_now();
  Society society(options);
  society.node().adopt(placed("newcomer", 0), std::make_unique<Newcomer>(wanted));
  society.wait();
  const double passed = nanoseconds(clock_now() - before);
  society.stop({});
  return passed;
}

Run averaged(std::vector<double> samples) {
  const Mean mean = mean_of(samples);
  const std::uint64_t n = samples.size();
  return {mean.value, std::move(samples), n};
}

class Searcher : public Player {
 public:
  Searcher(const Options& options, Heights& heights, std::vector<std::string> registrars,
           std::atomic<std::uint64_t>& sent)
      : options_(options), heights_(heights), registrars_(std::move(registrars)), sent_(sent) {}

 protected:
  Task<> play() override {
    std::uint32_t there = 0;
    for (Level& level : heights_.levels) {
      Filled filled = co_await fill({there, level.registered});
      std::vector<double> times = std::move(filled.times);
      there = level.registered;
      if (times.size() > samples_at_level)
        times.erase(times.begin(), times.end() - samples_at_level);
      level.registration = averaged(std::move(times));
      co_await search_for(there - 1);  // registrations elsewhere may take a while to become visible
      std::vector<double> searches;
      std::vector<double> look_ups;
      for (std::uint32_t i = 0; i < samples_at_level; ++i) {
        const std::uint32_t wanted = static_cast<std::uint32_t>(std::uint64_t{i} * there / 100);
        const Name name(service(wanted));
        const Time begin = clock_now();
        const bool is_found = co_await search_once(wanted);
        const Time middle = clock_now();
        const std::optional<Entry> entry = co_await node().directory().look_up(name);
        const Time end = clock_now();
        if (!is_found || !entry) throw NotDone("a service that is registered was not found");
        searches.push_back(nanoseconds(middle - begin));
        look_ups.push_back(nanoseconds(end - middle));
      }
      level.search = averaged(std::move(searches));
      level.look_up = averaged(std::move(look_ups));
    }
    const Fill more{there, there + there / 2, 1, registered_at_once};
    const Filled filled = co_await fill(more);
    const double rate = static_cast<double>(filled.times.size()) / (filled.passed / 1e9);
    heights_.summit.rate = {rate, {}, filled.times.size()};
    if (!options_.realization.starts_with("local")) {
      const double joined = co_await join(Name(service(more.end - 1)));
      heights_.summit.join = {joined, {}, 1};
    }
    for (const std::string& each : registrars_) co_await send(each, Content(), farewell);
    sent_ += registrars_.size();
  }

 private:
  // Each registrar does its share, one after the other.
  Task<Filled> fill(Fill all) {
    Filled done;
    all.step = static_cast<std::uint32_t>(registrars_.size());
    for (const std::string& each : registrars_) {
      Content wish = Content::of(Fill{all});
      const Message answer = co_await ask(each, std::move(wish));
      ++all.begin;
      sent_ += 1;
      const Filled filled = answer.content().as<Filled>();
      done.times.insert(done.times.end(), filled.times.begin(), filled.times.end());
      done.passed += filled.passed;
    }
    co_return done;
  }

  // The newcomer's node has threads of its own.
  Task<double> join(Name wanted) {
    std::atomic<bool> is_there{false};
    double passed = 0;
    std::thread newcomer([&] {
      passed = time_to_join(options_, wanted);
      is_there = true;
    });
    while (!is_there) co_await pause(std::chrono::milliseconds(1));
    newcomer.join();
    co_return passed;
  }

  Task<bool> search_once(std::uint32_t wanted) {
    Query query(where("service") == wanted);
    query.limit = 2;
    const std::vector<Entry> found = co_await search(std::move(query));
    co_return found.size() == 1 && found.front().name == Name(service(wanted));
  }

  Task<> search_for(std::uint32_t wanted) {
    const Time end = clock_now() + std::chrono::seconds(30);
    for (;;) {
      const bool is_there = co_await search_once(wanted);
      if (is_there) co_return;
      if (clock_now() > end) throw NotDone("a service never became known to the searcher");
      co_await pause(std::chrono::milliseconds(1));
    }
  }

  const Options& options_;
  Heights& heights_;
  std::vector<std::string> registrars_;
  std::atomic<std::uint64_t>& sent_;
};

void search_here(const Options& options, Where where, Heights& heights) {
  std::atomic<std::uint64_t> sent{0};
  std::vector<std::string> registrars;
  if (where != Where::there) registrars.emplace_back("registrar/here");
  if (where != Where::here) registrars.emplace_back("registrar/there");
  Society society(options);
  if (where != Where::there) {
    society.node().adopt(placed(registrars.front(), 0), std::make_unique<Registrar>(sent));
  }
  society.node().adopt(placed("searcher", 0),
                       std::make_unique<Searcher>(options, heights, registrars, sent));
  society.wait();
  const std::uint64_t answers = where == Where::here ? 0 : heights.levels.size() + 1;
  society.stop({.sent = sent, .received = answers});
}

Heights search_once(const Options& options, Where where, std::vector<Level> levels) {
  Heights heights{std::move(levels), {}};
  std::optional<MeetingPlace> place;
  std::optional<Partner> partner;
  Options here = options;
  if (!options.realization.starts_with("local")) {
    here = place.emplace().here(options);
    if (where != Where::here) {
      partner.emplace([&] {
        place->enter(here);
        std::atomic<std::uint64_t> sent{0};
        Society society(here);
        society.node().adopt(placed("registrar/there", 0), std::make_unique<Registrar>(sent));
        society.wait();
        society.stop({.sent = sent, .received = heights.levels.size() + 2});
      });
    }
    place->serve(here);
  }
  search_here(here, where, heights);
  if (partner) partner->wait();
  return heights;
}

std::vector<Level> levels_of(const Options& options) {
  std::vector<Level> levels;
  const std::uint32_t most = std::max(options.count.value_or(options.quick ? 200U : 10'000U), 100U);
  for (const std::uint32_t each : {100U, 200U, 500U, 1000U, 2000U, 5000U, 10'000U, 100'000U}) {
    if (each <= most) levels.push_back({each, {}, {}, {}});
  }
  return levels;
}

Run floor_once(const Options& options) {
  if (!options.realization.starts_with("local")) {
    return floor_socket_round_trip(socket_of(options.realization), 64, options.interval(0.05, 0.3),
                                   -1);
  }
  return {1e9 / floor_objects(100'000).per_second, {}, 100'000};
}

void measure(const Options& options, Where where, Progress& progress,
             std::vector<Metric>& metrics) {
  std::vector<Heights> repeats;
  const auto play = [&] {
    repeats.push_back(search_once(options, where, levels_of(options)));
    return repeats.back().levels.back().registration;
  };
  const auto runs = interleave(options, progress, {play, [&] { return floor_once(options); }});
  const auto add = [&](const char* name, Run Level::*part) {
    for (std::size_t i = 0; i < repeats.front().levels.size(); ++i) {
      std::vector<Run> found;
      for (const Heights& each : repeats) found.push_back(each.levels[i].*part);
      const Params params = {{"where", std::string(to_string(where))},
                             {"registered", std::int64_t{repeats.front().levels[i].registered}}};
      metrics.push_back({name, "ns", params, summarize(found), {}});
    }
  };
  add("registration", &Level::registration);
  add("search", &Level::search);
  add("look_up", &Level::look_up);
  const auto add_summit = [&](const char* name, const char* unit, Run Summit::*part) {
    std::vector<Run> found;
    for (const Heights& each : repeats) found.push_back(each.summit.*part);
    const std::int64_t registered = repeats.front().levels.back().registered;
    const Params params = {{"where", std::string(to_string(where))},
                           {"registered", registered + registered / 2}};
    metrics.push_back({name, unit, params, summarize(found), {}});
  };
  add_summit("registration_rate", "registrations/s", &Summit::rate);
  if (!options.realization.starts_with("local")) add_summit("join", "ns", &Summit::join);
  const Params params = {{"where", std::string(to_string(where))}};
  metrics.push_back({"floor", "ns", params, summarize(runs[1]), {}});
}

}  // namespace

std::vector<Metric> run_directory(const Options& options, Progress& progress) {
  std::vector<Metric> metrics;
  measure(options, Where::here, progress, metrics);
  if (options.realization.starts_with("local")) return metrics;
  measure(options, Where::there, progress, metrics);
  measure(options, Where::spread, progress, metrics);
  return metrics;
}

}  // namespace coracle::bench
