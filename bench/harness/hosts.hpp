// Two hosts on this machine, made of network namespaces: on one subnet, or on two with a router
// between them. They have no names, and are gone with the last process that knows them.
#pragma once

#include <array>
#include <string>

namespace coracle::bench {

class Hosts {
 public:
  enum class Subnets { one, two };

  // Why this process cannot make any; empty if it can.
  static std::string why_not();
  // Requires why_not() to be empty. Fails with NotDone.
  explicit Hosts(Subnets subnets);
  ~Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;

  // This thread, and what it begins from now on, is on that host: the first (0) or the second (1).
  void enter(unsigned host) const;
  const std::string& address(unsigned host) const { return addresses_.at(host); }
  // The descriptor of a host's namespace, which programs that are begun inherit.
  int space(unsigned host) const { return spaces_.at(host); }

 private:
  void make_space(unsigned number);

  std::array<std::string, 2> addresses_;
  std::array<int, 3> spaces_ = {-1, -1, -1};  // of the hosts, and of what is between them
};

}  // namespace coracle::bench
