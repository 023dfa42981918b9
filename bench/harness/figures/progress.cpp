#include "progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace coracle::bench {

Progress::Progress() : shown_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::begin(std::string_view what) {
  what_ = what;
  step({});
}

void Progress::step(std::string_view what) {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K{}{}{}", what_, what.empty() ? "" : ": ", what);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace coracle::bench
