// The experiments of the papers on JADE's message transport: couples of agents on two platforms, by
// transport, form of the messages, number of couples and bytes of content; ours, JADE's, and ours
// with JADE's. The floor moves the same bytes by sockets, as an exchange of HTTP without a look at
// them; by IIOP, it is a call of omniORB.
#include "architectures/graph.hpp"
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/gateways/fipa/couples.hpp"
#include "scenarios/gateways/fipa/jade.hpp"
#include "scenarios/gateways/fipa/places.hpp"
#include "scenarios/gateways/fipa/searches.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::size_t contents[] = {7, 2150};
constexpr std::pair<const char*, acl::Representation> forms[] = {
    {"string", acl::Representation::string},
    {"bit-efficient", acl::Representation::bit_efficient},
    {"xml", acl::Representation::xml}};

std::vector<std::uint32_t> couples_of(const Options& options) {
  if (options.shapes.empty()) {
    if (options.quick) return {1, 10};
    return {1, 10, 50, 100, 200, 300, 500, 1000};
  }
  std::vector<std::uint32_t> couples;
  for (const std::string& text : options.shapes) {
    couples.push_back(count_of(text));
    if (couples.back() == 0 || couples.back() > most_couples)
      throw BadRequest(fmt::format("'{}' is no number from 1 to {}", text, most_couples));
  }
  return couples;
}

// Two platforms of JADE.
struct Jade {
  explicit Jade(const std::filesystem::path& player)
      : first(player, "jade-first"), second(player, "jade-second") {
    first.open();
    second.open();
  }

  Run play(const CoupleLoad& load) {
    return first.measure_callers(second.partners(load.couples), load);
  }
  // Callers of ours, and partners of JADE.
  Run play_with_ours(const CoupleLoad& load) {
    const std::vector<acl::AgentId> partners = second.partners(load.couples);
    FipaPlatform ours("ours", load.way);
    return measure_callers(ours, partners, load).run;
  }

  JadePlatform first, second;
};

// Nothing, with a line about what is missing, if there is no JADE here.
std::unique_ptr<Jade> start_jade(const Options& options, Progress& progress) {
  const auto player = jade_player();
  if (!player) {
    progress.clear();
    fmt::print(stderr,
               "coracle-bench: mtp measures no JADE: there is no jade-player beside this program; "
               "-DCORACLE_BUILD_INTEROP=ON builds it with java, javac and mvn\n");
    return nullptr;
  }
  progress.step("JADE begins");
  auto jade = std::make_unique<Jade>(*player);
  // A virtual machine compiles what it runs often.
  if (!options.quick) jade->play({.couples = 10, .interval = 5});
  return jade;
}

// The broker has one connection, on which the calls of all couples go one after the other. It
// leaves threads, so a process of its own measures it.
Run floor_of_iiop(const CoupleLoad& load) {
  Run run;
#ifdef CORACLE_HAS_IIOP
  const std::vector<double> found = measured_in_child([&] {
    const Run one = floor_corba_call(load.content, load.interval, -1);
    return std::vector<double>{one.value, static_cast<double>(one.n)};
  });
  run.value = found.at(0) * load.couples;
  run.n = static_cast<std::uint64_t>(found.at(1));
#else
  (void)load;
#endif
  return run;
}

// A request and its answer are two letters, each with a response; the floor moves one of each in
// each direction. By IIOP, it is a call that returns its argument.
Run floor_of(const CoupleLoad& load) {
  if (load.way.mtp == "iiop") return floor_of_iiop(load);
  const std::size_t bytes = bytes_of_request(load) + bytes_of_response();
  Run run = floor_web({1, load.couples, bytes, bytes, load.interval});
  run.value = 1e9 * load.couples / run.value;
  return run;
}

// Messages per second, when each couple has one under way.
std::vector<Run> rates_of(std::vector<Run> round_trips, std::uint32_t couples) {
  for (Run& each : round_trips) {
    each.value = 2e9 * couples / each.value;
    each.samples.clear();
  }
  return round_trips;
}

Params params_of(const char* platforms, const char* form, const CoupleLoad& load) {
  return {
      {"platforms", std::string(platforms)},   {"mtp", std::string(load.way.mtp)},
      {"encoding", std::string(form)},         {"content", static_cast<std::int64_t>(load.content)},
      {"couples", std::int64_t{load.couples}}, {"placement", std::string(on_one_host)}};
}

// One number of couples, on all pairs of platforms in turn.
void measure(const Options& options, Progress& progress, const CoupleLoad& load, const char* form,
             Jade* jade, std::vector<Metric>& metrics) {
  std::vector<double> costs;
  const auto play = [&] {
    Played played = play_couples(load);
    costs.push_back(played.cost);
    return std::move(played.run);
  };
  std::vector<std::function<Run()>> works = {play, [&] { return floor_of(load); }};
  if (jade != nullptr) {
    works.emplace_back([&] { return jade->play(load); });
    works.emplace_back([&] { return jade->play_with_ours(load); });
  }
  const auto runs = interleave(options, progress, works);
  const auto add_rate = [&](const Params& params, const std::vector<Run>& found) {
    metrics.push_back({"rate", "messages/s", params, summarize(rates_of(found, load.couples)), {}});
  };
  const Params ours = params_of("ours-ours", form, load);
  for (Metric& each : beside_floor("rtt", "ns", ours, runs[0], runs[1]))
    metrics.push_back(std::move(each));
  add_rate(ours, runs[0]);
  metrics.push_back({"cost", "ns/message", ours, summarize(costs, runs[0].front().n), {}});
  if (jade == nullptr) return;
  const Params theirs = params_of("jade-jade", form, load);
  const Params mixed = params_of("ours-jade", form, load);
  metrics.push_back({"rtt", "ns", theirs, summarize(runs[2]), {}});
  add_rate(theirs, runs[2]);
  metrics.push_back({"rtt", "ns", mixed, summarize(runs[3]), {}});
  add_rate(mixed, runs[3]);
  metrics.push_back({"ratio_to_jade", "x", ours, ratio(runs[0], runs[2]), {}});
  metrics.push_back({"ratio_to_jade", "x", mixed, ratio(runs[3], runs[2]), {}});
}

// Searches in the other platform's directory; the floor asks for as many bytes as a search has, and
// gets as many as an answer.
void measure_searches(const Options& options, Progress& progress, std::vector<Metric>& metrics) {
  progress.begin("mtp, searches");
  SearchLoad load;
  load.entries = options.quick ? 100 : 1000;
  load.interval = options.interval(0.05, 0.5);
  const SearchBytes bytes = bytes_of_search(load);
  const auto floor = [&] {
    Run run = floor_web({1, 1, bytes.search, bytes.answer, load.interval});
    run.value = 1e9 / run.value;
    return run;
  };
  const auto runs = interleave(options, progress, {[&] { return play_searches(load); }, floor});
  const Params params = {{"platforms", std::string("ours-ours")},
                         {"mtp", std::string(load.way.mtp)},
                         {"entries", std::int64_t{load.entries}}};
  for (Metric& each : beside_floor("df_search", "ns", params, runs[0], runs[1]))
    metrics.push_back(std::move(each));
  std::vector<double> above;
  for (std::size_t i = 0; i < runs[0].size(); ++i)
    above.push_back(runs[0][i].value - runs[1][i].value);
  metrics.push_back({"above_floor", "ns", params, summarize(above, runs[0].front().n), {}});
}

}  // namespace

std::vector<Metric> run_mtp(const Options& options, Progress& progress) {
  const std::vector<std::uint32_t> couples = couples_of(options);
  const std::unique_ptr<Jade> jade = start_jade(options, progress);
  std::vector<Metric> metrics;
  for (const std::string_view mtp : transports()) {
    for (const auto& [name, form] : forms) {
      for (const std::size_t content : contents) {
        for (const std::uint32_t count : couples) {
          progress.begin(
              fmt::format("mtp {}, {}, {} bytes, {} couples", mtp, name, content, count));
          // JADE's codecs of the other forms are in no registry.
          const bool has_jade = mtp == "http" && form == acl::Representation::string;
          const bool is_small = content == contents[0] && count == couples.front();
          Jade* const beside = has_jade && (is_small || !options.quick) ? jade.get() : nullptr;
          const CoupleLoad load{{mtp, form}, content, count, options.interval(0.05, 0.5)};
          measure(options, progress, load, name, beside, metrics);
        }
      }
    }
  }
  measure_searches(options, progress, metrics);
  measure_places(options, progress, couples, metrics);
  return metrics;
}

}  // namespace coracle::bench
