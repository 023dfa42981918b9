// What the programs of all systems share: the command line, two processes, numbered messages, the
// counting, and the one line of JSON. Numbers are made as coracle-bench makes its own.
//
// A program is called `peer-NAME pingpong|flood [--size 64] [--seconds 1]`. It ends with 1, and
// without a number, if a message is missing, is there twice, or has another size.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace peer {

using Clock = std::chrono::steady_clock;

// Why there is no number.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Fails, with what the system says about it, unless all is well.
inline void require(bool is_well, const std::string& what) {
  if (!is_well) throw Failure(what + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

// What the command line asks for.
struct Work {
  std::string scenario;
  std::size_t size = 64;  // bytes of each message
  double seconds = 1;     // of what is measured; the warm-up comes before
};

// What was measured: of pingpong in ns for each round trip, of flood in messages per second.
struct Result {
  double value = 0;
  double p50 = 0;  // over batches
  double p99 = 0;
  std::uint64_t n = 0;  // round trips, or messages
};

inline Clock::duration span_of(double seconds) {
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

inline double nanoseconds(Clock::duration span) {
  return static_cast<double>(std::chrono::nanoseconds(span).count());
}

inline double percentile(std::vector<double> samples, double percent) {
  std::sort(samples.begin(), samples.end());
  const double rank = std::ceil(percent / 100 * static_cast<double>(samples.size()));
  return samples.at(rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1);
}

// --- messages: a number in the first eight bytes; in the farewell, a count in the next eight ---

inline constexpr std::uint64_t farewell = ~std::uint64_t{0};
inline constexpr std::size_t least_size = 2 * sizeof(std::uint64_t);

inline std::uint64_t number_of(const void* message, std::size_t place = 0) {
  std::uint64_t number = 0;
  std::memcpy(&number, static_cast<const char*>(message) + place * sizeof(number), sizeof(number));
  return number;
}

inline void set_number(void* message, std::uint64_t number, std::size_t place = 0) {
  std::memcpy(static_cast<char*>(message) + place * sizeof(number), &number, sizeof(number));
}

inline bool is_farewell(const void* message) { return number_of(message) == farewell; }

// --- ping-pong, as the pinger counts it ---

class Rounds {
 public:
  static constexpr std::uint64_t batch = 100;  // round trips for each look at the clock

  explicit Rounds(const Work& work) : work_(work) {}

  // Makes `ping` the next one.
  void stamp(void* ping) {
    if (number_ == 0) {
      before_ = Clock::now();
      begin_ = before_ + span_of(work_.seconds / 5);
      end_ = begin_ + span_of(work_.seconds);
    }
    set_number(ping, ++number_);
  }
  // Takes the answer to it. False: that was enough.
  bool take(const void* pong, std::size_t size) {
    if (size != work_.size || number_of(pong) != number_) {
      throw Failure("an answer is not that to the last ping");
    }
    if (number_ % batch != 0) return true;
    const Clock::time_point now = Clock::now();
    if (before_ >= begin_) {
      samples_.push_back(nanoseconds(now - before_) / batch);
      total_ += nanoseconds(now - before_);
    }
    before_ = now;
    return now < end_ || samples_.empty();
  }
  // All of them, those of the warm-up too.
  std::uint64_t played() const { return number_; }
  Result result() const {
    const std::uint64_t n = batch * samples_.size();
    return {total_ / static_cast<double>(n), percentile(samples_, 50), percentile(samples_, 99), n};
  }

 private:
  Work work_;
  Clock::time_point begin_;
  Clock::time_point end_;
  Clock::time_point before_;
  std::uint64_t number_ = 0;
  std::vector<double> samples_;
  double total_ = 0;
};

// --- flood: what the sender sends, and what the receiver counts ---

class Source {
 public:
  explicit Source(const Work& work) : seconds_(work.seconds * 1.25) {}

  // Makes `message` the next one. False: the time is over, and `message` is the farewell.
  bool fill(void* message) {
    if (sent_ == 0) end_ = Clock::now() + span_of(seconds_);
    if (sent_ % 256 == 0 && Clock::now() >= end_) {
      set_number(message, farewell);
      set_number(message, sent_, 1);
      return false;
    }
    set_number(message, ++sent_);
    return true;
  }
  std::uint64_t sent() const { return sent_; }

 private:
  double seconds_;
  Clock::time_point end_;
  std::uint64_t sent_ = 0;
};

class Intake {
 public:
  static constexpr std::uint64_t batch = 4096;  // messages for each look at the clock

  // The first part of the time is the warm-up; it begins with the first message.
  explicit Intake(const Work& work) : work_(work) {}

  // Takes a message. False: it was the farewell, and nothing was missing.
  bool take(const void* message, std::size_t size) {
    if (size != work_.size) throw Failure("a message has another size");
    const std::uint64_t number = number_of(message);
    if (number == farewell) {
      const std::uint64_t sent = number_of(message, 1);
      if (count_ != sent || sum_ != sent * (sent + 1) / 2) {
        throw Failure(std::to_string(sent) + " messages were sent, but " + std::to_string(count_) +
                      " or others arrived");
      }
      return false;
    }
    if (count_ == 0) marks_.push_back(Clock::now());
    sum_ += number;
    if (++count_ % batch == 0) marks_.push_back(Clock::now());
    return true;
  }
  std::uint64_t taken() const { return count_; }
  Result result() const {
    if (marks_.empty()) throw Failure("no message arrived");
    const Clock::time_point begin = marks_.front() + span_of(work_.seconds / 4);
    const auto first = std::lower_bound(marks_.begin(), marks_.end(), begin);
    if (marks_.end() - first < 2) throw Failure("too few messages arrived to measure anything");
    std::vector<double> samples;
    for (auto mark = first + 1; mark != marks_.end(); ++mark) {
      samples.push_back(batch * 1e9 / nanoseconds(*mark - *(mark - 1)));
    }
    const std::uint64_t n = batch * samples.size();
    const double value = static_cast<double>(n) * 1e9 / nanoseconds(marks_.back() - *first);
    return {value, percentile(samples, 50), percentile(samples, 99), n};
  }

 private:
  Work work_;
  std::vector<Clock::time_point> marks_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

// --- two processes ---

// Between the two, beside the system that is measured: where to connect, and how many there were.
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
  // The partner has done its work. Returns when the other one has, so that nothing is closed before.
  void finish(std::uint64_t count) {
    tell(std::to_string(count));
    hear();
  }

 private:
  int socket_;
};

// Makes a child end with its parent; to be called in the child.
inline void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

// Another program that takes part, such as a server. It has nothing to say.
class Helper {
 public:
  explicit Helper(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    require(process_ >= 0, "fork");
    if (process_ > 0) return;
    end_with(parent);
    if (std::freopen("/dev/null", "w", stdout) && std::freopen("/dev/null", "w", stderr)) {
      execvp(words[0], words.data());
    }
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

// A port of loopback that nobody uses now.
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

// A system, and its part of the work. The first process of each pair is this one and measures; the
// second is its partner and ends its part with channel.finish(), with the pings that it answered or
// the messages that it sent.
struct System {
  std::string name;
  std::function<std::string()> version;
  std::function<Result(Rounds&, const Work&, Channel&)> ping;
  std::function<void(const Work&, Channel&)> pong;
  std::function<Result(const Work&, Channel&)> drink;
  std::function<void(const Work&, Channel&)> pour;
};

namespace detail {

inline Work read_work(int argc, char** argv) {
  Work work;
  const char* const usage = "it is called: pingpong|flood [--size BYTES] [--seconds S]";
  if (argc < 2 || argc % 2 != 0) throw Failure(usage);
  work.scenario = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--size") {
      work.size = std::strtoul(argv[i + 1], nullptr, 10);
    } else if (option == "--seconds") {
      work.seconds = std::strtod(argv[i + 1], nullptr);
    } else {
      throw Failure(usage);
    }
  }
  const bool is_known = work.scenario == "pingpong" || work.scenario == "flood";
  if (!is_known || work.size < least_size || !(work.seconds > 0 && work.seconds <= 3600)) {
    throw Failure(usage);
  }
  return work;
}

inline volatile pid_t partner = -1;

// Whoever waits for a partner that has failed would wait for ever.
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
  } else {
    result = system.drink(work, channel);
  }
  const std::uint64_t theirs = std::stoull(channel.hear());
  if (work.scenario == "pingpong" && mine != theirs) {
    throw Failure(std::to_string(mine) + " pings were sent, but " + std::to_string(theirs) +
                  " answered");
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
    (work.scenario == "pingpong" ? system.pong : system.pour)(work, channel);
    return 0;
  }
  partner = child;
  struct sigaction action {};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  sigaction(SIGCHLD, &action, nullptr);
  on_child(SIGCHLD);  // it may have failed already
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

// What main() does.
inline int run(int argc, char** argv, const System& system) {
  try {
    const Work work = detail::read_work(argc, argv);
    alarm(static_cast<unsigned>(60 + 4 * work.seconds));  // nothing that hangs stays for ever
    return detail::play(system, work);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer-%s: no number: %s\n", system.name.c_str(), error.what());
    std::fflush(stderr);
    _exit(1);  // no library is to wait for its threads now
  }
}

}  // namespace peer
