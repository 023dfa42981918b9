// Assigns the processor time of a process to the parts of the system: the second paper's Tables 2
// to 7.
#pragma once

#include <coracle/realization.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace coracle::bench {

enum class Part : std::uint8_t {
  rest,       // the workers' loops, and all that belongs to no other part
  agents,     // the agents' code, and the common part of the calls that they make
  messaging,  // transport, queues, links, sockets
  directory,
};

inline constexpr std::array parts = {Part::agents, Part::messaging, Part::directory, Part::rest};

const char* to_string(Part part) noexcept;

// This thread is in that part from now on.
void now_in(Part part) noexcept;

// The same realization; a thread in its transport, its queues or its directory is in that part. The
// work of a directory elsewhere is not seen here.
Realization with_parts(Realization realization);

// Processor time in ns, by part.
using PartTimes = std::array<double, parts.size()>;

// Notes at each millisecond of processor time the part of the thread; there may be one such clock
// at a time in a process.
class PartClock {
 public:
  PartClock();
  ~PartClock();
  PartClock(const PartClock&) = delete;
  PartClock& operator=(const PartClock&) = delete;

  // The times since the clock was made; together they are the processor time of the process.
  PartTimes times() const;

 private:
  double begin_;
};

}  // namespace coracle::bench
