#include "harness/forked.hpp"

#include "harness/failures.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

Partner::Partner(const std::function<void()>& part) {
  std::fflush(nullptr);  // or the child would write it again
  process_ = fork();
  if (process_ > 0) return;
  if (process_ < 0) throw NotDone("another process could not be made");
  int code = 0;
  try {
    part();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle-bench: no number: {}\n", error.what());
    code = 1;
  }
  std::fflush(nullptr);
  _exit(code);
}

Partner::~Partner() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Partner::wait() {
  int status = 0;
  waitpid(std::exchange(process_, -1), &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw NotDone("another process that took part in it failed");
  }
}

std::vector<double> measured_in_child(const std::function<std::vector<double>()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw NotDone("no pipe could be made");
  malloc_trim(0);
  Partner child([&] {
    close(ends[0]);
    const std::vector<double> values = measure();
    const std::size_t bytes = values.size() * sizeof(double);
    if (write(ends[1], values.data(), bytes) != static_cast<ssize_t>(bytes)) {
      throw NotDone("its numbers could not be written to a pipe");
    }
  });
  close(ends[1]);
  std::vector<double> values(64);
  const ssize_t bytes = read(ends[0], values.data(), values.size() * sizeof(double));
  close(ends[0]);
  child.wait();
  if (bytes <= 0) throw NotDone("the process that was to measure it said nothing");
  values.resize(static_cast<std::size_t>(bytes) / sizeof(double));
  return values;
}

}  // namespace coracle::bench
