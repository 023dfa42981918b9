// Societies of the Distributed and the Central realization in a simulated world: everything is real
// except the sockets and the time.
#pragma once

#include "coracle/policy.hpp"
#include "coracle/realizations/central.hpp"
#include "nodes.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coracle::net {
struct Greeting;
}

namespace coracle::test {

// The realization.
enum class Linked : std::uint8_t { distributed, central };

// Returns what nodes and services on this thread have logged since the last call about nodes that
// send what they must not. Honest nodes send nothing of the kind, whatever links and hosts do.
std::vector<std::string> take_accusations();

// The permissions that a service gives its nodes.
struct LinkedGuard {
  std::shared_ptr<const Policy> policy;  // nullptr: everybody may do everything
  // Adds to a node's greeting the name that a certificate would prove; may be empty.
  std::function<void(net::Greeting& greeting)> vouch;
  // The text of the policy, which nodes receive.
  std::string text = {};
};

// The directory service of such a society, or its clearinghouse, on a host of its own.
class LinkedDirectory {
 public:
  // `number` distinguishes several services of one society.
  LinkedDirectory(sim::World& world, unsigned host, Linked kind = Linked::distributed,
                  std::uint32_t number = 0, const LinkedGuard& guard = {});
  ~LinkedDirectory();
  // The node on that host is the society's message store.
  void let_keep(unsigned store);
  // Replaces the policy, and sends the new one to the nodes. The guard had a policy.
  void set_policy(const std::string& text);

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

// The parts of a node on `host`, which had no node or has lost its power. The directory services
// are on other hosts, the best one first. From `options`, only delivery, matching and the
// permission to take over have an effect.
Realization linked_node(sim::World& world, unsigned host, std::vector<unsigned> directories,
                        Linked kind = Linked::distributed, const central::Options& options = {});
// The options of a node that permits takeovers.
central::Options letting_take_over();

// Nodes of one Distributed society, and its directory services on the hosts after the nodes' hosts.
class LinkedHosts : public Nodes {
 public:
  explicit LinkedHosts(unsigned count, std::uint64_t seed = 1, NodeOptions options = {})
      : LinkedHosts(settings(count, seed), std::move(options)) {}
  explicit LinkedHosts(const sim::Options& settings, NodeOptions options = {},
                       unsigned directories = 1);

  unsigned directory_host(unsigned number = 0) {
    return world().hosts() - static_cast<unsigned>(services_->size()) + number;
  }
  // The host of a directory service loses its power, and the service its data; another service
  // starts.
  void crash_directory(unsigned number = 0);
  void restart_directory(unsigned number = 0);

 private:
  using Services = std::shared_ptr<std::vector<std::unique_ptr<LinkedDirectory>>>;
  LinkedHosts(const sim::Options& settings, NodeOptions options, const Services& services);

  const Services services_;
};

}  // namespace coracle::test
