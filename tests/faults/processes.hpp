// Processes of a test: each performs one function and ends, or is killed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <utility>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::test {

// A child of this process. Make it while this process has one thread.
class Process {
 public:
  // Runs `what` in the child; the child fails if that throws.
  explicit Process(const std::function<void()>& what) {
    std::fflush(nullptr);
    id_ = ::fork();
    if (id_ != 0) return;
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);  // no child survives an aborted test
    int code = 0;
    try {
      what();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "a process of the test has failed: %s\n", error.what());
      code = 1;
    }
    std::fflush(nullptr);
    ::_exit(code);
  }
  ~Process() { kill(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Waits for its end; returns whether it succeeded.
  bool wait() {
    int status = 0;
    if (id_ <= 0 || ::waitpid(std::exchange(id_, 0), &status, 0) < 0) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  // Halts it, and lets it go on.
  void halt() { ::kill(id_, SIGSTOP); }
  void go_on() { ::kill(id_, SIGCONT); }
  // Ends it without a warning.
  void kill() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    (void)wait();
  }

 private:
  pid_t id_ = 0;
};

// Signals from one process to others, as bytes in a pipe.
class Bell {
 public:
  Bell() {
    if (::pipe(ends_) != 0) std::abort();
  }
  ~Bell() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  void ring() { (void)!::write(ends_[1], "!", 1); }
  // Waits for the next ring.
  void await() {
    char byte = 0;
    (void)!::read(ends_[0], &byte, 1);
  }

 private:
  int ends_[2];
};

}  // namespace coracle::test
