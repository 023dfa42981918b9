// The second paper's Tables 2 to 7: the processor time that each part of the system takes for a
// message, for a registration and for a search, in each of the processes.
#include "harness/run/parts.hpp"

#include "harness/figures/compare.hpp"
#include "harness/figures/usage.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/query.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>

namespace coracle::bench {

namespace {

// The work that the agents of one process have done.
struct Tally {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;  // from agents of the other process, if there is one
  std::uint64_t done = 0;      // messages, registrations or searches
};

// An agent is in its own part from one read to its next read.
class Measured : public Player {
 public:
  explicit Measured(Tally& tally) : tally_(tally) {}

 protected:
  Task<Message> read() {
    now_in(Part::rest);
    Message message = co_await receive();
    now_in(Part::agents);
    ++tally_.received;
    co_return message;
  }

  Tally& tally_;
};

class Pinger final : public Measured {
 public:
  Pinger(Tally& tally, std::uint32_t number, std::size_t size, double interval)
      : Measured(tally), number_(number), size_(size), interval_(interval) {}

 protected:
  Task<> play() override {
    now_in(Part::agents);
    const Address ponger = find(fmt::format("ponger/{}", number_));
    const Content content = content_of(size_);
    const Time end = clock_now() + seconds(interval_);
    do {
      co_await send(ponger, content);
      const Message pong = co_await read();
      ++tally_.sent;
      tally_.done += 2;
    } while (clock_now() < end);
    co_await send(ponger, Content(), farewell);
    ++tally_.sent;
    now_in(Part::rest);
  }

 private:
  const std::uint32_t number_;
  const std::size_t size_;
  const double interval_;
};

class Answering final : public Measured {
 public:
  using Measured::Measured;

 protected:
  Task<> play() override {
    for (;;) {
      const Message ping = co_await read();
      if (ping.conversation() == farewell) break;
      const Content content = ping.content();
      co_await send(ping.source(), content);
      ++tally_.sent;
    }
    now_in(Part::rest);
  }
};

// Registers services; when asked to, stays until a farewell arrives.
class Registrar final : public Measured {
 public:
  Registrar(Tally& tally, std::uint32_t count, bool stays)
      : Measured(tally), count_(count), stays_(stays) {}

 protected:
  Task<> play() override {
    now_in(Part::agents);
    std::vector<Address> services;
    for (std::uint32_t i = 0; i < count_; ++i) {
      AgentSpec spec(fmt::format("service/{}", i));
      spec.properties(Properties().set("service", i));
      const Address made = co_await create<Resting>(std::move(spec));
      now_in(Part::agents);
      services.push_back(made);
      if (!stays_) ++tally_.done;
    }
    if (stays_) const Message enough = co_await read();
    for (const Address& each : services) co_await send(each, Content(), farewell);
    tally_.sent += services.size();
    now_in(Part::rest);
  }

 private:
  const std::uint32_t count_;
  const bool stays_;
};

class Searcher final : public Measured {
 public:
  Searcher(Tally& tally, std::uint32_t count, double interval)
      : Measured(tally), count_(count), interval_(interval) {}

 protected:
  Task<> play() override {
    now_in(Part::agents);
    const Time begin = clock_now();
    bool is_there = false;  // the last service is there, and so are all
    while (!is_there) {
      is_there = co_await search_for(count_ - 1);
      if (clock_now() > begin + std::chrono::seconds(30)) throw NotDone("nothing was registered");
      if (!is_there) co_await pause(std::chrono::milliseconds(1));
    }
    const Time end = clock_now() + seconds(interval_);
    while (clock_now() < end) {
      const bool is_found = co_await search_for(static_cast<std::uint32_t>(tally_.done % count_));
      if (!is_found) throw NotDone("a service that is registered was not found");
      ++tally_.done;
    }
    co_await send("registrar", Content(), farewell);
    ++tally_.sent;
    now_in(Part::rest);
  }

 private:
  Task<bool> search_for(std::uint32_t wanted) {
    Query query(where("service") == wanted);
    query.limit = 2;
    const std::vector<Entry> found = co_await search(std::move(query));
    now_in(Part::agents);
    co_return found.size() == 1;
  }

  const std::uint32_t count_;
  const double interval_;
};

// Makes the agents of one process.
struct Side {
  const char* process;
  std::function<void(Node&, Tally&)> make;
};

struct Work {
  const char* name;
  const char* unit;
  std::vector<Side> sides;
  Part service;  // the part for the work of a service
};

std::vector<Work> works_of(const Options& options) {
  const std::uint32_t pairs = options.pairs.value_or(options.quick ? 10 : 100);
  const std::uint32_t registered = options.count.value_or(options.quick ? 2'000 : 20'000);
  const std::uint32_t searched = 200;
  const double interval = options.interval(0.25, 1);
  const auto pingers = [=](Node& node, Tally& tally) {
    for (std::uint32_t i = 0; i < pairs; ++i)
      node.adopt(placed(fmt::format("pinger/{}", i), 0),
                 std::make_unique<Pinger>(tally, i, options.size, interval));
  };
  const auto pongers = [=](Node& node, Tally& tally) {
    for (std::uint32_t i = 0; i < pairs; ++i)
      node.adopt(placed(fmt::format("ponger/{}", i), 0), std::make_unique<Answering>(tally));
  };
  const auto registrar = [](std::uint32_t count, bool stays) {
    return [=](Node& node, Tally& tally) {
      node.adopt(placed("registrar", 0), std::make_unique<Registrar>(tally, count, stays));
    };
  };
  const auto searcher = [=](Node& node, Tally& tally) {
    node.adopt(placed("searcher", 0), std::make_unique<Searcher>(tally, searched, interval));
  };
  const bool is_central = options.realization.starts_with("central");
  return {{"sending",
           "ns/message",
           {{"senders", pingers}, {"receivers", pongers}},
           is_central ? Part::messaging : Part::directory},
          {"registration",
           "ns/registration",
           {{"registrar", registrar(registered, false)}},
           Part::directory},
          {"search",
           "ns/search",
           {{"searcher", searcher}, {"services", registrar(searched, true)}},
           Part::directory}};
}

// The results of one process.
struct Told {
  PartTimes times{};
  std::uint64_t done = 0;
};

Told play_sides(const Options& here, std::span<const Side> sides, bool alone) {
  NodeOptions settings;
  settings.spin = {};  // the search for work is not part of the work
  Society society(here, settings, with_parts);
  Tally tally;
  Told told;
  {
    const PartClock clock;
    for (const Side& side : sides) side.make(society.node(), tally);
    society.wait();
    told.times = clock.times();
  }
  told.done = tally.done;
  society.stop({.sent = tally.sent, .received = alone ? 0 : tally.received});
  return told;
}

// By process and part, in ns for each operation.
using Found = std::map<std::pair<std::string, Part>, double>;

Found found_by(const std::vector<std::pair<std::string, Told>>& all) {
  double done = 0;
  for (const auto& [process, told] : all) done += static_cast<double>(told.done);
  Found found;
  for (const auto& [process, told] : all) {
    for (const Part part : parts)
      found[{process, part}] = told.times[static_cast<std::size_t>(part)] / done;
  }
  return found;
}

Found play_together(const Options& options, const Work& work) {
  return found_by({{"all", play_sides(options, work.sides, true)}});
}

Found play_apart(const Options& options, const Work& work) {
  MeetingPlace place;
  Options here = place.here(options);
  Shared<std::array<Told, 2>> notes;
  std::deque<Partner> partners;
  for (std::size_t i = 0; i < work.sides.size(); ++i) {
    partners.emplace_back([&, i] {
      place.enter(here);
      (*notes)[i] = play_sides(here, std::span(work.sides).subspan(i, 1), work.sides.size() == 1);
    });
  }
  const Usage before = usage_of_process();
  place.serve(here);
  for (Partner& each : partners) each.wait();
  Told service;
  service.times[static_cast<std::size_t>(work.service)] = (usage_of_process() - before).both();
  std::vector<std::pair<std::string, Told>> all;
  for (std::size_t i = 0; i < work.sides.size(); ++i)
    all.emplace_back(work.sides[i].process, (*notes)[i]);
  all.emplace_back("service", service);
  return found_by(all);
}

void measure(const Options& options, const Work& work, Progress& progress,
             std::vector<Metric>& metrics) {
  const bool is_batch = !has_service(options);
  std::map<std::pair<std::string, Part>, std::vector<double>> values;
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    progress.step(fmt::format("{}, repeat {}/{}", work.name, repeat + 1, options.repeats()));
    const Found found = is_batch ? play_together(options, work) : play_apart(options, work);
    for (const auto& [whose, value] : found) values[whose].push_back(value);
  }
  for (const auto& [whose, found] : values) {
    const Params params = {{"process", whose.first},
                           {"part", std::string(to_string(whose.second))}};
    metrics.push_back({work.name, work.unit, params, summarize(found, found.size()), {}});
  }
}

}  // namespace

std::vector<Metric> run_parts(const Options& options, Progress& progress) {
  std::vector<Metric> metrics;
  for (const Work& work : works_of(options)) measure(options, work, progress, metrics);
  return metrics;
}

}  // namespace coracle::bench
