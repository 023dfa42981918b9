#include "harness/forked.hpp"

#include "harness/failures.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

[[noreturn]] void measure_and_exit(const std::function<std::vector<double>()>& measure, int pipe) {
  int code = 1;
  try {
    const std::vector<double> values = measure();
    const std::size_t bytes = values.size() * sizeof(double);
    if (write(pipe, values.data(), bytes) == static_cast<ssize_t>(bytes)) code = 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle-bench: no number: {}\n", error.what());
  }
  std::fflush(stderr);
  _exit(code);
}

}  // namespace

std::vector<double> measured_in_child(const std::function<std::vector<double>()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw NotDone("no pipe could be made");
  std::fflush(nullptr);  // or the child would write it again
  malloc_trim(0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    measure_and_exit(measure, ends[1]);
  }
  close(ends[1]);
  std::vector<double> values(64);
  const ssize_t bytes =
      child < 0 ? -1 : read(ends[0], values.data(), values.size() * sizeof(double));
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  if (bytes <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw NotDone("the process that was to measure it failed");
  }
  values.resize(static_cast<std::size_t>(bytes) / sizeof(double));
  return values;
}

}  // namespace coracle::bench
