// The Sync policy (coracle/src/runtime/worker/sync.hpp) of modelled threads, and its broken
// variants.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "explorer.hpp"

namespace coracle::testing {

template <class T>
class ExploreAtomic {
 public:
  ExploreAtomic(T value = T{})  // implicit, as std::atomic's
      : location_(Explorer::current().add_location(kind(), to_value(value))) {}
  ExploreAtomic(const ExploreAtomic&) = delete;
  ExploreAtomic& operator=(const ExploreAtomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    return from_value(Explorer::current().load(location_, order));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    Explorer::current().store(location_, to_value(value), order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    return from_value(Explorer::current().modify(location_, to_value(value), order,
                                                 [](MemoryModel::Value) { return true; }));
  }
  // A failure takes the order of a success: what failure orders allow is not explored.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order /*failure*/) {
    const auto wanted = to_value(expected);
    const auto before =
        Explorer::current().modify(location_, to_value(desired), success,
                                   [&](MemoryModel::Value present) { return present == wanted; });
    expected = from_value(before);
    return before == wanted;
  }

 private:
  static constexpr std::string_view kind() {
    if constexpr (std::same_as<T, bool>) return "flag";
    else if constexpr (std::integral<T>) return "index";
    else return "pointer";
  }
  static MemoryModel::Value to_value(T value) {
    if constexpr (std::integral<T>) return static_cast<MemoryModel::Value>(value);
    else return reinterpret_cast<std::uintptr_t>(value);
  }
  static T from_value(MemoryModel::Value value) {
    if constexpr (std::integral<T>) return static_cast<T>(value);
    else return reinterpret_cast<T>(static_cast<std::uintptr_t>(value));
  }

  std::size_t location_;
};

// Plain data, watched for races. Also a stand-in for a plain member, by assignment and conversion.
template <class T>
class ExploreCell {
 public:
  ExploreCell() : cell_(Explorer::current().add_cell()) {}
  ExploreCell(const ExploreCell&) = delete;
  ExploreCell& operator=(const ExploreCell&) = delete;

  T& write() {
    Explorer::current().write_cell(cell_);
    return value_;
  }
  T& read() {
    Explorer::current().read_cell(cell_);
    return value_;
  }

  ExploreCell& operator=(T value) {
    write() = value;
    return *this;
  }
  operator T() { return read(); }

 private:
  std::size_t cell_;
  T value_{};
};

struct ExploreSync {
  template <class T>
  using Atomic = ExploreAtomic<T>;
  template <class T>
  using Cell = ExploreCell<T>;
};

// The semaphore in which a worker waits: one wake is remembered, more are not.
class ExploreSemaphore {
 public:
  ExploreSemaphore() : location_(Explorer::current().add_location("semaphore", 0)) {}

  void acquire() { Explorer::current().signal(location_, 0); }
  void release() { Explorer::current().signal(location_, 1); }

 private:
  std::size_t location_;
};

inline void require(bool condition, std::string_view what) {
  Explorer::current().require(condition, what);
}

// ExploreSync with all memory orders replaced, whatever the code requests: the effect of a careless
// edit.
template <std::memory_order Loads, std::memory_order Stores, std::memory_order Exchanges>
struct SpoiledSync {
  template <class T>
  class Atomic : public ExploreAtomic<T> {
   public:
    using ExploreAtomic<T>::ExploreAtomic;

    T load(std::memory_order) const { return ExploreAtomic<T>::load(Loads); }
    void store(T value, std::memory_order) { ExploreAtomic<T>::store(value, Stores); }
    T exchange(T value, std::memory_order) { return ExploreAtomic<T>::exchange(value, Exchanges); }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) {
      return ExploreAtomic<T>::compare_exchange_weak(expected, desired, Exchanges,
                                                     std::memory_order_relaxed);
    }
  };
  template <class T>
  using Cell = ExploreCell<T>;
};

}  // namespace coracle::testing
