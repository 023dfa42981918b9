#include "lines/lines.hpp"

#include "coracle/errors.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace coracle::mcp {

void LineWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LineWriter::write(std::string line) {
  line += '\n';
  {
    const std::lock_guard lock(mutex_);
    if (has_failed_ || is_ending_) return;
    if (bytes_ + line.size() > most_waiting) {
      has_failed_ = true;
      lines_.clear();
    } else {
      bytes_ += line.size();
      lines_.push_back(std::move(line));
    }
  }
  changed_.notify_one();
}

bool LineWriter::has_failed() const {
  const std::lock_guard lock(mutex_);
  return has_failed_;
}

std::size_t LineWriter::waiting() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void LineWriter::run() {
  // A reader that is gone is an error of write(), and no signal that ends the program.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_ending_ || has_failed_ || !lines_.empty(); });
    if (has_failed_ || lines_.empty()) return;
    // Everything that waits is written at once.
    std::string all;
    for (const std::string& each : lines_) all += each;
    lines_.clear();
    lock.unlock();
    const bool is_written = write_all(all);
    lock.lock();
    bytes_ -= all.size();
    if (!is_written) has_failed_ = true;
  }
}

bool LineWriter::write_all(std::string_view text) {
  while (!text.empty()) {
    pollfd ready{file_, POLLOUT, 0};
    const int found = ::poll(&ready, 1, 1000);
    if (found < 0 && errno != EINTR) return false;
    if (found <= 0) {
      const std::lock_guard lock(mutex_);
      if (is_ending_) return false;
      continue;
    }
    // A pipe that is ready takes this much without a wait.
    const std::size_t piece = std::min<std::size_t>(text.size(), 4096);
    const ::ssize_t written = ::write(file_, text.data(), piece);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool LineReader::next(std::string& line) {
  line.clear();
  for (;;) {
    const std::size_t end = buffer_.find('\n', at_);
    const std::size_t to = std::min(end, buffer_.size());
    const std::size_t room = most_ + 1 - std::min(line.size(), most_ + 1);
    line.append(buffer_, at_, std::min(to - at_, room));
    at_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (end != std::string::npos) return true;
    if (!fill()) return !line.empty();
  }
}

bool LineReader::fill() {
  at_ = 0;
  buffer_.resize(std::size_t{64} * 1024);
  ::ssize_t got = -1;
  for (;;) {
    if (is_over_ != nullptr) {
      pollfd ready{file_, POLLIN, 0};
      const int found = ::poll(&ready, 1, 200);
      if (*is_over_) got = 0;
      if (*is_over_ || (found < 0 && errno != EINTR)) break;
      if (found <= 0) continue;
    }
    got = ::read(file_, buffer_.data(), buffer_.size());
    if (got >= 0 || errno != EINTR) break;
  }
  buffer_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (got < 0)
    throw Error(Errc::disconnected, "the messages of the other side cannot be read: " +
                                        std::generic_category().message(errno));
  return got > 0;
}

}  // namespace coracle::mcp
