// Errors that cross the interface: every function of C runs its work inside guarded().
#pragma once

#include "coracle.h"

#include "coracle/errors.hpp"

#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace coracle::c {

// A failure that only this interface knows.
class Failure : public std::runtime_error {
 public:
  Failure(coracle_code code, const std::string& sentence)
      : std::runtime_error(sentence), code_(code) {}
  coracle_code code() const noexcept { return code_; }

 private:
  coracle_code code_;
};

// Returns the error that describes an exception; without memory, one that needs none.
coracle_error* error_of(std::exception_ptr failure) noexcept;

[[noreturn, gnu::cold]] void fail(coracle_code code, const char* sentence);

// Whether any call was made, and whether the process was forked after it.
enum class Use : char { none, here, before_fork };
extern constinit std::atomic<Use> process_use;
// Notes that there is a call; fails in the child of a fork().
[[gnu::cold]] void use_process();
inline void require_same_process() {
  if (process_use.load(std::memory_order_relaxed) != Use::here) [[unlikely]]
    use_process();
}

template <class Work>
coracle_error* guarded(Work work) noexcept {
  try {
    require_same_process();
    work();
    return nullptr;
  } catch (...) {
    return error_of(std::current_exception());
  }
}

}  // namespace coracle::c
