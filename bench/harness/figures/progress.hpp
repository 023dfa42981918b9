// Shows on a terminal the progress of a run; prints nothing anywhere else.
#pragma once

#include <string>
#include <string_view>

namespace coracle::bench {

// One line on standard error that is written over and over.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Sets the name of the present measurement.
  void begin(std::string_view what);
  // Shows a step of the measurement.
  void step(std::string_view what);
  // Clears the line, so that something else can be written.
  void clear();

 private:
  bool shown_;
  std::string what_;
};

}  // namespace coracle::bench
