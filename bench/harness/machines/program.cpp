#include "program.hpp"

#include "coracle/support/descriptor.hpp"
#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"
#include "host.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

using coracle::detail::Descriptor;

// A program with the processes that it started: a group of processes, whose orphans become our
// children.
class Group {
 public:
  Group(const std::vector<std::string>& command, int processor, int output) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t parent = getpid();
    leader_ = fork();
    if (leader_ < 0) throw NotDone("another process could not be made");
    if (leader_ > 0) {
      setpgid(leader_, leader_);  // parent and child both call it, so that neither is too late
      return;
    }
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    bind_to_processor(processor);
    dup2(output, STDOUT_FILENO);
    execv(words[0], words.data());
    std::perror(words[0]);
    _exit(127);
  }
  ~Group() {
    // A process that is just making a child can escape one signal, so the signal is repeated until
    // none is left.
    do {
      kill(-leader_, SIGKILL);
    } while (waitpid(-leader_, nullptr, 0) > 0 || errno == EINTR);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // Becomes readable when the program has ended.
  int end() const { return static_cast<int>(syscall(SYS_pidfd_open, leader_, 0)); }
  // Requires that the program has ended; the destructor reaps it.
  int code() const {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOWAIT);
    return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  }

 private:
  pid_t leader_ = -1;
};

// Reads the available output.
void drain(int output, std::string& text) {
  std::array<char, 4096> some{};
  ssize_t size = 0;
  while ((size = read(output, some.data(), some.size())) > 0) {
    text.append(some.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

std::string output_of(const std::vector<std::string>& command, int processor, double most_seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw NotDone("no pipe could be made");
  const Descriptor output(ends[0]);
  const Descriptor input(ends[1]);  // our end stays open: the end of the program counts
  fcntl(input.get(), F_SETFL, 0);
  const Group group(command, processor, input.get());
  const Descriptor end(group.end());
  if (end.get() < 0) throw NotDone("the kernel is too old to wait for a program (pidfd_open)");
  const Time deadline = clock_now() + seconds(most_seconds);
  std::string text;
  while (true) {
    std::array<pollfd, 2> awaited{{{output.get(), POLLIN, 0}, {end.get(), POLLIN, 0}}};
    const double left = nanoseconds(deadline - clock_now()) / 1e6;
    if (left <= 0) {
      throw NotDone(fmt::format("{} did not end within {} s", command.front(), most_seconds));
    }
    poll(awaited.data(), awaited.size(), static_cast<int>(left) + 1);
    drain(output.get(), text);
    if (awaited[1].revents != 0) break;
  }
  drain(output.get(), text);
  if (const int code = group.code(); code != 0) {
    throw NotDone(fmt::format("{} ended with {}", command.front(), code));
  }
  return text;
}

}  // namespace coracle::bench
