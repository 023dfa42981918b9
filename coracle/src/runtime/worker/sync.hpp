// The basis of the lock-free parts of the runtime.
//
// ring.hpp, parking.hpp and inbox.hpp take their atomics from a Sync policy, so that the very code
// that runs in a node can also run under tests/threads/explorer.hpp, which tries every
// interleaving. A policy has
//   Atomic<T>   the used part of std::atomic<T>
//   Cell<T>     plain data that threads hand to each other; write() and read() say which it is
// There are no fences: ThreadSanitizer does not understand them. So every order is a seq_cst
// operation.
#pragma once

#include <atomic>
#include <cstddef>

namespace coracle::detail {

inline constexpr std::size_t cache_line = 64;

struct StdSync {
  template <class T>
  using Atomic = std::atomic<T>;

  template <class T>
  class Cell {
   public:
    T& write() { return value_; }
    T& read() { return value_; }

   private:
    T value_{};
  };
};

}  // namespace coracle::detail
