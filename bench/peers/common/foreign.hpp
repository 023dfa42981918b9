// Systems whose programs are not in C++: each program prints a count and a list of times.
#pragma once

#include "common/peer.hpp"

#include <sstream>

namespace peer {

struct Printed {
  std::uint64_t count = 0;
  std::vector<double> times;  // ns
};

// Runs a program to its end: "4096 [12,34]".
inline Printed printed_by(const std::vector<std::string>& command) {
  int ends[2];
  require(pipe2(ends, O_CLOEXEC) == 0, "pipe");
  const Helper program(command, ends[1]);
  close(ends[1]);
  std::string text;
  char some[4096];
  ssize_t size = 0;
  while ((size = read(ends[0], some, sizeof(some))) > 0) {
    text.append(some, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  for (char& c : text) {
    if (c == '[' || c == ']' || c == ',') c = ' ';
  }
  std::istringstream words(text);
  Printed printed;
  if (!(words >> printed.count)) throw Failure("the first process printed: " + text.substr(0, 500));
  for (double time = 0; words >> time;) printed.times.push_back(time);
  return printed;
}

}  // namespace peer
