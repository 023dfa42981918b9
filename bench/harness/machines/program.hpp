// Other programs that are measured.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

// Runs a program, waits for its end, and returns its output; its errors are shown as they come.
// With a negative `processor` the kernel places the program. When the function returns or fails,
// the program and all processes that it started are gone. Fails with NotDone when the program ends
// with another code than 0 or takes longer than `most_seconds`.
std::string output_of(const std::vector<std::string>& command, int processor, double most_seconds);

// A program that answers by lines to lines. It works in a folder of its own, and is gone with this
// object, as are all processes that it started, and the folder. Its errors are shown when it ends
// too early.
class Dialogue {
 public:
  // `environment`: names and values that are added to those of this process. Fails with NotDone.
  Dialogue(const std::vector<std::string>& command,
           const std::vector<std::pair<std::string, std::string>>& environment);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  // Writes a line to the program; `line` has no end of line.
  void tell(const std::string& line);
  // Returns the next line, without its end. Fails with NotDone when the program ends, or when no
  // line has come after so many seconds.
  std::string hear(double most_seconds);

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace coracle::bench
