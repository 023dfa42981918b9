#include "record.hpp"

namespace coracle::py {

std::int64_t Record::whole(nb::handle given, const char* name, std::int64_t least,
                           std::int64_t most) {
  if (given.is_none()) return 0;
  if (!PyLong_Check(given.ptr())) {
    PyErr_Format(PyExc_TypeError, "%s must be an int, not %s", name, Py_TYPE(given.ptr())->tp_name);
    throw nb::python_error();
  }
  int overflow = 0;
  const std::int64_t found = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
  if (overflow != 0 || found < least || found > most) {
    PyErr_Format(PyExc_ValueError, "%s is %S; it must be from %lld to %lld", name, given.ptr(),
                 static_cast<long long>(least), static_cast<long long>(most));
    throw nb::python_error();
  }
  return found;
}

std::vector<nb::handle> Record::items(nb::handle given, const char* name) {
  std::vector<nb::handle> all;
  if (given.is_none()) return all;
  if (PyUnicode_Check(given.ptr())) {
    PyErr_Format(PyExc_TypeError, "%s must be a list, not a str", name);
    throw nb::python_error();
  }
  for (nb::handle each : nb::iter(given)) all.push_back(keep(nb::borrow(each)));
  return all;
}

coracle_texts Record::texts(nb::handle given, const char* name) {
  std::vector<const char*>& all = texts_.emplace_back();
  for (const nb::handle each : items(given, name)) {
    all.push_back(text_of(each, name));
    if (all.back() == nullptr) {
      PyErr_Format(PyExc_TypeError, "%s must be texts; one of them is None", name);
      throw nb::python_error();
    }
  }
  return {all.data(), all.size()};
}

nb::object texts_of(const coracle_texts& texts) {
  nb::list all;
  for (std::size_t each = 0; each < texts.count; ++each) all.append(str_of(texts.texts[each]));
  return nb::tuple(all);
}

}  // namespace coracle::py
