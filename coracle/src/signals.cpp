#include "coracle/signals.hpp"

#include "coracle/errors.hpp"
#include "runtime/node/node_core.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <thread>

namespace coracle {

namespace {

constexpr char by_signal = 's', by_end = 'e';

// Catches SIGINT and SIGTERM, each once, while this object exists; a signal wakes the thread in
// wait().
class Alarm {
 public:
  Alarm() {
    if (::pipe2(pipe_, O_CLOEXEC) != 0)
      throw Error(Errc::limit_reached,
                  "no descriptors are left to wait for a signal with; close some, or raise ulimit "
                  "-n");
    wake_by_signal = pipe_[1];
    struct sigaction once {};
    once.sa_handler = [](int) { say(wake_by_signal, by_signal); };
    once.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &once, &before_[i]);
  }
  ~Alarm() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  void ring() const { say(pipe_[1], by_end); }
  char wait() const {
    char why = by_end;
    while (::read(pipe_[0], &why, 1) < 0 && errno == EINTR) {
    }
    return why;
  }

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM};

  static void say(int pipe, char why) {
    const int before = errno;
    (void)!::write(pipe, &why, 1);
    errno = before;
  }

  // A signal handler can reach the pipe only through a static variable.
  static inline std::atomic<int> wake_by_signal{-1};
  int pipe_[2] = {-1, -1};
  struct sigaction before_[2]{};
};

// Wakes the thread that waits for the alarm, also when an exception comes first.
class AtEnd {
 public:
  explicit AtEnd(const Alarm& alarm) noexcept : alarm_(alarm) {}
  ~AtEnd() { alarm_.ring(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  const Alarm& alarm_;
};

}  // namespace

class EarlySignals::Impl {
 public:
  Impl() { current = &alarm_; }
  ~Impl() { current = nullptr; }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static inline std::atomic<const Alarm*> current{nullptr};

 private:
  const Alarm alarm_;
};

EarlySignals::EarlySignals() : impl_(std::make_unique<Impl>()) {}
EarlySignals::~EarlySignals() = default;

bool wait_until_signal(Node& node) {
  std::optional<Alarm> own;
  const Alarm* const early = EarlySignals::Impl::current;
  const Alarm& alarm = early != nullptr ? *early : own.emplace();
  std::atomic<bool> is_told = false;
  {
    const std::jthread listening([&] {
      while (alarm.wait() == by_signal) {
        is_told = true;
        node.core().agents().look_again_who_waits();
      }
    });
    const AtEnd rings(alarm);
    node.core().agents().wait_for_end(&is_told);
  }
  return is_told;
}

StopReport run_until_signal(Node& node, Deadline deadline) {
  (void)wait_until_signal(node);
  return node.stop(deadline);
}

}  // namespace coracle
