#include "failure.hpp"

#include <pthread.h>

#include <new>

struct coracle_error {
  coracle_code code;
  std::string sentence;
};

namespace coracle::c {

namespace {

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] {
  if (process_use != Use::none) process_use = Use::before_fork;
});

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

constinit std::atomic<Use> process_use{Use::none};

void use_process() {
  Use before = Use::none;
  if (!process_use.compare_exchange_strong(before, Use::here) && before == Use::before_fork) {
    fail(CORACLE_FORKED,
         "this process was forked after it had used the library; use the library in the parent, or "
         "only after the fork, or call exec() first");
  }
}

void fail(coracle_code code, const char* sentence) { throw Failure(code, sentence); }

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
