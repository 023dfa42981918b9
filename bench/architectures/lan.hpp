// Test agents on several hosts: one coordinator, and a worker on each other host. All of them are
// one society; the orders travel as its messages.
#pragma once

#include "architectures/lan_order.hpp"
#include "architectures/lan_watch.hpp"
#include "architectures/running.hpp"
#include "harness/run/measured_society.hpp"
#include "harness/run/options.hpp"

#include <coracle/realizations/central.hpp>
#include <coracle/realizations/distributed.hpp>

#include <atomic>
#include <cstdint>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::bench {

// The peers of a council that are spread over hosts.
struct Voters {
  std::string prefix;               // of their names, before a slash and their number
  std::vector<std::uint32_t> here;  // the numbers of those that the caller makes
};

// The coordinator, which is also a host: the first one.
class Lan {
 public:
  // Serves the society at options.listen, and returns when the workers that options.hosts asks for
  // have joined and reach each other. Fails with BadRequest when that is impossible, and with
  // NotDone when no worker came. When two hosts do not reach each other, now or later, or a worker
  // ends, this process ends with exit code 1 within 30 seconds and names these hosts.
  explicit Lan(const Options& options);
  ~Lan();

  // The number of hosts.
  unsigned hosts() const noexcept;
  // Runs the agents of a graph.
  Findings exchange(const Errand& errand);
  // Makes the peers of a council that live on other hosts, for one repeat.
  Voters call_voters(std::uint32_t count);
  // Waits until the agents on these hosts have counted `over` down. Agents on other nodes of this
  // process add to sent_beside().
  void wait_for(std::latch& over);
  std::atomic<std::uint64_t>& sent_beside() noexcept { return watch_.beside; }
  // The text that a further node of this host opens.
  const std::string& realization() const noexcept { return here_.realization; }
  // Sends the workers home. Fails with NotDone if messages were lost.
  void close();

 private:
  void begin_to_serve(const Options& options);
  void find_workers(std::uint32_t count);  // zero: all that come
  Order next_order(const std::string& make);

  Options here_;
  std::optional<distributed::DirectoryServer> directory_;
  std::optional<central::Server> clearinghouse_;
  Watch watch_;  // the agents of the society refer to it
  std::optional<Society> society_;
  std::vector<std::uint32_t> homes_;  // the hosts of the agents, if a file gives them
  std::uint32_t runs_ = 0;
};

// The command `coracle-bench worker`: joins the coordinator at options.join, carries out its
// orders, and returns when the coordinator has sent all workers home.
void work_for_lan(const Options& options);

}  // namespace coracle::bench
