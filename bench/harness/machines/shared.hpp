// A value that this process and its Partners share.
#pragma once

#include "harness/run/failures.hpp"

#include <new>
#include <utility>

#include <sys/mman.h>

namespace coracle::bench {

// Make it before the Partners. A value behind a pointer in T is not shared.
template <class T>
class Shared {
 public:
  Shared() : value_(new (room()) T()) {}
  ~Shared() { munmap(value_, sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  T* operator->() noexcept { return value_; }
  T& operator*() noexcept { return *value_; }

 private:
  static void* room() {
    void* const made =
        mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) throw NotDone("no memory could be shared with other processes");
    return made;
  }

  T* value_;
};

}  // namespace coracle::bench
