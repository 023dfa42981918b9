#include "errors.hpp"

#include <cmath>
#include <cstring>

namespace coracle::py {

namespace {

PyObject* classes = nullptr;  // code -> class; the interpreter's end takes it

}  // namespace

nb::object exception_of(coracle_code code, const char* sentence) {
  const nb::int_ key{int(code)};
  nb::handle type = PyDict_GetItem(classes, key.ptr());
  if (!type) type = PyDict_GetItem(classes, nb::int_{int(CORACLE_FAILED)}.ptr());
  return type(str_of(sentence));
}

nb::object exception_of(coracle_error* error) {
  nb::object made = exception_of(coracle_error_code(error), coracle_error_sentence(error));
  coracle_error_free(error);
  return made;
}

bool is_stopped(nb::handle exception) {
  const nb::handle type = PyDict_GetItem(classes, nb::int_{int(CORACLE_STOPPED)}.ptr());
  return PyObject_IsInstance(exception.ptr(), type.ptr()) == 1;
}

void raise(nb::handle exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

void raise(coracle_code code, const char* sentence) { raise(exception_of(code, sentence)); }

const char* text_of(nb::handle text, const char* what) {
  if (text.is_none()) return nullptr;
  if (!PyUnicode_Check(text.ptr())) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %s", what, Py_TYPE(text.ptr())->tp_name);
    throw nb::python_error();
  }
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (utf8 == nullptr) throw nb::python_error();
  if (std::memchr(utf8, 0, std::size_t(size)) != nullptr) {
    PyErr_Format(PyExc_ValueError, "%s must not contain a zero character", what);
    throw nb::python_error();
  }
  return utf8;
}

coracle_span span_of(nb::handle seconds, coracle_span otherwise) {
  if (seconds.is_none()) return otherwise;
  const double value = PyFloat_AsDouble(seconds.ptr());
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  if (std::isnan(value) || value < 0) {
    PyErr_SetString(PyExc_ValueError, "a time in seconds must be 0 or more");
    throw nb::python_error();
  }
  const double nanoseconds = value * 1e9;
  if (nanoseconds >= double(CORACLE_NEVER)) return CORACLE_NEVER;
  return nanoseconds < 1 ? 1 : coracle_span(nanoseconds);
}

void define_errors(nb::module_& module) {
  module.def("_set_errors", [](nb::dict by_code) {
    Py_XDECREF(classes);
    classes = by_code.release().ptr();
  });
}

}  // namespace coracle::py
