// Writes down the events of a society, on any realization: its messages and their outcomes, the
// incarnations of its agents, the simulator's choices, and the times of all these.
// Tests: realizations/recording/tests.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace coracle::recording {

// Settings of a Recorder.
struct RecorderOptions {
  // The largest amount of data that may wait to be written, in bytes; a thread that has more waits.
  std::size_t buffer_bytes = std::size_t{16} << 20;
  // The largest size of the file.
  std::uint64_t file_bytes = std::uint64_t{4} << 30;
  // Only messages from and to agents that an operator has marked are recorded, and only events of
  // these agents (OperatorAct::record); such a recording does not replay.
  bool only_marked = false;
  // Writes each message and each event before the agent that caused it goes on, so that they are in
  // the file even if the process ends suddenly in the next moment. It takes much time.
  bool at_once = false;
  // Further information for the file, such as the command that was recorded.
  std::map<std::string, std::string> notes = {};
};

class Tape;

// A recording under way. A thread of its own writes it. When the disk fails, an error is printed
// once on the standard error output; the society goes on, and the recording remains incomplete. The
// results of record() and world() keep the recording open, so a Recorder may be destroyed before
// them.
class Recorder {
 public:
  // Creates `file`. Fails with Errc::file_exists, Errc::no_such_file (its folder), Errc::disk_full,
  // Errc::disk_failed.
  explicit Recorder(const std::string& file, RecorderOptions options = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Returns the same realization, recorded.
  Realization record(Realization parts);
  // Makes a world whose nodes and choices are recorded: such a recording replays exactly.
  sim::World world(sim::Options options = {});
  // The same with the choices of `chooser`.
  sim::World world(sim::Options options, std::unique_ptr<sim::Chooser> chooser);

  // Writes everything that waits and closes the file; later events are not recorded. Fails with
  // Errc::disk_full or Errc::disk_failed when the recording is not complete. Without this call, the
  // file is closed when nothing can be recorded any more.
  void close();
  // The reason why the recording is not complete; empty when nothing has failed.
  std::string failure() const;

 private:
  bool only_marked_;
  std::shared_ptr<Tape> tape_;
};

}  // namespace coracle::recording
