// Table 7 of the original paper: a producer and a consumer, and the time that a message takes, of
// the programs and of the kernel, beside plain sockets and remote procedure calls; on one host, and
// on two, which are network namespaces.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/figures/usage.hpp"
#include "harness/load/pinging.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/hosts.hpp"
#include "harness/machines/other_systems.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace coracle::bench {

namespace {

// The results of one repeat, in ns: of the round trip, and for each message.
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
  std::shared_ptr<const Hosts> hosts = nullptr;  // the hosts of the two processes; none: this host
  std::vector<Found> found = {};
};

// The usage of all processes while they played, as a share of the time of a message: so the
// warm-up, which has the same usage, needs no account of its own.
Found observe(const std::function<Run()>& play) {
  Run run;
  const Usage usage = usage_during([&] { run = play(); });
  const double message = run.value / 2;
  return {run.value, usage.user / usage.passed * message, usage.system / usage.passed * message,
          run.n};
}

std::size_t size_of(const Options& options) { return std::max(options.size, least_size_of_peers); }

// The places of two processes, and the name of this arrangement.
struct Placement {
  std::string name;
  std::shared_ptr<const Hosts> hosts = nullptr;  // none: both on this host
};

void add_dedicated(std::vector<Row>& rows, const Options& options, const Placement& at) {
  const double interval = options.interval(0.2, 1);
  const std::size_t size = size_of(options);
  const auto sockets = [hosts = at.hosts, interval, size] {
    return hosts ? floor_socket_round_trip(*hosts, size, interval)
                 : floor_socket_round_trip(Socket::tcp, size, interval, -1);
  };
  rows.push_back({"Dedicated IPC", at.name, sockets, at.hosts});
  const auto rpc = other_system(options, "onc-rpc");
  if (!rpc) return;
  const auto calls = [rpc, hosts = at.hosts, interval, size] {
    return rpc->play("pingpong", size, interval, -1, 1, hosts.get()).run;
  };
  rows.push_back({"Dedicated RPC", at.name, calls, at.hosts});
}

// With two hosts the consumer, and a clearinghouse or directory, are on the first one.
void add_ours(std::vector<Row>& rows, const Options& options, const std::string& realization,
              const Placement& at) {
  Options one = options;
  one.realization = realization;
  one.processes = 2;
  one.size = size_of(options);
  one.apart_on = at.hosts;
  rows.push_back({realization, at.name, [one] { return run_one_pingpong(one); }, at.hosts});
}

std::vector<Row> rows_of(const Options& options, Progress& progress) {
  std::vector<Row> rows;
  Options local = options;
  local.realization = "local:";
  local.processes = 1;
  rows.push_back({"local:", "same host, memory", [local] { return run_one_pingpong(local); }});
  const Placement networked{"same host, networked"}, by_unix{"same host, Unix sockets"};
  add_dedicated(rows, options, networked);
  for (const std::string& realization : options.realizations) {
    if (realization.starts_with("local")) continue;
    const bool is_tcp = socket_of(realization) == Socket::tcp;
    add_ours(rows, options, realization, is_tcp ? networked : by_unix);
  }
  if (const std::string reason = Hosts::why_not(); !reason.empty()) {
    progress.clear();
    fmt::print(stderr, "coracle-bench: cpe runs on this host alone: {}\n", reason);
    return rows;
  }
  using Subnets = Hosts::Subnets;
  for (const Placement& at :
       {Placement{"two hosts", std::make_shared<const Hosts>(Subnets::one)},
        Placement{"different subnets", std::make_shared<const Hosts>(Subnets::two)}}) {
    add_dedicated(rows, options, at);
    add_ours(rows, options, "central:", at);
    add_ours(rows, options, "distributed:", at);
  }
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
