// An object of Python with fields, which the library takes as a struct.
#pragma once

#include "errors.hpp"

#include <deque>
#include <limits>
#include <vector>

namespace coracle::py {

// Texts and lists that are read from a record live as long as the record. A field that is None is
// left out.
class Record {
 public:
  explicit Record(nb::handle of) : of_(nb::borrow(of)) {}
  Record(const Record&) = delete;

  nb::handle field(const char* name) {
    kept_.push_back(of_.attr(name));
    return kept_.back();
  }
  const char* text(const char* name) { return text_of(field(name), name); }
  coracle_span span(const char* name) { return span_of(field(name)); }
  bool truth(const char* name) { return PyObject_IsTrue(field(name).ptr()) == 1; }
  coracle_texts texts(const char* name) { return texts(field(name), name); }
  coracle_texts texts(nb::handle all, const char* what);
  // Fails where the number does not fit.
  template <class Number = std::int64_t>
  Number number(const char* name) {
    const nb::handle given = field(name);
    if constexpr (std::numeric_limits<Number>::digits > 63) {
      const std::uint64_t large = given.is_none() ? 0 : PyLong_AsUnsignedLongLong(given.ptr());
      if (PyErr_Occurred()) throw nb::python_error();
      return Number(large);
    } else {
      return Number(whole(given, name, std::numeric_limits<Number>::min(),
                          std::numeric_limits<Number>::max()));
    }
  }
  // The items of a field that is a sequence.
  std::vector<nb::handle> items(const char* name) { return items(field(name), name); }
  std::vector<nb::handle> items(nb::handle all, const char* what);
  // The object lives as long as the record.
  nb::handle keep(nb::object object) { return kept_.emplace_back(std::move(object)); }

 private:
  static std::int64_t whole(nb::handle given, const char* name, std::int64_t least,
                            std::int64_t most);

  nb::object of_;
  std::deque<nb::object> kept_;
  std::deque<std::vector<const char*>> texts_;
};

// The texts as a tuple.
nb::object texts_of(const coracle_texts& texts);
// A new object of a class of `coracle.caf`.
template <class... Fields>
nb::object caf(const char* type, Fields&&... fields) {
  return nb::module_::import_("coracle.caf").attr(type)(std::forward<Fields>(fields)...);
}

}  // namespace coracle::py
