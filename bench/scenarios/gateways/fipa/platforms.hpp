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

#include <sys/types.h>

namespace coracle::bench {

// The way between two platforms.
struct FipaWay {
  std::string_view mtp = "http";  // one of transports()
  acl::Representation form = acl::Representation::string;
  std::shared_ptr<const Hosts> hosts = nullptr;  // of the platforms; none: this host
};

// The transports that this build can measure.
const std::vector<std::string_view>& transports();

// A node whose gateway makes it a platform; it has one worker, which also serves HTTP.
class FipaPlatform {
 public:
  FipaPlatform(const std::string& name, const FipaWay& way, const std::string& host = "127.0.0.1");

  Node& node() noexcept { return node_; }
  fipa::Gateway& gateway() noexcept { return gateway_; }

 private:
  http::Loop loop_;
  Node node_;
  fipa::Gateway gateway_;
};

// The second one of two platforms, which is in another process.
struct SecondPlatform {
  std::string address;
  pid_t process = -1;
};

// The result of a play.
struct Played {
  Run run;
  double cost = 0;  // processor time of both processes for each message, in ns
};

// Opens the platforms "first", in this process, and "second", in another one, which `furnish` gives
// its agents. Returns the result of `play`, which gets both. With two hosts, this process is on the
// first of them. By IIOP, the first platform has a process of its own, too, because an object
// request broker leaves threads; then the result has no samples.
Played on_two_platforms(const FipaWay& way, const std::function<void(FipaPlatform&)>& furnish,
                        const std::function<Played(FipaPlatform&, const SecondPlatform&)>& play);

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
