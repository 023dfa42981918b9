#include "forked.hpp"

#include "harness/run/failures.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

#include <malloc.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

// The partners whose failure ends this process; a free entry holds 0.
std::array<std::atomic<pid_t>, 1024> partners;

void on_child(int) {
  const int before = errno;
  for (const std::atomic<pid_t>& place : partners) {
    const pid_t partner = place.load();
    siginfo_t info{};
    if (partner == 0) continue;
    if (waitid(P_PID, static_cast<id_t>(partner), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
      continue;
    if (info.si_pid == 0 || (info.si_code == CLD_EXITED && info.si_status == 0)) continue;
    constexpr std::string_view text =
        "coracle-bench: no number: another process that took part in it failed\n";
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    _exit(written > 0 ? 1 : 3);
  }
  errno = before;
}

void watch(pid_t partner) {
  struct sigaction action {};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, nullptr);
  for (std::atomic<pid_t>& place : partners) {
    pid_t free = 0;
    if (place.compare_exchange_strong(free, partner)) break;
  }
  on_child(SIGCHLD);  // the child may have failed already
}

void forget(pid_t partner) {
  for (std::atomic<pid_t>& place : partners) {
    if (place.load() == partner) place = 0;
  }
}

}  // namespace

Partner::Partner(const std::function<void()>& part) {
  std::fflush(nullptr);  // otherwise the child would write the buffer again
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ > 0) {
    watch(process_);
    return;
  }
  if (process_ < 0) throw NotDone("another process could not be made");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
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
  forget(process_);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Partner::wait() {
  const pid_t process = std::exchange(process_, -1);
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) break;
  }
  on_child(SIGCHLD);  // after a failure of the child, nothing follows
  forget(process);
  waitpid(process, nullptr, 0);
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
  if (bytes <= 0) throw NotDone("the measuring process sent no numbers");
  values.resize(static_cast<std::size_t>(bytes) / sizeof(double));
  return values;
}

}  // namespace coracle::bench
