// Test agents on several hosts: one coordinator, and a worker on each of the others. They are one
// society; what is to be done travels as messages of it.
#pragma once

#include "architectures/running.hpp"
#include "harness/options.hpp"
#include "harness/society.hpp"

#include <coracle/realizations/central.hpp>
#include <coracle/realizations/distributed.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::bench {

// The coordinator, which is a host too: the first one.
class Lan {
 public:
  // Serves the society at options.listen, and returns when the workers that options.hosts asks for
  // have joined. Fails with BadRequest when that cannot be, and with NotDone when nobody came.
  explicit Lan(const Options& options);
  ~Lan();

  // How many hosts there are.
  unsigned hosts() const noexcept;
  // Runs the agents of a graph. When a worker ends meanwhile, this process ends with exit code 1
  // and says which one it was.
  Findings exchange(const Errand& errand);
  // Sends the workers home. Fails with NotDone if messages were lost.
  void close();

 private:
  void begin_to_serve(const Options& options);
  void find_workers(std::uint32_t count);  // zero: all that come

  Options here_;
  std::optional<distributed::DirectoryServer> directory_;
  std::optional<central::Server> clearinghouse_;
  std::optional<Society> society_;
  std::vector<std::string> workers_;
  std::vector<std::uint32_t> homes_;  // of agents, if a file says so
  std::atomic<bool> is_closing_{false};
  std::atomic<std::uint64_t> sent_{0};
  std::uint32_t runs_ = 0;
};

// What `coracle-bench worker` does: joins the coordinator at options.join, does what it says, and
// returns when it has sent everybody home.
void work_for_lan(const Options& options);

}  // namespace coracle::bench
