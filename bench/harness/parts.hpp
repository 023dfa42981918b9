// To which part of the system a process gives its processor time: the second paper's Tables 2 to 7.
#pragma once

#include <coracle/realization.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace coracle::bench {

enum class Part : std::uint8_t {
  rest,       // the workers' loops, and what nobody claims
  agents,     // the agents' code, and what is the same everywhere of the calls that they make
  messaging,  // transport, queues, links, sockets
  directory,
};

inline constexpr std::array parts = {Part::agents, Part::messaging, Part::directory, Part::rest};

const char* to_string(Part part) noexcept;

// This thread is in that part from now on.
void now_in(Part part) noexcept;

// The same realization; whoever is in its transport, its queues or its directory is in that part.
// What a directory elsewhere does is not seen here.
Realization with_parts(Realization realization);

// Processor time in ns, by part.
using PartTimes = std::array<double, parts.size()>;

// Looks each millisecond of processor time in which part its thread is; one at a time in a process.
class PartClock {
 public:
  PartClock();
  ~PartClock();
  PartClock(const PartClock&) = delete;
  PartClock& operator=(const PartClock&) = delete;

  // Since it was made; together the processor time of the process.
  PartTimes times() const;

 private:
  double begin_;
};

}  // namespace coracle::bench
