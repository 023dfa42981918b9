// Processes beside this one that do a part of the work.
#pragma once

#include <functional>
#include <vector>

#include <sys/types.h>

namespace coracle::bench {

class Partner {
 public:
  // Requires that this process has no other thread. The part has failed if it throws; then this
  // process ends at once with exit code 1, because it would wait for the other process forever. The
  // other process ends with this process.
  explicit Partner(const std::function<void()>& part);
  // Ends the process if it still runs.
  ~Partner();
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

  pid_t process() const noexcept { return process_; }
  // Waits for the end of the process.
  void wait();

 private:
  pid_t process_ = -1;
};

// Runs `measure` in a process of its own and returns the numbers that it returned there: the
// remains of an earlier measurement in the heap would make the next number look smaller. Fails as a
// Partner does, and has the same requirement.
std::vector<double> measured_in_child(const std::function<std::vector<double>()>& measure);

}  // namespace coracle::bench
