// Two hosts on this machine, made of network namespaces: on one subnet, or on two subnets with a
// router between them. The namespaces have no names, and end with the last process that uses them.
#pragma once

#include <array>
#include <string>

namespace coracle::bench {

class Hosts {
 public:
  enum class Subnets { one, two };

  // The reason why this process cannot make namespaces; empty if it can.
  static std::string why_not();
  // Requires why_not() to be empty. Fails with NotDone.
  explicit Hosts(Subnets subnets);
  ~Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;

  // Moves this thread, and everything that it starts from now on, to that host: the first (0) or
  // the second (1).
  void enter(unsigned host) const;
  const std::string& address(unsigned host) const { return addresses_.at(host); }
  // The descriptor of a host's namespace, which started programs inherit.
  int space(unsigned host) const { return spaces_.at(host); }

 private:
  void make_space(unsigned number);

  std::array<std::string, 2> addresses_;
  std::array<int, 3> spaces_ = {-1, -1, -1};  // of the hosts, and of the router between them
};

}  // namespace coracle::bench
