// The memory that modelled threads share, which tests/threads/explorer.hpp explores.
//
// - Every store that is not part of a read-modify-write waits in its thread's FIFO buffer and
//   reaches memory at any later moment. A seq_cst load first empties its thread's buffer if a
//   seq_cst store waits in it. So a "store, then load the other's flag" handshake (Dekker) works
//   only if both are seq_cst, as C++ requires and as ARM's stlr/ldapr show; x86 would forgive the
//   load.
// - A read-modify-write empties the buffer and acts on memory.
// - Plain data (cells) is checked by vector clocks: a release and the acquire that reads it order
//   accesses, and two accesses that nothing orders are a data race, whatever values were seen.
// Not modelled: loads that read older values than memory's, spurious failures of weak exchanges.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coracle::testing {

inline constexpr std::size_t max_threads = 4;

// The number of cell accesses of each thread that are known to have happened.
using Clock = std::array<std::uint16_t, max_threads>;

inline void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < max_threads; ++i) clock[i] = std::max(clock[i], other[i]);
}

class Hash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15U;
    state_ ^= state_ >> 29U;
  }
  void add(const Clock& clock) {
    std::uint64_t packed = 0;
    for (const auto part : clock) packed = packed << 16U | part;
    add(packed);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3U;
};

class MemoryModel {
 public:
  using Value = std::uint64_t;

  struct Store {
    std::size_t location;
    Value value;
    std::memory_order order;
    Clock clock;
  };

  std::size_t add_location(Value value) {
    locations_.push_back({value, {}});
    return locations_.size() - 1;
  }
  std::size_t add_cell() {
    cells_.emplace_back();
    return cells_.size() - 1;
  }

  Value load(std::size_t thread, std::size_t location, std::memory_order order) {
    auto& self = threads_[thread];
    if (order == std::memory_order_seq_cst && holds_seq_cst(self)) flush(thread);
    const auto own = std::find_if(self.buffer.rbegin(), self.buffer.rend(),
                                  [&](const Store& s) { return s.location == location; });
    if (own != self.buffer.rend()) return own->value;
    if (acquires(order)) join(self.clock, locations_[location].clock);
    return locations_[location].value;
  }

  void store(std::size_t thread, std::size_t location, Value value, std::memory_order order) {
    auto& self = threads_[thread];
    self.buffer.push_back({location, value, order, releases(order) ? self.clock : Clock{}});
  }

  // `change` gets the present value and returns whether to write its second argument. Returns the
  // previous value.
  template <class Change>
  Value modify(std::size_t thread, std::size_t location, Value value, std::memory_order order,
               Change&& change) {
    flush(thread);
    auto& self = threads_[thread];
    auto& here = locations_[location];
    const Value before = here.value;
    const bool writes = change(before);
    const Clock released = self.clock;
    if (acquires(order)) join(self.clock, here.clock);
    if (!writes) return before;
    here.value = value;
    if (releases(order)) join(here.clock, released);
    return before;
  }

  bool has_buffered(std::size_t thread) const { return !threads_[thread].buffer.empty(); }
  const Store& oldest_buffered(std::size_t thread) const { return threads_[thread].buffer.front(); }

  void drain(std::size_t thread) {
    auto& buffer = threads_[thread].buffer;
    const Store& oldest = buffer.front();
    locations_[oldest.location] = {oldest.value, oldest.clock};
    buffer.erase(buffer.begin());
  }

  Value value(std::size_t location) const { return locations_[location].value; }
  void set(std::size_t location, Value value) { locations_[location].value = value; }

  // Returns false on a data race.
  bool read_cell(std::size_t thread, std::size_t cell) {
    auto& clock = threads_[thread].clock;
    cells_[cell].reads[thread] = ++clock[thread];
    return ordered(thread, cells_[cell].writes);
  }
  bool write_cell(std::size_t thread, std::size_t cell) {
    auto& clock = threads_[thread].clock;
    cells_[cell].writes[thread] = ++clock[thread];
    return ordered(thread, cells_[cell].writes) && ordered(thread, cells_[cell].reads);
  }

  void add_to(Hash& hash) const {
    for (const auto& location : locations_) {
      hash.add(location.value);
      hash.add(location.clock);
    }
    for (const auto& cell : cells_) {
      hash.add(cell.reads);
      hash.add(cell.writes);
    }
    for (const auto& thread : threads_) {
      hash.add(thread.clock);
      hash.add(thread.buffer.size());
      for (const auto& store : thread.buffer) {
        hash.add(store.location << 8U | static_cast<std::uint64_t>(store.order));
        hash.add(store.value);
        hash.add(store.clock);
      }
    }
  }

 private:
  struct Location {
    Value value;
    Clock clock;
  };
  struct Cell {
    Clock reads{};
    Clock writes{};
  };
  struct Thread {
    std::vector<Store> buffer;
    Clock clock{};
  };

  static bool acquires(std::memory_order order) {
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst;
  }
  static bool releases(std::memory_order order) {
    return order == std::memory_order_release || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst;
  }
  static bool holds_seq_cst(const Thread& thread) {
    return std::any_of(thread.buffer.begin(), thread.buffer.end(),
                       [](const Store& s) { return s.order == std::memory_order_seq_cst; });
  }

  void flush(std::size_t thread) {
    while (has_buffered(thread)) drain(thread);
  }

  bool ordered(std::size_t thread, const Clock& accesses) const {
    const auto& known = threads_[thread].clock;
    for (std::size_t i = 0; i < max_threads; ++i) {
      if (accesses[i] > known[i]) return false;
    }
    return true;
  }

  std::vector<Location> locations_;
  std::vector<Cell> cells_;
  std::array<Thread, max_threads> threads_{};
};

}  // namespace coracle::testing
