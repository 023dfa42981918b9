// Societies of the Distributed and the Central realization in a simulated world: all of them is
// real but the sockets and the time.
#pragma once

#include "coracle/policy.hpp"
#include "coracle/realizations/central.hpp"
#include "nodes.hpp"

#include <functional>
#include <memory>

namespace coracle::net {
struct Greeting;
}

namespace coracle::test {

// Which of the two.
enum class Linked : std::uint8_t { distributed, central };

// What a service lets its nodes do.
struct LinkedGuard {
  std::shared_ptr<const Policy> policy;  // nullptr: everybody may do everything
  // Adds to a node's greeting what a certificate would prove; may be empty.
  std::function<void(net::Greeting& greeting)> vouch;
  // The policy as people write it, of which nodes are told.
  std::string text = {};
};

// The directory service of such a society, or its clearinghouse, on a host on which nothing else
// is.
class LinkedDirectory {
 public:
  // `number` tells those of one society from each other.
  LinkedDirectory(sim::World& world, unsigned host, Linked kind = Linked::distributed,
                  std::uint32_t number = 0, const LinkedGuard& guard = {});
  ~LinkedDirectory();
  // The node on that host is the society's custodian.
  void let_keep(unsigned keeper);

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

// For a node on `host`, which had none, or has lost its power. The directory services are on other
// hosts, that which is best first. Of `options`, how it delivers and matches is what counts, and
// whether it lets others take over.
Realization linked_node(sim::World& world, unsigned host, std::vector<unsigned> directories,
                        Linked kind = Linked::distributed, const central::Options& options = {});
// Of a node that does.
central::Options letting_take_over();

// Nodes of one Distributed society, and its directory services on the hosts behind theirs.
class LinkedHosts : public Nodes {
 public:
  explicit LinkedHosts(unsigned count, std::uint64_t seed = 1, NodeOptions options = {})
      : LinkedHosts(settings(count, seed), std::move(options)) {}
  explicit LinkedHosts(const sim::Options& settings, NodeOptions options = {},
                       unsigned directories = 1);

  unsigned directory_host(unsigned number = 0) {
    return world().hosts() - static_cast<unsigned>(services_->size()) + number;
  }
  // The host of a directory service loses its power, and what it knew; another service begins.
  void crash_directory(unsigned number = 0);
  void restart_directory(unsigned number = 0);

 private:
  using Services = std::shared_ptr<std::vector<std::unique_ptr<LinkedDirectory>>>;
  LinkedHosts(const sim::Options& settings, NodeOptions options, const Services& services);

  const Services services_;
};

}  // namespace coracle::test
