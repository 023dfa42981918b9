#include "floor/floors.hpp"
#include "harness/failures.hpp"
#include "harness/host.hpp"
#include "harness/timing.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

[[noreturn]] void fail(const char* call) {
  throw NotDone(std::string("the socket floor could not be measured: ") + call + ": " +
                std::strerror(errno));
}

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number_ < 0) fail("socket");
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

using Ends = std::pair<Descriptor, Descriptor>;

Ends connect_tcp() {
  const Descriptor listener(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener.number(), raw, length) != 0) fail("bind");
  if (listen(listener.number(), 1) != 0) fail("listen");
  if (getsockname(listener.number(), raw, &length) != 0) fail("getsockname");
  Descriptor near(socket(AF_INET, SOCK_STREAM, 0));
  if (connect(near.number(), raw, length) != 0) fail("connect");
  Descriptor far(accept(listener.number(), nullptr, nullptr));
  const int on = 1;
  for (const int end : {near.number(), far.number()}) {
    if (setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) fail("setsockopt");
  }
  return {std::move(near), std::move(far)};
}

Ends connect_unix() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool write_all(int socket, const std::vector<char>& frame) {
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t some = send(socket, frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
    if (some <= 0) return false;
    done += static_cast<std::size_t>(some);
  }
  return true;
}

bool read_all(int socket, std::vector<char>& frame) {
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t some = recv(socket, frame.data() + done, frame.size() - done, 0);
    if (some <= 0) return false;
    done += static_cast<std::size_t>(some);
  }
  return true;
}

// Sends every frame back until the other end closes.
[[noreturn]] void echo(int socket, std::size_t bytes) {
  std::vector<char> frame(bytes);
  while (read_all(socket, frame) && write_all(socket, frame)) {
  }
  _exit(0);
}

Run measure(int socket, std::size_t bytes, double interval) {
  constexpr int batch = 100;
  std::vector<char> frame(bytes, 'x');
  Run run;
  const Time start = clock_now();
  Time before = start;
  while (before - start < seconds(interval)) {
    for (int i = 0; i < batch; ++i) {
      if (!write_all(socket, frame) || !read_all(socket, frame)) fail("echo");
    }
    const Time after = clock_now();
    run.samples.push_back(nanoseconds(after - before) / batch);
    run.n += batch;
    before = after;
  }
  run.value = nanoseconds(before - start) / static_cast<double>(run.n);
  return run;
}

}  // namespace

Run floor_socket_round_trip(Socket kind, std::size_t bytes, double interval, int processor) {
  cpu_set_t before;
  sched_getaffinity(0, sizeof(before), &before);
  Run run;
  pid_t child = -1;
  {
    Ends ends = kind == Socket::tcp ? connect_tcp() : connect_unix();
    bind_to_processor(processor);  // the child inherits it
    child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
      close(ends.first.number());
      echo(ends.second.number(), bytes);
    }
    { const Descriptor unused = std::move(ends.second); }
    run = measure(ends.first.number(), bytes, interval);
  }
  waitpid(child, nullptr, 0);
  sched_setaffinity(0, sizeof(before), &before);
  return run;
}

}  // namespace coracle::bench
