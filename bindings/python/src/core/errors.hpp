// Errors of the library as exceptions, and values of Python as values of coracle.h.
#pragma once

#include <nanobind/nanobind.h>

#include <coracle.h>

#include <optional>
#include <string>

namespace coracle::py {

namespace nb = nanobind;

// A new exception of the class that belongs to the error's code. Frees the error.
nb::object exception_of(coracle_error* error);
// The same for an error of the binding itself.
nb::object exception_of(coracle_code code, const char* sentence);
[[noreturn]] void raise(nb::handle exception);
[[noreturn]] void raise(coracle_code code, const char* sentence);
// Whether it says that the node or the port has stopped.
bool is_stopped(nb::handle exception);
inline void check(coracle_error* error) {
  if (error != nullptr) [[unlikely]]
    raise(exception_of(error));
}

// The UTF-8 of a str, which must live as long as it is used; NULL for None.
const char* text_of(nb::handle text, const char* what);
// Seconds as a span. None is `otherwise`; no wait at all is the shortest one, because 0 is a
// default.
coracle_span span_of(nb::handle seconds, coracle_span otherwise = 0);
inline nb::str str_of(const char* text, std::size_t size) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text, Py_ssize_t(size), "replace"));
}
inline nb::str str_of(const char* text) { return str_of(text, strlen(text)); }

// An object of C++ inside a new object of Python.
template <class T, class... Arguments>
nb::object make(Arguments&&... arguments) {
  static const nb::handle type = nb::type<T>();
  nb::object made = nb::inst_alloc(type);
  new (nb::inst_ptr<T>(made)) T(std::forward<Arguments>(arguments)...);
  nb::inst_mark_ready(made);
  return made;
}

void define_errors(nb::module_& module);

}  // namespace coracle::py
