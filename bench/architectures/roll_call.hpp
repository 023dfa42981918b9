// Whether every host of a run reaches every other one, by what its workers report; without any
// message in it. Tests: bench/tests/roll_call_test.cpp.
#pragma once

#include <coracle/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::bench {

// A worker as a person finds it.
struct Station {
  std::string name;     // of its agent
  std::string address;  // where the other hosts connect to it

  // "worker/ann-17 (192.0.2.8)".
  std::string to_string() const;
};

// One round: the coordinator calls each worker, which calls each other one and reports.
class RollCall {
 public:
  explicit RollCall(const std::vector<Station>& workers);

  // A worker has reported the numbers of those that did not answer it.
  void reported(std::size_t worker, const std::vector<std::uint32_t>& silent);
  // A worker has not reported in time.
  void missed(std::size_t worker);
  // Whether each worker has reported or was missed.
  bool is_over() const noexcept { return left_ == 0; }
  // The failure of a round that is over, as a sentence that names those it concerns and says what
  // to do; empty if everybody reaches everybody.
  std::string failure() const;

 private:
  std::vector<std::string> cut_pairs() const;

  const std::vector<Station>& workers_;
  std::vector<std::optional<std::vector<std::uint32_t>>> reports_;
  std::size_t left_;
};

// Notices that nothing moves any more.
class Standstill {
 public:
  // So many moves were made until now; whether there was no further one for longer than `limit`.
  bool lasts(std::uint64_t moves, Time now, Duration limit);
  // From now on there is something to be done.
  void forget() { since_.reset(); }

 private:
  std::optional<Time> since_;
  std::uint64_t moves_ = 0;
};

}  // namespace coracle::bench
