// The programs of bench/peers, which do the same work on other systems.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/run/options.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

// Some messages of these programs hold numbers and counts.
inline constexpr std::size_t least_size_of_peers = 16;

// The output of a program.
struct PeerFound {
  Run run;
  std::string version;
  double p50 = 0;
  double p99 = 0;
};

// One of these programs.
struct OtherSystem {
  std::string name;
  std::filesystem::path program;

  // Runs the program once, with its second process on the second of two hosts if there are two.
  // Fails with NotDone unless the program prints the number of that scenario.
  PeerFound play(std::string_view scenario, std::size_t size, double seconds, int processor,
                 std::uint32_t pairs = 1, const Hosts* hosts = nullptr) const;
};

// The folder of the programs: options.peers, CORACLE_PEERS, or build/peers/bin beside this build.
std::filesystem::path folder_of_peers(const Options& options);
// The program of that name, if it exists.
std::optional<OtherSystem> other_system(const Options& options, std::string_view name);

}  // namespace coracle::bench
