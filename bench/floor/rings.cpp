#include "floor/floors.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/host.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

namespace coracle::bench {

namespace {

struct alignas(64) Line {
  std::uint64_t number = 0;
  char content[56] = {};
};

constexpr std::uint64_t last = ~std::uint64_t{0};

// One producer, one consumer; each side publishes when it has nothing more to do for now.
class LineRing {
 public:
  // Puts a line in; the other side sees the line after publish(). Waits while the ring is full.
  void put(std::uint64_t number) {
    while (written_ - read_by_other_ == lines_.size()) {
      publish();
      read_by_other_ = taken_.load(std::memory_order_acquire);
      if (written_ - read_by_other_ == lines_.size()) std::this_thread::yield();
    }
    Line& line = lines_[written_++ % lines_.size()];
    line.number = number;
    std::memset(line.content, static_cast<int>(number & 0xff), sizeof(line.content));
  }
  void publish() { published_.store(written_, std::memory_order_release); }

  // Waits for at least one line, then passes on all lines that are there.
  template <class Use>
  void take_all(Use use) {
    std::uint64_t end = published_.load(std::memory_order_acquire);
    for (unsigned tries = 0; end == read_; ++tries) {
      // On one processor the other side can continue only if this side yields.
      if (tries % 4096 == 4095) std::this_thread::yield();
      end = published_.load(std::memory_order_acquire);
    }
    for (; read_ != end; ++read_) {
      const Line& line = lines_[read_ % lines_.size()];
      std::memcpy(content_, line.content, sizeof(content_));
      use(line.number);
    }
    taken_.store(read_, std::memory_order_release);
  }

 private:
  std::array<Line, 1024> lines_;
  alignas(64) std::atomic<std::uint64_t> published_{0};
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  alignas(64) std::uint64_t written_ = 0;  // the producer's
  std::uint64_t read_by_other_ = 0;
  alignas(64) std::uint64_t read_ = 0;  // the consumer's
  char content_[56] = {};               // the content that was read last
};

int next_to(int processor) { return processor < 0 ? -1 : processor + 1; }

// Answers every line until the last one.
void answer(LineRing& from, LineRing& to, int processor) {
  bind_to_processor(processor);
  for (bool going = true; going;) {
    from.take_all([&](std::uint64_t number) {
      if (number == last) going = false;
      to.put(number);
    });
    to.publish();
  }
}

}  // namespace

Run floor_ring_round_trip(std::uint32_t window, double interval, int processor) {
  LineRing out;
  LineRing back;
  Run run;
  std::thread other([&] { answer(out, back, next_to(processor)); });
  std::thread self([&] {
    bind_to_processor(processor);
    const Time start = clock_now();
    Time before = start;
    for (std::uint32_t i = 0; i < window; ++i) out.put(i);
    out.publish();
    while (before - start < seconds(interval)) {
      std::uint64_t rounds = 0;
      while (rounds < 1000) {
        back.take_all([&](std::uint64_t number) {
          out.put(number + 1);
          ++rounds;
        });
        out.publish();
      }
      const Time after = clock_now();
      run.samples.push_back(nanoseconds(after - before) / static_cast<double>(rounds));
      run.n += rounds;
      before = after;
    }
    run.value = nanoseconds(before - start) / static_cast<double>(run.n);
    out.put(last);
    out.publish();
    for (bool going = true; going;) {
      back.take_all([&](std::uint64_t number) { going = going && number != last; });
    }
  });
  self.join();
  other.join();
  return run;
}

Run floor_ring_flood(double interval, int processor) {
  constexpr std::uint64_t burst = 64;
  LineRing ring;
  Run run;
  std::thread sender([&] {
    bind_to_processor(processor);
    const Time start = clock_now();
    for (std::uint64_t number = 0; clock_now() - start < seconds(interval);) {
      for (std::uint64_t i = 0; i < burst; ++i) ring.put(number++);
      ring.publish();
    }
    ring.put(last);
    ring.publish();
  });
  std::thread receiver([&] {
    bind_to_processor(next_to(processor));
    const Time start = clock_now();
    for (bool going = true; going;) {
      ring.take_all([&](std::uint64_t number) {
        if (number == last) going = false;
        else ++run.n;
      });
    }
    run.value = static_cast<double>(run.n) / (nanoseconds(clock_now() - start) / 1e9);
  });
  sender.join();
  receiver.join();
  return run;
}

}  // namespace coracle::bench
