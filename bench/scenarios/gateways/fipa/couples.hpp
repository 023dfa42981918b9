// Couples of agents on two platforms of FIPA, as in the papers on JADE's message transport: each
// caller sends a request to its partner, and waits for the answer. All couples play before, during
// and after the measured interval.
#pragma once

#include "scenarios/gateways/fipa/platforms.hpp"

#include <coracle/acl/agent_id.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::bench {

inline constexpr std::uint32_t most_couples = 2000;

// One measurement.
struct CoupleLoad {
  FipaWay way = {};
  std::size_t content = 7;  // its bytes
  std::uint32_t couples = 1;
  double interval = 1;  // in seconds
};

// A content of that many bytes of ASCII.
std::string content_of(std::size_t bytes);
// The local name of a partner.
std::string partner_name(std::uint32_t number);
// Makes the callers on a platform, and measures the time of a round trip in ns, with a sample for
// each couple. Fails with NotDone if an answer is wrong. `other` is the process of the partners,
// for the cost; -1: there is none.
Played measure_callers(FipaPlatform& platform, const std::vector<acl::AgentId>& partners,
                       const CoupleLoad& load, pid_t other = -1);
// The same with both platforms, in two processes.
Played play_couples(const CoupleLoad& load);

// The bytes of a caller's request, as it travels by HTTP.
std::size_t bytes_of_request(const CoupleLoad& load);

}  // namespace coracle::bench
