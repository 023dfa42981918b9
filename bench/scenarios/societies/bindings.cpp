// Societies in other languages. Each number is measured in turn with the one to which it is
// compared. The programs are in the folders `bench` of bindings, and keep to the rules of
// bench/peers.
#include "harness/figures/compare.hpp"
#include "harness/load/pinging.hpp"
#include "harness/machines/other_systems.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace coracle::bench {

namespace {

namespace fs = std::filesystem;

// The work of one language, and what it is compared with: the work of another program, or of C++.
struct Comparison {
  const char* language;
  const char* work;
  const char* metric;
  const char* unit;
  const char* other_language;  // nullptr: there is none
  const char* other_work;
};

constexpr Comparison comparisons[] = {
    {"c", "agents", "rtt", "ns", "c++", "agents"},
    {"python", "agents", "rtt", "ns", "python", "queues"},
    {"python", "agents", "rtt", "ns", "python", "autogen"},
    {"python", "processes", "rtt", "ns", "python", "zmq"},
    {"python", "batches", "rate", "messages/s", nullptr, nullptr},
    {"python", "idle", "memory", "bytes", nullptr, nullptr},
    {"scheme", "agents", "rtt", "ns", "scheme", "channels"},
    {"scheme", "processes", "rtt", "ns", "c", "processes"},
    {"lisp", "agents", "rtt", "ns", "lisp", "mailboxes"},
    {"lisp", "processes", "rtt", "ns", "c", "processes"},
};

OtherSystem program_of(const std::string& language) {
  fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / ("binding-" + language);
  if (!fs::is_regular_file(program)) {
    throw NotDone(
        fmt::format("there is no {}; build the project with this language", program.string()));
  }
  return {language, std::move(program)};
}

std::function<Run()> work_of(const char* language, const char* work, const Options& options) {
  if (language == std::string("c++")) return [&options] { return run_one_pingpong(options); };
  return [language, work, &options] {
    const int processor = options.pin ? 0 : -1;
    return program_of(language).play(work, options.size, options.interval(0.2, 1), processor).run;
  };
}

Params params_of(const char* language, const char* work) {
  return {{"language", std::string(language)}, {"work", std::string(work)}};
}

void measure(const Comparison& one, const Options& options, Progress& progress,
             std::vector<Metric>& metrics) {
  std::vector<std::function<Run()>> works{work_of(one.language, one.work, options)};
  if (one.other_language != nullptr)
    works.push_back(work_of(one.other_language, one.other_work, options));
  const auto runs = interleave(options, progress, works);
  const Params params = params_of(one.language, one.work);
  metrics.push_back({one.metric, one.unit, params, summarize(runs[0]), {}});
  if (one.other_language == nullptr) return;
  metrics.push_back({one.metric,
                     one.unit,
                     params_of(one.other_language, one.other_work),
                     summarize(runs[1]),
                     {}});
  Params compared = params;
  compared.emplace_back("to", fmt::format("{} {}", one.other_language, one.other_work));
  metrics.push_back({"ratio", "x", compared, ratio(runs[0], runs[1]), {}});
}

}  // namespace

std::vector<Metric> run_bindings(const Options& options, Progress& progress) {
  std::vector<Metric> metrics;
  for (const Comparison& one : comparisons) {
    try {
      measure(one, options, progress, metrics);
    } catch (const NotDone& error) {
      progress.clear();
      fmt::print(stderr, "coracle-bench: {} {}: {}\n", one.language, one.work, error.what());
    }
  }
  if (metrics.empty()) throw NotDone("no language was measured");
  return metrics;
}

}  // namespace coracle::bench
