// The same work on other systems, in turn with ours: ping-pong and flood between two processes.
// Their programs are those of bench/peers, which scripts/peers builds.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/flooding.hpp"
#include "harness/load/pinging.hpp"
#include "harness/machines/other_systems.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace coracle::bench {

namespace {

namespace fs = std::filesystem;

// The systems of bench/peers.
constexpr std::array systems = {"tcp",  "unix",    "zeromq",  "nng",    "nats", "actor-framework",
                                "grpc", "omniorb", "onc-rpc", "erlang", "pvm",  "jade",
                                "pekko"};

struct Peer {
  std::string system;
  fs::path program;
  std::string version = {};
  std::vector<double> p50s = {};  // of the repeats
  std::vector<double> p99s = {};
};

// One of the two kinds of work.
struct Work {
  const char* scenario;
  const char* metric;
  const char* unit;
  std::function<Run()> ours;
  std::function<Run()> floor;
};

std::vector<std::string> programs_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("peer-") && entry.is_regular_file()) found.push_back(name.substr(5));
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The systems that are both requested and available. Without a request, all that are available.
std::vector<Peer> find_peers(const Options& options) {
  const fs::path folder = folder_of_peers(options);
  const std::vector<std::string> there = programs_in(folder);
  for (const std::string& system : options.systems) {
    if (std::find(there.begin(), there.end(), system) != there.end()) continue;
    if (std::find(systems.begin(), systems.end(), system) == systems.end()) {
      throw BadRequest(
          fmt::format("there is no system {}; there are: {}", system, fmt::join(systems, ", ")));
    }
    throw BadRequest(fmt::format("peer-{0} is not in {1}; as root: ./scripts/peers {0}", system,
                                 folder.string()));
  }
  std::vector<Peer> peers;
  for (const std::string& system : options.systems.empty() ? there : options.systems) {
    peers.push_back({system, folder / ("peer-" + system)});
  }
  return peers;
}

void tell_what_is_missing(const std::vector<Peer>& peers, Progress& progress) {
  std::vector<std::string> missing;
  for (const char* const system : systems) {
    const auto is_it = [&](const Peer& peer) { return peer.system == system; };
    if (std::none_of(peers.begin(), peers.end(), is_it)) missing.emplace_back(system);
  }
  if (missing.empty()) return;
  progress.clear();
  fmt::print(stderr, "coracle-bench: not built: {}; `./scripts/peers` as root adds them\n",
             fmt::join(missing, ", "));
}

// Runs a peer's program once.
Run play_peer(Peer& peer, const Work& work, const Options& options) {
  PeerFound found = OtherSystem{peer.system, peer.program}.play(
      work.scenario, options.size, options.interval(0.2, 1), options.pin ? 0 : -1);
  peer.version = found.version;
  peer.p50s.push_back(found.p50);
  peer.p99s.push_back(found.p99);
  return found.run;
}

Params params_of(const Options& options, const std::string& system, const std::string& version) {
  return {{"system", system},
          {"version", version},
          {"size", static_cast<std::int64_t>(options.size)},
          {"placement", std::string(options.pin ? "one processor" : "free")}};
}

// Reports the number of a peer, and our number divided by it.
void report(const Peer& peer, const Work& work, const Options& options,
            const std::vector<Run>& theirs, const std::vector<Run>& ours,
            std::vector<Metric>& metrics) {
  const Params params = params_of(options, peer.system, peer.version);
  Summary summary = summarize(theirs);
  summary.p50 = median(peer.p50s);
  summary.p99 = median(peer.p99s);
  metrics.push_back({work.metric, work.unit, params, summary, {}, peer.system});
  Params compared = params;
  compared.emplace_back("of", std::string(work.metric));
  metrics.push_back({"ratio_to_peer", "x", compared, ratio(ours, theirs), {}});
}

void measure(const Work& work, const Options& options, Progress& progress, std::vector<Peer> peers,
             std::vector<Metric>& metrics) {
  std::vector<std::function<Run()>> works{work.ours, work.floor};
  for (Peer& peer : peers) {
    works.emplace_back([&peer, &work, &options] { return play_peer(peer, work, options); });
  }
  const auto runs = interleave(options, progress, works);
  const Params params = params_of(options, "coracle", CORACLE_VERSION);
  for (Metric& metric : beside_floor(work.metric, work.unit, params, runs[0], runs[1])) {
    metrics.push_back(std::move(metric));
  }
  for (std::size_t i = 0; i < peers.size(); ++i) {
    report(peers[i], work, options, runs[i + 2], runs[0], metrics);
  }
}

void refuse_impossible(const Options& options) {
  if (options.realization.starts_with("local:")) {
    throw BadRequest("peers are measured between processes; choose distributed: or central:");
  }
  if (options.size < least_size_of_peers) {
    throw BadRequest(
        fmt::format("peers puts numbers into messages; --size is {} or more", least_size_of_peers));
  }
  if (!options.record.empty()) throw BadRequest("peers is not recorded; leave --record away");
}

}  // namespace

std::vector<Metric> run_peers(const Options& given, Progress& progress) {
  refuse_impossible(given);
  const std::vector<Peer> peers = find_peers(given);
  if (given.systems.empty()) tell_what_is_missing(peers, progress);
  Options options = given;
  options.processes = 2;
  options.seconds = given.interval(0.2, 1);  // the same for all systems
  const double brief = given.interval(0.05, 0.3);
  const Socket kind = socket_of(options.realization);
  const int processor = options.pin ? 0 : -1;
  const Work works[] = {
      {"pingpong", "rtt", "ns", [&] { return run_one_pingpong(options); },
       [&] { return floor_socket_round_trip(kind, options.size, brief, processor); }},
      {"flood", "rate", "messages/s", [&] { return run_one_flood(options); },
       [&] { return floor_socket_flood(kind, options.size, brief, processor); }},
  };
  std::vector<Metric> metrics;
  for (const Work& work : works) measure(work, options, progress, peers, metrics);
  return metrics;
}

}  // namespace coracle::bench
