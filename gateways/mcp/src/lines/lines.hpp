// Messages on lines, by files such as pipes.
// Tests: gateways/mcp/tests/stdio_test.cpp
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace coracle::mcp {

// Writes lines on a thread of its own, so that a slow reader holds up nobody. May be used from any
// thread.
class LineWriter {
 public:
  // The bytes that may wait for a reader; beyond, nothing is written any more.
  static constexpr std::size_t most_waiting = std::size_t{64} << 20;

  explicit LineWriter(int file) : file_(file), thread_([this] { run(); }) {}
  LineWriter(const LineWriter&) = delete;
  ~LineWriter() { finish(); }

  // Does nothing after finish().
  void write(std::string line);
  // Writes the lines that wait, and leaves a reader that does not take them. The file is not used
  // any more afterwards. For one thread, the one that ends the writer.
  void finish();
  // Returns whether the reader is gone, or too slow.
  bool has_failed() const;
  // The bytes that wait for the reader, or are being written.
  std::size_t waiting() const;

 private:
  void run();
  bool write_all(std::string_view text);

  const int file_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
  bool is_ending_ = false, has_failed_ = false;
  std::thread thread_;
};

// Reads lines. Of a line that is too long, one byte more than `most` is kept.
class LineReader {
 public:
  // Once `is_over` is true, if it is given, the end is reached within 200 ms.
  LineReader(int file, std::size_t most, const std::atomic<bool>* is_over = nullptr)
      : file_(file), most_(most), is_over_(is_over) {}

  // The next line, without its end; false at the end. Fails with Errc::disconnected.
  bool next(std::string& line);

 private:
  bool fill();

  const int file_;
  const std::size_t most_;
  const std::atomic<bool>* const is_over_;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace coracle::mcp
