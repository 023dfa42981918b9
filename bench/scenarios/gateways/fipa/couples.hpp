// Couples of agents on two platforms of FIPA, as in the papers on JADE's message transport: each
// caller sends a request to its partner, and waits for the answer. All couples play before, during
// and after the measured interval.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/machines/hosts.hpp"

#include <coracle/acl/agent_id.hpp>
#include <coracle/acl/representation.hpp>
#include <coracle/fipa/gateway.hpp>
#include <coracle/fipa/mtp.hpp>
#include <coracle/http/loop.hpp>
#include <coracle/node.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

inline constexpr std::uint32_t most_couples = 2000;

// What is measured at a time.
struct CoupleLoad {
  std::string_view mtp = "http";  // one of transports()
  acl::Representation form = acl::Representation::string;
  std::size_t content = 7;  // its bytes
  std::uint32_t couples = 1;
  double interval = 1;                           // in seconds
  std::shared_ptr<const Hosts> hosts = nullptr;  // of the platforms; none: this host
};

// The transports that this build can measure.
const std::vector<std::string_view>& transports();

// A node whose gateway makes it a platform; it has one worker, which also serves the transport.
class FipaPlatform {
 public:
  // `ahead`: the letters that are sent before the first of them is answered.
  FipaPlatform(const std::string& name, const CoupleLoad& load, std::size_t ahead,
               const std::string& host = "127.0.0.1");

  Node& node() noexcept { return node_; }
  fipa::Gateway& gateway() noexcept { return gateway_; }

 private:
  http::Loop loop_;
  Node node_;
  fipa::Gateway gateway_;
};

// Between gateways, and towards JADE, which is known to work with one.
inline constexpr std::size_t ahead_of_ours = 64;
inline constexpr std::size_t ahead_of_jade = 1;

// The local name of a partner.
std::string partner_name(std::uint32_t number);
// Makes the callers on a platform, and measures the time of a round trip in ns, with a sample for
// each couple. Fails with NotDone if an answer is wrong.
Run measure_callers(FipaPlatform& platform, const std::vector<acl::AgentId>& partners,
                    const CoupleLoad& load);
// The same with both platforms, in two processes.
Run play_couples(const CoupleLoad& load);

// The bytes of a request and of the response to it, as they travel by HTTP.
std::size_t bytes_of_letter(const CoupleLoad& load);
std::size_t bytes_of_response();

}  // namespace coracle::bench
