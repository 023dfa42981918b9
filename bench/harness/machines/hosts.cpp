#include "hosts.hpp"

#include "harness/run/failures.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

constexpr unsigned between = 2;  // the number of the namespace that is no host

[[noreturn]] void fail(const char* what) {
  throw NotDone(fmt::format("hosts could not be made of network namespaces: {}: {}", what,
                            std::strerror(errno)));
}

int space_here() {
  const int space = open("/proc/self/ns/net", O_RDONLY);
  if (space < 0) fail("/proc/self/ns/net");
  return space;
}

// The namespace of this thread, to which it returns at the end.
class Home {
 public:
  Home() : space_(space_here()) {}
  ~Home() {
    if (setns(space_, CLONE_NEWNET) != 0) std::abort();
    close(space_);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

 private:
  const int space_;
};

bool succeeds(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Runs `ip` in the namespace of this thread.
void ip(const std::string& words) {
  errno = 0;
  if (!succeeds("ip " + words)) fail(("ip " + words).c_str());
}

}  // namespace

std::string Hosts::why_not() {
  if (geteuid() != 0) return "only root can make network namespaces";
  if (!succeeds("ip -V")) return "there is no command `ip` (package iproute2)";
  const Home home;
  if (unshare(CLONE_NEWNET) != 0) return "network namespaces cannot be made here";
  return succeeds("ip link add one type veth peer name two") ? ""
                                                             : "this kernel has no veth devices";
}

Hosts::Hosts(Subnets subnets) {
  const bool is_one = subnets == Subnets::one;
  const Home home;
  for (unsigned number = 0; number < spaces_.size(); ++number) make_space(number);
  for (unsigned host = 0; host < 2; ++host) {
    const unsigned subnet = is_one ? 0 : host;
    const std::string gateway = fmt::format("10.78.{}.254", subnet);
    addresses_[host] = fmt::format("10.78.{}.{}", subnet, host + 1);
    enter(between);
    ip(fmt::format("link add port{} type veth peer name eth0 netns /proc/{}/fd/{}", host, getpid(),
                   spaces_[host]));
    if (!is_one) ip(fmt::format("address add {}/24 dev port{}", gateway, host));
    enter(host);
    ip("link set lo up");
    ip(fmt::format("address add {}/24 dev eth0", addresses_[host]));
    ip("link set eth0 up");
    enter(between);
    ip(fmt::format("link set port{} up", host));
    if (!is_one) {
      enter(host);
      ip("route add default via " + gateway);
    }
  }
  enter(between);
  if (is_one) {
    ip("link add bridge type bridge");
    ip("link set bridge up");
    for (unsigned host = 0; host < 2; ++host)
      ip(fmt::format("link set port{} master bridge", host));
  } else if (!(std::ofstream("/proc/sys/net/ipv4/ip_forward") << "1" << std::flush)) {
    fail("/proc/sys/net/ipv4/ip_forward");
  }
}

Hosts::~Hosts() {
  for (const int space : spaces_) {
    if (space >= 0) close(space);
  }
}

void Hosts::make_space(unsigned number) {
  if (unshare(CLONE_NEWNET) != 0) fail("unshare");
  spaces_[number] = space_here();
}

void Hosts::enter(unsigned host) const {
  if (setns(spaces_.at(host), CLONE_NEWNET) != 0) fail("setns");
}

}  // namespace coracle::bench
