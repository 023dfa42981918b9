#include "scenarios/gateways/fipa/places.hpp"

#include "harness/figures/compare.hpp"
#include "harness/load/loading.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/hosts.hpp"
#include "scenarios/gateways/fipa/couples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

namespace coracle::bench {

namespace {

constexpr std::size_t content = 7;  // bytes, as in the paper

// One line of the figure.
struct Arrangement {
  std::string platforms;
  std::string mtp;  // empty: none
  std::shared_ptr<const Hosts> hosts = nullptr;
  std::function<Run(std::uint32_t couples)> play;
};

// With two hosts, in a process of its own on the first of them.
Run played(const Arrangement& at, std::uint32_t couples) {
  if (at.hosts == nullptr) return at.play(couples);
  const std::vector<double> values = measured_in_child([&] {
    at.hosts->enter(0);
    const Run run = at.play(couples);
    return std::vector<double>{run.value, static_cast<double>(run.n)};
  });
  return {values.at(0), {}, static_cast<std::uint64_t>(values.at(1))};
}

Arrangement platforms(const Options& options, std::string_view mtp,
                      const std::shared_ptr<const Hosts>& hosts) {
  const double interval = options.interval(0.05, 0.5);
  const FipaWay way{mtp, acl::Representation::string, hosts};
  return {"ours-ours", std::string(mtp), hosts, [=](std::uint32_t couples) {
            return play_couples({way, content, couples, interval}).run;
          }};
}

Arrangement society(const Options& options, const std::shared_ptr<const Hosts>& hosts) {
  Options one = options;
  one.realization = "distributed:";
  one.processes = 2;
  one.size = content;
  one.seconds = options.interval(0.05, 0.5);
  one.apart_on = hosts;
  return {"one society", "", hosts,
          [one](std::uint32_t couples) { return run_one_load(one, {couples}).rtt; }};
}

std::vector<Arrangement> arrangements(const Options& options, Progress& progress) {
  std::vector<std::shared_ptr<const Hosts>> places = {nullptr};
  if (const std::string reason = Hosts::why_not(); reason.empty()) {
    places.push_back(std::make_shared<const Hosts>(Hosts::Subnets::one));
  } else {
    progress.clear();
    fmt::print(stderr, "coracle-bench: mtp runs on this host alone: {}\n", reason);
  }
  std::vector<Arrangement> all;
  for (const auto& hosts : places) {
    all.push_back(society(options, hosts));
    // On one host, they are measured with all forms.
    if (hosts == nullptr) continue;
    for (const std::string_view mtp : transports()) all.push_back(platforms(options, mtp, hosts));
  }
  return all;
}

}  // namespace

void measure_places(const Options& options, Progress& progress,
                    const std::vector<std::uint32_t>& couples, std::vector<Metric>& metrics) {
  const std::vector<Arrangement> all = arrangements(options, progress);
  for (const std::uint32_t count : couples) {
    progress.begin(fmt::format("mtp, hosts, {} couples", count));
    std::vector<std::function<Run()>> works;
    for (const Arrangement& each : all) works.emplace_back([&] { return played(each, count); });
    const auto runs = interleave(options, progress, works);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const char* const placement = all[i].hosts == nullptr ? on_one_host : on_two_hosts;
      Params params = {{"platforms", all[i].platforms}, {"mtp", all[i].mtp}};
      if (!all[i].mtp.empty()) params.emplace_back("encoding", std::string("string"));
      params.emplace_back("content", static_cast<std::int64_t>(content));
      params.emplace_back("couples", std::int64_t{count});
      params.emplace_back("placement", std::string(placement));
      metrics.push_back({"rtt", "ns", std::move(params), summarize(runs[i]), {}});
    }
  }
}

}  // namespace coracle::bench
