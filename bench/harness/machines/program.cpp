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
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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
  // `prepare` is called in the new process.
  Group(const std::vector<std::string>& command, const std::function<void()>& prepare) {
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
    prepare();
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
  const Group group(command, [&] {
    bind_to_processor(processor);
    dup2(input.get(), STDOUT_FILENO);
  });
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

namespace {

// Two sockets that are connected; writing to one whose other end is closed sends no signal.
struct Link {
  Link() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw NotDone("no pair of sockets could be made");
    ours = Descriptor(ends[0]);
    theirs = Descriptor(ends[1]);
  }
  Descriptor ours, theirs;
};

class Folder {
 public:
  Folder() : path_("/tmp/coracle-bench-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw NotDone("no folder could be made in /tmp");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace

struct Dialogue::State {
  State(const std::vector<std::string>& command,
        const std::vector<std::pair<std::string, std::string>>& environment)
      : name(command.front()), group(command, [&] {
          for (const auto& [key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
          if (chdir(folder.path().c_str()) != 0) _exit(126);
          dup2(link.theirs.get(), STDIN_FILENO);
          dup2(link.theirs.get(), STDOUT_FILENO);
          dup2(creat(errors, 0600), STDERR_FILENO);
        }) {
    link.theirs = Descriptor();
  }

  // The end of what the program has written to its standard error.
  std::string last_errors() const {
    std::ifstream file(folder.path() + '/' + errors);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    constexpr std::size_t most = 500;
    return text.size() > most ? text.substr(text.size() - most) : text;
  }

  static constexpr const char* errors = "errors";
  const std::string name;
  const Folder folder;
  Link link;
  const Group group;  // ends before the folder is removed
  std::string heard;
};

Dialogue::Dialogue(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment)
    : state_(std::make_unique<State>(command, environment)) {}

Dialogue::~Dialogue() = default;

void Dialogue::tell(const std::string& line) {
  const std::string text = line + '\n';
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t size = send(state_->link.ours.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (size <= 0) throw NotDone(state_->name + " takes no more commands");
    left.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string Dialogue::hear(double most_seconds) {
  const Time deadline = clock_now() + seconds(most_seconds);
  std::string& heard = state_->heard;
  std::array<char, 4096> some{};
  while (heard.find('\n') == heard.npos) {
    pollfd awaited{state_->link.ours.get(), POLLIN, 0};
    const double left = nanoseconds(deadline - clock_now()) / 1e6;
    if (left <= 0)
      throw NotDone(fmt::format("{} has not answered within {} s", state_->name, most_seconds));
    if (poll(&awaited, 1, static_cast<int>(left) + 1) <= 0) continue;
    const ssize_t size = recv(awaited.fd, some.data(), some.size(), 0);
    if (size <= 0) throw NotDone(state_->name + " has ended; " + state_->last_errors());
    heard.append(some.data(), static_cast<std::size_t>(size));
  }
  const std::size_t end = heard.find('\n');
  std::string line = heard.substr(0, end);
  heard.erase(0, end + 1);
  return line;
}

}  // namespace coracle::bench
