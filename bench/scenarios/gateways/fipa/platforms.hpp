// Two platforms of FIPA in two processes.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/hosts.hpp"
#include "harness/run/failures.hpp"

#include <coracle/acl/message.hpp>
#include <coracle/acl/representation.hpp>
#include <coracle/fipa/gateway.hpp>
#include <coracle/http/loop.hpp>
#include <coracle/node.hpp>
#include <coracle/port.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

// The way between two platforms.
struct FipaWay {
  std::string_view mtp = "http";  // one of transports()
  acl::Representation form = acl::Representation::string;
  std::shared_ptr<const Hosts> hosts = nullptr;  // of the platforms; none: this host
};

// The transports that this build can measure.
const std::vector<std::string_view>& transports();

// The letters that are sent before the first of them is answered: between gateways, and towards
// JADE, which is known to work with one.
inline constexpr std::size_t ahead_of_ours = 64;
inline constexpr std::size_t ahead_of_jade = 1;

// A node whose gateway makes it a platform; it has one worker, which also serves the transport.
class FipaPlatform {
 public:
  FipaPlatform(const std::string& name, const FipaWay& way, std::size_t ahead,
               const std::string& host = "127.0.0.1");

  Node& node() noexcept { return node_; }
  fipa::Gateway& gateway() noexcept { return gateway_; }

 private:
  http::Loop loop_;
  Node node_;
  fipa::Gateway gateway_;
};

// Opens the platforms "first", in this process, and "second", in another one, which `furnish` gives
// its agents. Returns the result of `play`, which gets the first platform and the second one's
// address. With two hosts, this process is on the first of them.
Run on_two_platforms(const FipaWay& way, const std::function<void(FipaPlatform&)>& furnish,
                     const std::function<Run(FipaPlatform&, const std::string&)>& play);

// The bytes of a message, and of the response to it, as they travel by HTTP.
std::size_t bytes_of_letter(const acl::Message& message, const FipaWay& way);
std::size_t bytes_of_response();

// Waits on the thread of a port. Fails with NotDone after a minute.
template <class Condition>
void wait_until(Port& port, const Condition& condition) {
  const Time latest = clock_now() + std::chrono::minutes(1);
  while (!condition()) {
    if (clock_now() > latest) throw NotDone("agents of two platforms take too long");
    (void)port.receive(Deadline(std::chrono::milliseconds(2)));
  }
}

}  // namespace coracle::bench
