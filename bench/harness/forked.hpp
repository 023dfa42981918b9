// Processes beside this one that do a part of the work.
#pragma once

#include <functional>
#include <vector>

#include <sys/types.h>

namespace coracle::bench {

class Partner {
 public:
  // Requires that this process has no other thread. The part has failed if it throws, and then this
  // process ends at once with exit code 1: it would wait for the other one forever. The other one
  // ends with this process.
  explicit Partner(const std::function<void()>& part);
  // Ends it if it still goes on.
  ~Partner();
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

  // Waits for its end.
  void wait();

 private:
  pid_t process_ = -1;
};

// Runs `measure` in a process of its own and gives the numbers that it returned there: what an
// earlier measurement has left in the heap would make the next one look smaller. Fails and requires
// what a Partner does.
std::vector<double> measured_in_child(const std::function<std::vector<double>()>& measure);

}  // namespace coracle::bench
