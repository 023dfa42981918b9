// Sees every message that a transport accepts.
#pragma once

#include "coracle/realization.hpp"
#include "coracle/testing/expectation.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string_view>

namespace coracle::testing::detail {

// Written into a trace where a test has ended, and only its society still does.
inline constexpr std::string_view test_is_over = "the test is over";

// What was seen. Safe to use from every thread.
class Watch {
 public:
  void add(Seen seen);
  // The oldest message for which `fits` is true and that has met no expectation; it then has, if
  // `take`.
  std::optional<Seen> find(const std::function<bool(const Seen&)>& fits, bool take);
  std::vector<Seen> all() const;
  void forget();
  // Waits a moment, or until something is seen.
  void wait(Duration moment);

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Seen> seen_;
  std::uint64_t count_ = 0;
};

// The same parts, with the transport watched.
Realization watched(Realization parts, std::shared_ptr<Watch> watch, std::shared_ptr<Clock> clock);

}  // namespace coracle::testing::detail
