#include "floor/floors.hpp"
#include "floor/stream.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/host.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

// Sends every frame back until the other end closes.
void echo(int socket, std::size_t bytes) {
  std::vector<char> frame(bytes);
  while (read_all(socket, frame) && write_all(socket, frame)) {
  }
}

constexpr std::size_t bytes_at_once = 64 * 1024;

// Sends until the other end closes.
void pour(int socket, std::size_t bytes) {
  const std::vector<char> frames(std::max(bytes_at_once / bytes, std::size_t{1}) * bytes, 'x');
  while (write_all(socket, frames)) {
  }
}

Run drink(int socket, std::size_t bytes, double interval) {
  std::vector<char> some(bytes_at_once);
  const Time start = clock_now();
  std::uint64_t taken = 0;
  Time now = start;
  while (now - start < seconds(interval)) {
    for (int i = 0; i < 16; ++i) {
      const ssize_t more = recv(socket, some.data(), some.size(), 0);
      if (more <= 0) fail_floor("recv");
      taken += static_cast<std::uint64_t>(more);
    }
    now = clock_now();
  }
  Run run;
  run.n = taken / bytes;
  run.value = static_cast<double>(run.n) / (nanoseconds(now - start) / 1e9);
  run.samples.push_back(run.value);
  return run;
}

Run measure(int socket, std::size_t bytes, double interval) {
  constexpr int batch = 100;
  std::vector<char> frame(bytes, 'x');
  Run run;
  const Time start = clock_now();
  Time before = start;
  while (before - start < seconds(interval)) {
    for (int i = 0; i < batch; ++i) {
      if (!write_all(socket, frame) || !read_all(socket, frame)) fail_floor("echo");
    }
    const Time after = clock_now();
    run.samples.push_back(nanoseconds(after - before) / batch);
    run.n += batch;
    before = after;
  }
  run.value = nanoseconds(before - start) / static_cast<double>(run.n);
  return run;
}

// One end belongs to another process until this process closes its own end.
Run between_processes(const std::function<Ends()>& connect, int processor,
                      const std::function<void(int)>& there, const std::function<Run(int)>& here) {
  cpu_set_t before;
  sched_getaffinity(0, sizeof(before), &before);
  Run run;
  pid_t child = -1;
  {
    Ends ends = connect();
    bind_to_processor(processor);  // the child inherits it
    child = fork();
    if (child < 0) fail_floor("fork");
    if (child == 0) {
      close(ends.first.number());
      there(ends.second.number());
      _exit(0);
    }
    { const Descriptor unused = std::move(ends.second); }
    run = here(ends.first.number());
  }
  waitpid(child, nullptr, 0);
  sched_setaffinity(0, sizeof(before), &before);
  return run;
}

}  // namespace

Socket socket_of(std::string_view realization) {
  if (realization.starts_with("central://")) return Socket::tcp;
  const bool by_tcp = realization.find("listen=") != std::string_view::npos &&
                      realization.find("listen=unix") == std::string_view::npos;
  return by_tcp ? Socket::tcp : Socket::unix_domain;
}

Run floor_socket_round_trip(Socket kind, std::size_t bytes, double interval, int processor) {
  return between_processes(
      [kind] { return connected(kind); }, processor, [bytes](int socket) { echo(socket, bytes); },
      [bytes, interval](int socket) { return measure(socket, bytes, interval); });
}

Run floor_socket_round_trip(const Hosts& hosts, std::size_t bytes, double interval) {
  return between_processes(
      [&hosts] { return connected(hosts); }, -1, [bytes](int socket) { echo(socket, bytes); },
      [bytes, interval](int socket) { return measure(socket, bytes, interval); });
}

Run floor_socket_flood(Socket kind, std::size_t bytes, double interval, int processor) {
  return between_processes(
      [kind] { return connected(kind); }, processor, [bytes](int socket) { pour(socket, bytes); },
      [bytes, interval](int socket) { return drink(socket, bytes, interval); });
}

}  // namespace coracle::bench
