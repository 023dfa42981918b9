#include "errand.hpp"

#include "quote.hpp"

#include "coracle/realizations/open.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

namespace coracle::command {

namespace {

// What goes wrong ends the command.
class Errand final : public Agent {
 public:
  using What = std::function<Task<>(Agent&)>;
  Errand(What what, std::exception_ptr& error) : what_(std::move(what)), error_(error) {}
  Task<> run() override {
    try {
      Task<> doing = what_(*this);
      co_await doing;
    } catch (...) {
      error_ = std::current_exception();
    }
  }

 private:
  What what_;
  std::exception_ptr& error_;
};

// Whoever waits here is woken by SIGINT and SIGTERM, so that an agent that goes on for ever leaves
// in order. Until there is one, these end the program as they always do.
class Ends {
 public:
  Ends() {
    if (::pipe2(pipe_, O_CLOEXEC) != 0) throw Error(Errc::limit_reached, "no descriptors are left");
    wake_by_signal = pipe_[1];
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { wake(); });
  }
  ~Ends() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }
  static void wake() { (void)!::write(wake_by_signal, "", 1); }
  void wait() {
    char byte = 0;
    while (::read(pipe_[0], &byte, 1) < 0 && errno == EINTR) {
    }
  }

 private:
  // A handler of signals can find it nowhere else.
  static inline volatile std::sig_atomic_t wake_by_signal = -1;
  int pipe_[2] = {-1, -1};
};

}  // namespace

StopReport do_as(const Place& place, const std::string& name, std::function<Task<>(Agent&)> what) {
  std::exception_ptr error;
  Node node(open(place.realization));
  node.adopt(name, std::make_unique<Errand>(std::move(what), error));
  Ends ends;
  std::atomic<bool> is_done = false;
  std::jthread waiting([&] {
    node.wait();
    is_done = true;
    Ends::wake();
  });
  ends.wait();
  const bool was_told_to = !is_done;
  StopReport report = node.stop();
  waiting.join();
  if (error && !was_told_to) std::rethrow_exception(error);
  return report;
}

namespace {

void print_at_once(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace

void print_line(const std::string& line) { print_at_once(detail::shown(line)); }

void print_json(const std::string& json) { print_at_once(detail::shown_json(json)); }

}  // namespace coracle::command
