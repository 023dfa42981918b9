// The common part of the programs of all systems: the command line, two processes, and the one line
// of JSON. Numbers are made as coracle-bench makes its own (counting.hpp).
//
// A program is called `peer-NAME pingpong|flood [--size 64] [--seconds 1]`. Some programs have
// further scenarios, which may take `[--pairs 1]`. With a system that uses TCP with an address of
// ours, the partner can be elsewhere: `[--address 127.0.0.1 --space DESCRIPTOR]`, with the
// descriptor of a network namespace. A program ends with 1, and without a number, if a message is
// missing, is there twice, or has another size.
#pragma once

#include "common/counting.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace peer {

// --- two processes ---

// A channel between the two, beside the measured system: for the place to connect to, and for the
// number of messages.
class Channel {
 public:
  explicit Channel(int socket) : socket_(socket) {}

  void tell(const std::string& text) {
    require(send(socket_, text.data(), text.size(), MSG_NOSIGNAL) >= 0, "the other process ended");
  }
  std::string hear() {
    std::string text(8192, '\0');
    ssize_t size = 0;
    do {
      size = recv(socket_, text.data(), text.size(), 0);
    } while (size < 0 && errno == EINTR);
    errno = 0;
    require(size > 0, "the other process ended");
    text.resize(static_cast<std::size_t>(size));
    return text;
  }
  // The partner has done its work. Returns when the other process has, too, so that nothing is
  // closed before.
  void finish(std::uint64_t count) {
    tell(std::to_string(count));
    hear();
  }

 private:
  int socket_;
};

// Makes a child end with its parent; call it in the child.
inline void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

// Another program that takes part, such as a server.
class Helper {
 public:
  // The program's output goes to `output`; nowhere without a descriptor.
  explicit Helper(const std::vector<std::string>& command, int output = -1) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    require(process_ >= 0, "fork");
    if (process_ > 0) return;
    end_with(parent);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(output < 0 ? nowhere : output, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(words[0], words.data());
    _exit(127);
  }
  ~Helper() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

 private:
  pid_t process_ = -1;
};

// Returns a port of loopback that no program uses now.
inline int free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  require(bind(probe, raw, length) == 0 && getsockname(probe, raw, &length) == 0, "bind");
  close(probe);
  return ntohs(address.sin_port);
}

// Work that only some systems do.
struct Scenario {
  // Sets the number of messages that the partner must have had.
  std::function<Result(const Work&, Channel&, std::uint64_t& count)> measure;
  std::function<void(const Work&, Channel&)> partner;
};

// A system, and its part of the work. The first process of each pair is this process and measures.
// The second is its partner and ends its part with channel.finish(), with the number of pings that
// it answered or of messages that it sent.
struct System {
  std::string name;
  std::function<std::string()> version;
  std::function<Result(Rounds&, const Work&, Channel&)> ping;
  std::function<void(const Work&, Channel&)> pong;
  std::function<Result(const Work&, Channel&)> drink;
  std::function<void(const Work&, Channel&)> pour;
  std::map<std::string, Scenario> others = {};
};

namespace detail {

inline Work read_work(int argc, char** argv, const std::map<std::string, Scenario>& others) {
  Work work;
  std::string usage = "usage: pingpong|flood";
  for (const auto& [name, scenario] : others) usage += "|" + name;
  usage += " [--size BYTES] [--seconds S]";
  if (!others.empty()) usage += " [--pairs N]";
  if (argc < 2 || argc % 2 != 0) throw Failure(usage);
  work.scenario = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--size") {
      work.size = std::strtoul(argv[i + 1], nullptr, 10);
    } else if (option == "--seconds") {
      work.seconds = std::strtod(argv[i + 1], nullptr);
    } else if (option == "--pairs") {
      work.pairs = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    } else if (option == "--address") {
      work.address = argv[i + 1];
    } else if (option == "--space") {
      work.space = std::atoi(argv[i + 1]);
    } else {
      throw Failure(usage);
    }
  }
  const bool is_known =
      work.scenario == "pingpong" || work.scenario == "flood" || others.count(work.scenario) > 0;
  if (!is_known || work.pairs < 1 || work.pairs > 200 || work.size < least_size ||
      !(work.seconds > 0 && work.seconds <= 3600)) {
    throw Failure(usage);
  }
  return work;
}

inline volatile pid_t partner = -1;

// A process that waits for a failed partner would wait for ever.
inline void on_child(int) {
  int status = 0;
  const int before = errno;
  const bool has_failed = partner > 0 && waitpid(partner, &status, WNOHANG) == partner;
  errno = before;
  if (has_failed) _exit(1);
}

inline Result measure(const System& system, const Work& work, Channel& channel) {
  Result result;
  std::uint64_t mine = 0;
  if (work.scenario == "pingpong") {
    Rounds rounds(work);
    result = system.ping(rounds, work, channel);
    mine = rounds.played();
  } else if (const auto other = system.others.find(work.scenario); other != system.others.end()) {
    result = other->second.measure(work, channel, mine);
  } else {
    result = system.drink(work, channel);
  }
  const std::uint64_t theirs = std::stoull(channel.hear());
  if (work.scenario != "flood" && mine != theirs) {
    throw Failure(std::to_string(mine) + " messages were sent, but " + std::to_string(theirs) +
                  " answered or read");
  }
  return result;
}

inline int play(const System& system, const Work& work) {
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "socketpair");
  const pid_t parent = getpid();
  const pid_t child = fork();
  require(child >= 0, "fork");
  Channel channel(ends[child == 0 ? 1 : 0]);
  close(ends[child == 0 ? 0 : 1]);
  if (child == 0) {
    end_with(parent);
    require(work.space < 0 || setns(work.space, CLONE_NEWNET) == 0, "setns");
    const auto other = system.others.find(work.scenario);
    const auto& part = other != system.others.end()  ? other->second.partner
                       : work.scenario == "pingpong" ? system.pong
                                                     : system.pour;
    part(work, channel);
    return 0;
  }
  partner = child;
  struct sigaction action {};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  sigaction(SIGCHLD, &action, nullptr);
  on_child(SIGCHLD);  // the child may have failed already
  const Result result = measure(system, work, channel);
  partner = -1;
  channel.tell("done");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the other process failed at its end");
  std::printf(R"({"system":"%s","version":"%s","scenario":"%s","value":%.6g,)"
              R"("p50":%.6g,"p99":%.6g,"n":%llu})"
              "\n",
              system.name.c_str(), system.version().c_str(), work.scenario.c_str(), result.value,
              result.p50, result.p99, static_cast<unsigned long long>(result.n));
  return 0;
}

}  // namespace detail

// The body of main().
inline int run(int argc, char** argv, const System& system) {
  try {
    const Work work = detail::read_work(argc, argv, system.others);
    alarm(static_cast<unsigned>(60 + 4 * work.seconds));  // ends a program that hangs
    return detail::play(system, work);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer-%s: no number: %s\n", system.name.c_str(), error.what());
    std::fflush(stderr);
    _exit(1);  // no library may wait for its threads now
  }
}

}  // namespace peer
