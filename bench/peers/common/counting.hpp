// The work and its counts: numbered messages, round trips in batches, messages per second.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace peer {

using Clock = std::chrono::steady_clock;

// The reason why there is no number.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Fails, with the system's error text, unless `is_well`.
inline void require(bool is_well, const std::string& what) {
  if (!is_well) throw Failure(what + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

// The settings of the command line.
struct Work {
  std::string scenario;
  std::size_t size = 64;  // bytes of each message
  double seconds = 1;     // of the measured part; the warm-up comes before
  unsigned pairs = 1;     // pairs of agents, where a scenario has more than one
  // The place where the partner listens, and the descriptor of its network namespace; -1: this
  // namespace.
  std::string address = "127.0.0.1";
  int space = -1;
};

// The measured result: for pingpong in ns for each round trip, for flood in messages per second.
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

// --- ping-pong, as counted by the pinger ---

// The result from the means of batches, in ns.
inline Result result_of_rounds(const std::vector<double>& samples, std::uint64_t batch) {
  if (samples.empty()) throw Failure("no batch was measured");
  const double total = std::accumulate(samples.begin(), samples.end(), 0.0);
  return {total / static_cast<double>(samples.size()), percentile(samples, 50),
          percentile(samples, 99), batch * samples.size()};
}

class Rounds {
 public:
  static constexpr std::uint64_t batch = 100;  // round trips for each look at the clock

  explicit Rounds(const Work& work) : work_(work) {}

  // Turns `ping` into the next ping.
  void stamp(void* ping) {
    if (number_ == 0) {
      before_ = Clock::now();
      begin_ = before_ + span_of(work_.seconds / 5);
      end_ = begin_ + span_of(work_.seconds);
    }
    set_number(ping, ++number_);
  }
  // Takes the answer to the ping. Returns false when no more are needed.
  bool take(const void* pong, std::size_t size) {
    if (size != work_.size || number_of(pong) != number_) {
      throw Failure("an answer is not that to the last ping");
    }
    if (number_ % batch != 0) return true;
    const Clock::time_point now = Clock::now();
    if (before_ >= begin_) samples_.push_back(nanoseconds(now - before_) / batch);
    before_ = now;
    return now < end_ || samples_.empty();
  }
  // The number of all round trips, those of the warm-up too.
  std::uint64_t played() const { return number_; }
  Result result() const { return result_of_rounds(samples_, batch); }

 private:
  Work work_;
  Clock::time_point begin_;
  Clock::time_point end_;
  Clock::time_point before_;
  std::uint64_t number_ = 0;
  std::vector<double> samples_;
};

// --- flood: the messages that the sender sends, and the count of the receiver ---

class Source {
 public:
  explicit Source(const Work& work) : seconds_(work.seconds * 1.25) {}

  // Makes `message` the next one. Returns false when the time is over, and `message` is the
  // farewell.
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

// The result from the times in ns at which the first message and then each whole batch arrived. The
// first part of the time is the warm-up.
inline Result result_of_marks(const std::vector<double>& marks, std::uint64_t batch,
                              const Work& work) {
  if (marks.empty()) throw Failure("no message arrived");
  const double begin = marks.front() + work.seconds / 4 * 1e9;
  const auto first = std::lower_bound(marks.begin(), marks.end(), begin);
  if (marks.end() - first < 2) throw Failure("too few messages arrived to measure anything");
  std::vector<double> samples;
  for (auto mark = first + 1; mark != marks.end(); ++mark) {
    samples.push_back(static_cast<double>(batch) * 1e9 / (*mark - *(mark - 1)));
  }
  const std::uint64_t n = batch * samples.size();
  const double value = static_cast<double>(n) * 1e9 / (marks.back() - *first);
  return {value, percentile(samples, 50), percentile(samples, 99), n};
}

class Intake {
 public:
  static constexpr std::uint64_t batch = 4096;  // messages for each look at the clock

  explicit Intake(const Work& work) : work_(work) {}

  // Takes a message. Returns false when it was the farewell, and nothing was missing.
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
    if (count_ == 0) mark();
    sum_ += number;
    if (++count_ % batch == 0) mark();
    return true;
  }
  std::uint64_t taken() const { return count_; }
  Result result() const { return result_of_marks(marks_, batch, work_); }

 private:
  void mark() { marks_.push_back(nanoseconds(Clock::now().time_since_epoch())); }

  Work work_;
  std::vector<double> marks_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace peer
