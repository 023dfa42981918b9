// Table 7 of the original paper: a producer and a consumer, and what a message takes of the time,
// of the programs and of the kernel, beside plain sockets and remote procedure calls; on one host,
// and on two, which are network namespaces.
#include "floor/floors.hpp"
#include "harness/compare.hpp"
#include "harness/failures.hpp"
#include "harness/forked.hpp"
#include "harness/hosts.hpp"
#include "harness/other_systems.hpp"
#include "harness/pinging.hpp"
#include "harness/usage.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace coracle::bench {

namespace {

// What one repeat found, in ns: of the round trip, and for each message.
struct Found {
  double round_trip = 0;
  double user = 0;
  double system = 0;
  std::uint64_t n = 0;
};

// A row of the table.
struct Row {
  std::string framework;
  std::string placement;
  std::function<Run()> play;
  std::shared_ptr<const Hosts> hosts = nullptr;  // where it is played; none: here
  std::vector<Found> found = {};
};

// What all processes took while they played, as a share of the time of a message: so that warming
// up, which they do in the same way, needs no account of its own.
Found observe(const std::function<Run()>& play) {
  Run run;
  const Usage usage = usage_during([&] { run = play(); });
  const double message = run.value / 2;
  return {run.value, usage.user / usage.passed * message, usage.system / usage.passed * message,
          run.n};
}

double interval_of(const Options& options) { return options.interval(0.2, 1); }
std::size_t size_of(const Options& options) { return std::max(options.size, least_size_of_peers); }

std::vector<Row> rows_on_this_host(const Options& options) {
  std::vector<Row> rows;
  Options local = options;
  local.realization = "local:";
  local.processes = 1;
  rows.push_back({"local:", "same host, memory", [local] { return run_one_pingpong(local); }});
  const double interval = interval_of(options);
  const std::size_t size = size_of(options);
  rows.push_back({"Dedicated IPC", "same host, networked", [interval, size] {
                    return floor_socket_round_trip(Socket::tcp, size, interval, -1);
                  }});
  if (const auto rpc = other_system(options, "onc-rpc")) {
    rows.push_back({"Dedicated RPC", "same host, networked", [rpc, interval, size] {
                      return rpc->play("pingpong", size, interval, -1).run;
                    }});
  }
  for (const std::string& realization : options.realizations) {
    if (realization.starts_with("local")) continue;
    Options one = options;
    one.realization = realization;
    one.processes = 2;
    one.size = size;
    const bool is_tcp = socket_of(realization) == Socket::tcp;
    rows.push_back({realization, is_tcp ? "same host, networked" : "same host, Unix sockets",
                    [one] { return run_one_pingpong(one); }});
  }
  return rows;
}

// The consumer, and a clearinghouse or directory, are on the first host, the producer on the other.
std::vector<Row> rows_between(const Options& options, const std::shared_ptr<const Hosts>& hosts,
                              const std::string& placement) {
  std::vector<Row> rows;
  const double interval = interval_of(options);
  const std::size_t size = size_of(options);
  rows.push_back({"Dedicated IPC", placement, [hosts, interval, size] {
                    return floor_socket_round_trip(*hosts, size, interval);
                  }});
  if (const auto rpc = other_system(options, "onc-rpc")) {
    rows.push_back({"Dedicated RPC", placement, [rpc, hosts, interval, size] {
                      return rpc->play("pingpong", size, interval, -1, 1, hosts.get()).run;
                    }});
  }
  for (const char* const realization : {"central:", "distributed:"}) {
    Options one = options;
    one.realization = realization;
    one.processes = 2;
    one.size = size;
    one.apart_on = hosts;
    rows.push_back({realization, placement, [one] { return run_one_pingpong(one); }});
  }
  for (Row& row : rows) row.hosts = hosts;
  return rows;
}

std::vector<Row> rows_of(const Options& options, Progress& progress) {
  std::vector<Row> rows = rows_on_this_host(options);
  if (const std::string reason = Hosts::why_not(); !reason.empty()) {
    progress.clear();
    fmt::print(stderr, "coracle-bench: cpe is played on this host alone: {}\n", reason);
    return rows;
  }
  const auto add = [&](Hosts::Subnets subnets, const std::string& placement) {
    for (Row& row : rows_between(options, std::make_shared<const Hosts>(subnets), placement)) {
      rows.push_back(std::move(row));
    }
  };
  add(Hosts::Subnets::one, "two hosts");
  add(Hosts::Subnets::two, "different subnets");
  return rows;
}

Found play(const Row& row) {
  if (row.hosts == nullptr) return observe(row.play);
  const std::vector<double> values = measured_in_child([&row] {
    row.hosts->enter(0);
    const Found found = observe(row.play);
    return std::vector<double>{found.round_trip, found.user, found.system,
                               static_cast<double>(found.n)};
  });
  return {values.at(0), values.at(1), values.at(2), static_cast<std::uint64_t>(values.at(3))};
}

void report(const Row& row, std::vector<Metric>& metrics) {
  const Params params = {{"framework", row.framework}, {"placement", row.placement}};
  const auto add = [&](const char* name, const char* unit, auto value) {
    std::vector<double> values;
    std::uint64_t n = 0;
    for (const Found& each : row.found) {
      values.push_back(value(each));
      n += each.n;
    }
    metrics.push_back({name, unit, params, summarize(values, n), {}, row.framework});
  };
  add("round_trip", "ns", [](const Found& each) { return each.round_trip; });
  add("real", "ns/message", [](const Found& each) { return each.round_trip / 2; });
  add("user", "ns/message", [](const Found& each) { return each.user; });
  add("system", "ns/message", [](const Found& each) { return each.system; });
}

}  // namespace

std::vector<Metric> run_cpe(const Options& options, Progress& progress) {
  std::vector<Row> rows = rows_of(options, progress);
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    for (Row& row : rows) {
      progress.step(fmt::format("{}, repeat {}/{}", row.framework, repeat + 1, options.repeats()));
      row.found.push_back(play(row));
    }
  }
  std::vector<Metric> metrics;
  for (const Row& row : rows) report(row, metrics);
  return metrics;
}

}  // namespace coracle::bench
