// Determines from the workers' reports whether every host of a run reaches every other one; without
// any message in it. Tests: bench/tests/roll_call_test.cpp.
#pragma once

#include <coracle/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::bench {

// A worker, with what a person needs to find it.
struct Station {
  std::string name;     // of its agent
  std::string address;  // the address at which the other hosts connect to it

  // "worker/ann-17 (192.0.2.8)".
  std::string to_string() const;
};

// One round: the coordinator calls each worker, which calls each other one and reports.
class RollCall {
 public:
  explicit RollCall(const std::vector<Station>& workers);

  // A worker has reported the numbers of the workers that did not answer it.
  void reported(std::size_t worker, const std::vector<std::uint32_t>& silent);
  // A worker has not reported in time.
  void missed(std::size_t worker);
  // Returns whether each worker has reported or was missed.
  bool is_over() const noexcept { return left_ == 0; }
  // The failure of a round that is over, as a sentence that names the workers concerned and the
  // remedy; empty if all workers reach each other.
  std::string failure() const;

 private:
  std::vector<std::string> cut_pairs() const;

  const std::vector<Station>& workers_;
  std::vector<std::optional<std::vector<std::uint32_t>>> reports_;
  std::size_t left_;
};

// Notices that no agent makes progress any more.
class Standstill {
 public:
  // `moves` is the number of moves until now; returns whether there was no further move for longer
  // than `limit`.
  bool lasts(std::uint64_t moves, Time now, Duration limit);
  // From now on there is work to be done.
  void forget() { since_.reset(); }

 private:
  std::optional<Time> since_;
  std::uint64_t moves_ = 0;
};

}  // namespace coracle::bench
