// Couples of agents on two hosts: of two platforms, and of one society, which has no gateway
// between them; Figures 7 and 8 of the paper on the scalability of JADE's message transport. The
// hosts are network namespaces.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/progress.hpp"
#include "harness/run/options.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace coracle::bench {

// The hosts of the couples, as the parameter `placement`.
inline constexpr const char* on_one_host = "one host";
inline constexpr const char* on_two_hosts = "two hosts";

// Adds a `rtt` for each number of couples, each arrangement and each transport. Without namespaces,
// prints a line about that, and measures one host alone.
void measure_places(const Options& options, Progress& progress,
                    const std::vector<std::uint32_t>& couples, std::vector<Metric>& metrics);

}  // namespace coracle::bench
