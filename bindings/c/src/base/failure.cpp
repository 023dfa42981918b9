#include "failure.hpp"

#include <pthread.h>

#include <atomic>
#include <new>

struct coracle_error {
  coracle_code code;
  std::string sentence;
};

namespace coracle::c {

namespace {

// Whether any call was made, and whether the process was forked after it.
std::atomic<bool> is_used{false}, is_forked{false};
[[maybe_unused]] const int registered = pthread_atfork(
    nullptr, nullptr, [] { is_forked.store(is_used.load(), std::memory_order_relaxed); });

coracle_error& no_memory() {
  static coracle_error error{CORACLE_NO_MEMORY, "no memory"};
  return error;
}

coracle_code code_of(const Error& error) noexcept {
  return error.code().category() == error_category() ? static_cast<coracle_code>(error.errc())
                                                     : CORACLE_FAILED;
}

}  // namespace

coracle_error* error_of(std::exception_ptr failure) noexcept {
  try {
    try {
      std::rethrow_exception(std::move(failure));
    } catch (const Failure& known) {
      return new coracle_error{known.code(), known.what()};
    } catch (const Error& known) {
      return new coracle_error{code_of(known), known.sentence()};
    } catch (const std::bad_alloc&) {
      return &no_memory();
    } catch (const std::exception& other) {
      return new coracle_error{CORACLE_FAILED, other.what()};
    } catch (...) {
      return new coracle_error{CORACLE_FAILED, "an exception of an unknown type"};
    }
  } catch (...) {
    return &no_memory();
  }
}

void require_same_process() {
  if (!is_used.load(std::memory_order_relaxed)) is_used.store(true, std::memory_order_relaxed);
  if (is_forked.load(std::memory_order_relaxed))
    throw Failure(CORACLE_FORKED,
                  "this process was forked after it had used the library; use the library in the "
                  "parent, or only after the fork, or call exec() first");
}

}  // namespace coracle::c

using namespace coracle::c;

coracle_code coracle_error_code(const coracle_error* error) {
  return error == nullptr ? CORACLE_OK : error->code;
}

const char* coracle_error_sentence(const coracle_error* error) {
  return error == nullptr ? "" : error->sentence.c_str();
}

void coracle_error_free(coracle_error* error) {
  if (error != &no_memory()) delete error;
}
