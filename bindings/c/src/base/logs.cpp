// Log lines that wait for the program.
#include "convert.hpp"

#include "coracle/log.hpp"
#include "coracle/support/readable.hpp"

#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <system_error>

#include <sys/eventfd.h>

using namespace coracle;
using namespace coracle::c;

namespace {

class Lines {
 public:
  Lines() : there_are_some_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!there_are_some_)
      throw std::system_error(errno, std::generic_category(), "cannot make a descriptor for logs");
  }
  int descriptor() const noexcept { return there_are_some_.get(); }

  void add(const LogLine& line) noexcept {
    const std::lock_guard lock(mutex_);
    ++lost_;
    if (waiting_.size() == most) return;
    try {
      waiting_.push_back({line.level, std::string(line.part), std::string(line.text)});
      --lost_;
    } catch (const std::bad_alloc&) {
    }
    if (waiting_.size() == 1) (void)::eventfd_write(descriptor(), 1);
  }
  bool next(coracle_log_line& line) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty() && lost_ == 0) return false;
    if (waiting_.empty()) {
      shown_ = {LogLevel::warning, "node", std::to_string(lost_) + " lines of the log were lost"};
      lost_ = 0;
    } else {
      shown_ = std::move(waiting_.front());
      waiting_.pop_front();
    }
    eventfd_t count = 0;
    if (waiting_.empty() && lost_ == 0) (void)::eventfd_read(descriptor(), &count);
    line.level = static_cast<coracle_log_level>(shown_.level);
    line.part = shown_.part.c_str();
    line.text = shown_.text.c_str();
    return true;
  }

 private:
  static constexpr std::size_t most = 1000;
  struct Line {
    LogLevel level;
    std::string part, text;
  };

  const detail::Descriptor there_are_some_;
  std::mutex mutex_;  // guards what follows
  std::deque<Line> waiting_;
  std::size_t lost_ = 0;  // after those
  Line shown_;
};

std::mutex guard;
std::shared_ptr<Lines> open_lines;  // guarded by `guard`

}  // namespace

coracle_error* coracle_log_set(const char* levels) {
  return guarded([&] { set_log(text_of(levels, "coracle_log_set: `levels`")); });
}

coracle_error* coracle_log_open(int* descriptor) {
  return guarded([&] {
    if (descriptor == nullptr) fail_argument("coracle_log_open: `descriptor` is NULL");
    const std::lock_guard lock(guard);
    if (open_lines)
      fail(CORACLE_LIMIT_REACHED, "the log of this process is open already; close it first");
    open_lines = std::make_shared<Lines>();
    set_log_sink([lines = open_lines](const LogLine& line) noexcept { lines->add(line); });
    *descriptor = open_lines->descriptor();
  });
}

coracle_error* coracle_log_next(coracle_log_line* line, bool* is_there) {
  return guarded([&] {
    if (line == nullptr || is_there == nullptr)
      fail_argument("coracle_log_next: `line` or `is_there` is NULL");
    if (line->size < sizeof(coracle_log_line))
      fail_argument("coracle_log_line: the field `size` is not set; use CORACLE_INIT");
    const std::lock_guard lock(guard);
    if (!open_lines) fail(CORACLE_BAD_HANDLE, "the log is not open; call coracle_log_open() first");
    *is_there = open_lines->next(*line);
  });
}

void coracle_log_close() {
  coracle_error_free(guarded([&] {
    const std::lock_guard lock(guard);
    if (open_lines) set_log_sink(nullptr);
    open_lines.reset();
  }));
}
