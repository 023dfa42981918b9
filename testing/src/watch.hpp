// Watches every message that a transport accepts.
#pragma once

#include "coracle/realization.hpp"
#include "coracle/testing/expectation.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string_view>

namespace coracle::testing::detail {

// Written into a trace at the end of a test, after which only its society ends.
inline constexpr std::string_view test_is_over = "the test is over";

// The messages seen. Safe to use from every thread.
class Watch {
 public:
  void add(Seen seen);
  // Returns the oldest message for which `fits` is true and that has met no expectation; if `take`,
  // the message then has met one.
  std::optional<Seen> find(const std::function<bool(const Seen&)>& fits, bool take);
  std::vector<Seen> all() const;
  void forget();
  // Waits a moment, or until a message is seen.
  void wait(Duration moment);

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Seen> seen_;
  std::uint64_t count_ = 0;
};

// Returns the same parts, with the transport watched.
Realization watched(Realization parts, std::shared_ptr<Watch> watch, std::shared_ptr<Clock> clock);

}  // namespace coracle::testing::detail
