// The structs of the header, as values of the library. Each function checks what it reads.
#pragma once

#include "failure.hpp"
#include "handles.hpp"

#include "coracle.h"
#include "coracle/agent_spec.hpp"
#include "coracle/clock.hpp"
#include "coracle/match.hpp"
#include "coracle/overhearing.hpp"
#include "coracle/pattern.hpp"
#include "coracle/post.hpp"
#include "coracle/query.hpp"

#include <algorithm>
#include <cstring>

namespace coracle::c {

// Returns a copy of a struct of options, in which the fields that its caller does not know are
// zero.
template <class T>
T options_of(const T* given, const char* what) {
  T options{};
  options.size = sizeof(T);
  if (given == nullptr) return options;
  if (given->size < sizeof(std::size_t) || given->size > 4096)
    fail_argument((std::string(what) + ": the field `size` is not set; use CORACLE_INIT").c_str());
  if (given->size > sizeof(T)) {
    const auto* const more = reinterpret_cast<const char*>(given) + sizeof(T);
    if (std::any_of(more, more + (given->size - sizeof(T)), [](char byte) { return byte != 0; }))
      throw Failure(CORACLE_UNSUPPORTED, std::string(what) +
                                             ": a field is set that this version of the library "
                                             "does not know; use a newer library");
  }
  std::memcpy(static_cast<void*>(&options), given, std::min(given->size, sizeof(T)));
  return options;
}

template <class T>
[[gnu::cold]] const T& copied(const T* given, T& copy, const char* what) {
  if (given == nullptr) fail_argument((std::string(what) + ": it is NULL").c_str());
  copy = options_of(given, what);
  return copy;
}

// The same without a copy, where the caller knows the same fields; otherwise the copy is put in
// `copy`.
template <class T>
const T& view_of(const T* given, T& copy, const char* what) {
  if (given != nullptr && given->size == sizeof(T)) [[likely]]
    return *given;
  return copied(given, copy, what);
}

// Returns the number that C has put into an enumeration, which may be none of its values.
template <class Enum>
int number_of(const Enum& value) noexcept {
  static_assert(sizeof(Enum) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

// Returns the text; fails for NULL.
const char* text_of(const char* text, const char* what);
// Returns copies of the texts.
std::vector<std::string> texts_of(const coracle_texts& texts, const char* what);
// Reports an error if an array is NULL and has elements.
template <class T>
void require_array(const T* array, std::size_t count, const char* what) {
  if (array == nullptr && count != 0) fail_argument(what);
}
// A span that limits a wait; zero is no wait.
Deadline within(coracle_span span);
// The same, but zero sets no limit.
Deadline limit_of(coracle_span span);
Content content_of(const coracle_post& post);
Content content_of(const coracle_post* post);
Post post_of(const coracle_post& post, Content content);
inline Post post_of(const coracle_post& post) { return post_of(post, content_of(post)); }
AgentSpec spec_of(const coracle_agent_options* options);
Properties properties_of(const coracle_property* properties, std::size_t count);
// Without the limit of the wait.
Match match_of(const coracle_match& match);
Pattern pattern_of(const coracle_pattern& pattern);
TapOptions tap_options_of(const coracle_pattern& pattern);
Query query_of(const coracle_query* query);

}  // namespace coracle::c
