// Writes down what a society does, on whichever realization: its messages, what became of them, the
// lives of its agents, the simulator's choices, and the times of all that.
// Contract: realizations/recording/tests.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace coracle::recording {

// Settings of a Recorder.
struct RecorderOptions {
  // How much may wait to be written, in bytes; whoever has more for it waits.
  std::size_t buffer_bytes = std::size_t{16} << 20;
  // How large the file may become.
  std::uint64_t file_bytes = std::uint64_t{4} << 30;
  // Whatever shall be known beside, such as the command that was recorded.
  std::map<std::string, std::string> notes = {};
};

class Tape;

// A recording under way. It is written by a thread of its own. When the disk fails, that is said,
// once, on the standard error output; the society goes on, and the recording remains incomplete.
// What record() and world() give keeps the recording open, so that a Recorder may go before them.
class Recorder {
 public:
  // Makes `file`. Fails with Errc::file_exists, Errc::no_such_file (its folder), Errc::disk_full,
  // Errc::disk_failed.
  explicit Recorder(const std::string& file, RecorderOptions options = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // The same realization, recorded.
  Realization record(Realization parts);
  // A world whose nodes are recorded, and whose choices are: what it records replays exactly.
  sim::World world(sim::Options options = {});
  // The same with choices of somebody else's.
  sim::World world(sim::Options options, std::unique_ptr<sim::Chooser> chooser);

  // Writes what there is and closes the file; what happens later is not in it. Fails with
  // Errc::disk_full or Errc::disk_failed when it is not complete. Without it, the file is closed
  // when nothing can be recorded any more.
  void close();
  // Why the recording is not complete; empty while nothing is wrong.
  std::string failure() const;

 private:
  std::shared_ptr<Tape> tape_;
};

}  // namespace coracle::recording
