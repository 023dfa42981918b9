// Societies of the Distributed and the Central realization in a simulated world: all of them is
// real but the sockets and the time.
#pragma once

#include "nodes.hpp"

#include <memory>

namespace coracle::test {

// Which of the two.
enum class Linked : std::uint8_t { distributed, central };

// The directory service of such a society, or its clearinghouse, on a host on which nothing else
// is.
class LinkedDirectory {
 public:
  LinkedDirectory(sim::World& world, unsigned host, Linked kind = Linked::distributed);
  ~LinkedDirectory();

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

// For a node on `host`, which had none, or has lost its power. The directory service is on another
// host.
Realization linked_node(sim::World& world, unsigned host, unsigned directory,
                        Linked kind = Linked::distributed);

// Nodes of one Distributed society, and its directory service on the host behind theirs.
class LinkedHosts final : public Nodes {
 public:
  explicit LinkedHosts(unsigned count, std::uint64_t seed = 1, NodeOptions options = {})
      : LinkedHosts(settings(count, seed), std::move(options)) {}
  explicit LinkedHosts(sim::Options settings, NodeOptions options = {});

  unsigned directory_host() { return world().hosts() - 1; }
  // The host of the directory service loses its power, and what it knew; another service begins.
  void crash_directory();
  void restart_directory();

 private:
  using Service = std::shared_ptr<std::unique_ptr<LinkedDirectory>>;
  LinkedHosts(const sim::Options& settings, NodeOptions options, const Service& service);

  const Service service_;
};

}  // namespace coracle::test
