// The limits of the tasks that a gateway keeps.
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>

namespace coracle::a2a {

// Beyond a limit for tasks, the one that has ended and was changed longest ago is dropped; if none
// has ended, a new one is refused.
struct TaskLimits {
  // The tasks in all, those of one caller, and those of one caller that have not ended.
  std::size_t tasks = 100'000;
  std::size_t tasks_per_caller = 10'000;
  std::size_t unfinished_per_caller = 1'000;
  // The messages and the artifacts of one task, and the bytes of both and of its changes. A task
  // beyond them fails.
  std::size_t messages = 1'000;
  std::size_t artifacts = 1'000;
  std::size_t bytes_per_task = std::size_t{16} << 20;
  // The bytes of all tasks, and of those of one caller.
  std::size_t bytes = std::size_t{512} << 20;
  std::size_t bytes_per_caller = std::size_t{128} << 20;
  // The changes of a task that are kept for clients that come back, their bytes, and their age.
  std::size_t events = 10'000;
  std::size_t event_bytes = std::size_t{4} << 20;
  Duration events_for = std::chrono::minutes(10);
  // The places that are notified of changes: those of one task, of one caller, and of all tasks.
  std::size_t pushes_per_task = 10;
  std::size_t pushes_per_caller = 1'000;
  std::size_t pushes = 10'000;
  // The bytes that wait for the clients of streams, which take them slowly: those of all callers,
  // and those of one. A stream beyond them is closed.
  std::size_t stream_bytes = std::size_t{512} << 20;
  std::size_t stream_bytes_per_caller = std::size_t{128} << 20;
  // The agents that one message may be for.
  std::size_t group_members = 64;
  // The time for which a task is kept after its end.
  Duration ended_for = std::chrono::hours(1);
};

}  // namespace coracle::a2a
