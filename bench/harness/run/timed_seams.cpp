#include "timed_seams.hpp"

#include "harness/figures/stats.hpp"
#include "harness/figures/timing.hpp"

#include <coracle/transport_filter.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

// The time between two looks at the clock with nothing in between: the median of many.
std::uint64_t nothing_ns() {
  static const std::uint64_t usual = [] {
    std::vector<double> found;
    for (int i = 0; i < 10'000; ++i) {
      const Time before = clock_now();
      found.push_back(nanoseconds(clock_now() - before));
    }
    return static_cast<std::uint64_t>(median(std::move(found)));
  }();
  return usual;
}

class Stopwatch {
 public:
  explicit Stopwatch(std::atomic<std::uint64_t>& sum) : sum_(sum), begin_(clock_now()) {}
  ~Stopwatch() {
    const auto passed = static_cast<std::uint64_t>((clock_now() - begin_).count());
    sum_.fetch_add(passed - std::min(passed, nothing_ns()), std::memory_order_relaxed);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  std::atomic<std::uint64_t>& sum_;
  Time begin_;
};

class TimedTransport final : public TransportFilter {
 public:
  TimedTransport(std::shared_ptr<Transport> inner, std::shared_ptr<SeamTimes> times)
      : TransportFilter(std::move(inner)), times_(std::move(times)) {}

  Verdict try_carry(Envelope& envelope) override {
    const Stopwatch watch(times_->transport_ns);
    return next_->try_carry(envelope);
  }

 private:
  std::shared_ptr<SeamTimes> times_;
};

class TimedQueue final : public Queue {
 public:
  TimedQueue(std::unique_ptr<Queue> inner, std::shared_ptr<SeamTimes> times)
      : inner_(std::move(inner)), times_(std::move(times)) {}

  void put(Envelope envelope) override {
    const Stopwatch watch(times_->queue_ns);
    inner_->put(std::move(envelope));
  }
  void put_back(Envelope envelope) override { inner_->put_back(std::move(envelope)); }
  Envelope take(const Match& match) override {
    const Stopwatch watch(times_->queue_ns);
    return inner_->take(match);
  }
  std::size_t count(const Match& match) const override { return inner_->count(match); }
  void each(const std::function<void(const Envelope&)>& show) const override { inner_->each(show); }
  std::size_t size() const noexcept override { return inner_->size(); }
  std::size_t bytes() const noexcept override { return inner_->bytes(); }

 private:
  std::unique_ptr<Queue> inner_;
  std::shared_ptr<SeamTimes> times_;
};

}  // namespace

Realization timed(Realization realization, Seam seam, std::shared_ptr<SeamTimes> times) {
  nothing_ns();
  if (seam == Seam::transport) {
    realization.transport =
        std::make_shared<TimedTransport>(std::move(realization.transport), std::move(times));
    return realization;
  }
  realization.queue = [make = std::move(realization.queue), times](const Name& owner) {
    return std::make_unique<TimedQueue>(make(owner), times);
  };
  return realization;
}

}  // namespace coracle::bench
