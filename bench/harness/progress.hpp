// Shows on a terminal how far a run has come; says nothing anywhere else.
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

  // What is being measured from now on.
  void begin(std::string_view what);
  // A step of it.
  void step(std::string_view what);
  // Wipes the line, so that something else can be written.
  void clear();

 private:
  bool shown_;
  std::string what_;
};

}  // namespace coracle::bench
