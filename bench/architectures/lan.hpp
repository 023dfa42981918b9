// Test agents on several hosts: one coordinator, and a worker on each of the others. They are one
// society; what is to be done travels as messages of it.
#pragma once

#include "architectures/lan_order.hpp"
#include "architectures/lan_watch.hpp"
#include "architectures/running.hpp"
#include "harness/options.hpp"
#include "harness/society.hpp"

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

// The coordinator, which is a host too: the first one.
class Lan {
 public:
  // Serves the society at options.listen, and returns when the workers that options.hosts asks for
  // have joined and reach each other. Fails with BadRequest when that cannot be, and with NotDone
  // when nobody came. When two hosts do not reach each other, now or later, or a worker ends, this
  // process ends with exit code 1 within 30 seconds and says which ones it were.
  explicit Lan(const Options& options);
  ~Lan();

  // How many hosts there are.
  unsigned hosts() const noexcept;
  // Runs the agents of a graph.
  Findings exchange(const Errand& errand);
  // Makes the peers of a council that live on other hosts, for one repeat.
  Voters call_voters(std::uint32_t count);
  // Waits for what agents do on these hosts. Those of a node that is not this one's add to
  // sent_beside().
  void wait_for(std::latch& over);
  std::atomic<std::uint64_t>& sent_beside() noexcept { return watch_.beside; }
  // What a further node of this host opens.
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
  std::vector<std::uint32_t> homes_;  // of agents, if a file says so
  std::uint32_t runs_ = 0;
};

// What `coracle-bench worker` does: joins the coordinator at options.join, does what it says, and
// returns when it has sent everybody home.
void work_for_lan(const Options& options);

}  // namespace coracle::bench
