#include "port.hpp"
#include "society.hpp"

namespace coracle::py {

namespace {

coracle_field field_of(nb::handle value) {
  coracle_field field{};
  PyObject* const of = value.ptr();
  field.any = PyType_Check(of);
  const auto is = [&](PyTypeObject& type, bool (*has)(PyObject*)) {
    return field.any ? of == reinterpret_cast<PyObject*>(&type) : has(of);
  };
  if (is(PyBool_Type, [](PyObject* one) -> bool { return PyBool_Check(one); })) {
    field.kind = CORACLE_BOOLEAN;
    field.integer = of == Py_True;
  } else if (is(PyLong_Type, [](PyObject* one) -> bool { return PyLong_Check(one); })) {
    field.kind = CORACLE_INTEGER;
    if (!field.any) field.integer = PyLong_AsLongLong(of);
    if (PyErr_Occurred()) throw nb::python_error();
  } else if (is(PyFloat_Type, [](PyObject* one) -> bool { return PyFloat_Check(one); })) {
    field.kind = CORACLE_NUMBER;
    if (!field.any) field.number = PyFloat_AS_DOUBLE(of);
  } else if (is(PyUnicode_Type, [](PyObject* one) -> bool { return PyUnicode_Check(one); })) {
    field.kind = CORACLE_TEXT;
    Py_ssize_t size = 0;
    if (!field.any) field.data = PyUnicode_AsUTF8AndSize(of, &size);
    if (PyErr_Occurred()) throw nb::python_error();
    field.size = std::size_t(size);
  } else if (is(PyBytes_Type, [](PyObject* one) -> bool { return PyBytes_Check(one); })) {
    field.kind = CORACLE_BYTES;
    if (!field.any)
      field.data = PyBytes_AS_STRING(of), field.size = std::size_t(PyBytes_GET_SIZE(of));
  } else {
    PyErr_Format(
        PyExc_TypeError,
        "a field of a tuple must be a bool, int, float, str or bytes, or in a pattern one of "
        "these types; it is %R",
        of);
    throw nb::python_error();
  }
  return field;
}

using Take = coracle_error* (*)(coracle_port*, const char*, const coracle_field*, size_t,
                                coracle_span, coracle_tuple**, const coracle_begin*);
using TryTake = coracle_error* (*)(coracle_port*, const char*, const coracle_field*, size_t,
                                   coracle_tuple**, const coracle_begin*);

// Whether a function takes the tuple out of the space, or only reads it.
enum class Leaves : bool { tuple, nothing };

// Begins an operation that gives a tuple.
template <class Call>
nb::object begin(nb::handle self, nb::handle space, Leaves leaves, Call call) {
  const std::string from = text_of(space, "space");
  const auto named = [&](coracle_port* me, const coracle_begin* at) {
    return call(me, from.c_str(), at);
  };
  return Port::of(self).begin(self, Gives::tuple, named, nb::handle(), false,
                              leaves == Leaves::nothing ? from : std::string());
}

auto waiting(Take take, Leaves leaves) {
  return [=](nb::handle self, nb::handle space, nb::handle pattern, nb::handle within) {
    const std::vector<coracle_field> fields = fields_of(pattern);
    const coracle_span longest = span_of(within);
    return begin(self, space, leaves,
                 [&](coracle_port* me, const char* from, const coracle_begin* at) {
                   return take(me, from, fields.data(), fields.size(), longest, nullptr, at);
                 });
  };
}

auto trying(TryTake take, Leaves leaves) {
  return [=](nb::handle self, nb::handle space, nb::handle pattern) {
    const std::vector<coracle_field> fields = fields_of(pattern);
    return begin(self, space, leaves,
                 [&](coracle_port* me, const char* from, const coracle_begin* at) {
                   return take(me, from, fields.data(), fields.size(), nullptr, at);
                 });
  };
}

nb::object notify(nb::handle self, nb::handle space, nb::handle pattern, nb::handle lease) {
  const std::vector<coracle_field> fields = fields_of(pattern);
  return Port::of(self).begin(self, Gives::number, [&](coracle_port* me, const coracle_begin* at) {
    return coracle_tuple_notify(me, text_of(space, "space"), fields.data(), fields.size(),
                                span_of(lease), nullptr, at);
  });
}

nb::object next_notice(nb::handle self, std::uint64_t notices, nb::handle within,
                       bool ends_iteration) {
  const coracle_span longest = span_of(within);
  const auto next = [&](coracle_port* me, const coracle_begin* at) {
    return coracle_tuple_next(me, notices, longest, nullptr, at);
  };
  return Port::of(self).begin(self, Gives::tuple, next, nb::handle(), ends_iteration);
}

nb::object missed_notices(nb::handle self, std::uint64_t notices) {
  return Port::of(self).begin(self, Gives::number, [&](coracle_port* me, const coracle_begin* at) {
    return coracle_tuple_missed(me, notices, nullptr, at);
  });
}

nb::object end_notices(nb::handle self, std::uint64_t notices) {
  return Port::of(self).begin(self, Gives::nothing, [&](coracle_port* me, const coracle_begin* at) {
    return coracle_tuple_unnotify(me, notices, at);
  });
}

}  // namespace

std::vector<coracle_field> fields_of(nb::handle values) {
  std::vector<coracle_field> all;
  for (nb::handle each : nb::cast<nb::tuple>(values)) all.push_back(field_of(each));
  return all;
}

nb::object value_of(const coracle_field& field) {
  switch (field.kind) {
    case CORACLE_BOOLEAN:
      return nb::bool_(field.integer != 0);
    case CORACLE_INTEGER:
      return nb::int_(field.integer);
    case CORACLE_NUMBER:
      return nb::float_(field.number);
    case CORACLE_TEXT:
      return str_of(static_cast<const char*>(field.data), field.size);
    default:
      return nb::bytes(field.data, field.size);
  }
}

nb::object tuple_of(coracle_tuple* tuple) {
  if (tuple == nullptr) return nb::none();
  std::size_t count = 0;
  check(coracle_tuple_count(tuple, &count));
  nb::list fields;
  for (std::size_t each = 0; each < count; ++each) {
    coracle_field field{};
    check(coracle_tuple_field(tuple, each, &field));
    fields.append(value_of(field));
  }
  return nb::tuple(fields);
}

void put_back(nb::handle port, const std::string& space, const coracle_tuple* tuple) {
  try {
    std::size_t count = 0;
    check(coracle_tuple_count(tuple, &count));
    std::vector<coracle_field> fields(count);
    for (std::size_t each = 0; each < count; ++each)
      check(coracle_tuple_field(tuple, each, &fields[each]));
    const auto out = [&](coracle_port* me, const coracle_begin* at) {
      return coracle_tuple_out(me, space.c_str(), fields.data(), count, 0, at);
    };
    (void)Port::of(port).begin(port, Gives::nothing, out);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("coracle.Space.take");
  }
}

void define_tuples(nb::class_<Port>& port) {
  port.def(
          "_tuple_out",
          [](nb::handle self, nb::handle space, nb::handle values, nb::handle lease) {
            const std::vector<coracle_field> fields = fields_of(values);
            return Port::of(self).begin(
                self, Gives::nothing, [&](coracle_port* me, const coracle_begin* at) {
                  return coracle_tuple_out(me, text_of(space, "space"), fields.data(),
                                           fields.size(), span_of(lease), at);
                });
          },
          nb::arg("space"), nb::arg("fields"), nb::arg("lease").none())
      .def("_tuple_in", waiting(coracle_tuple_in, Leaves::nothing), nb::arg("space"),
           nb::arg("pattern"), nb::arg("within").none())
      .def("_tuple_rd", waiting(coracle_tuple_rd, Leaves::tuple), nb::arg("space"),
           nb::arg("pattern"), nb::arg("within").none())
      .def("_tuple_inp", trying(coracle_tuple_inp, Leaves::nothing))
      .def("_tuple_rdp", trying(coracle_tuple_rdp, Leaves::tuple))
      .def("_tuple_notify", &notify, nb::arg("space"), nb::arg("pattern"), nb::arg("lease").none())
      .def("_tuple_next", &next_notice, nb::arg("notices"), nb::arg("within").none(),
           nb::arg("ends_iteration"))
      .def("_tuple_missed", &missed_notices)
      .def("_tuple_unnotify", &end_notices)
      .def("_tuple_eval", [](nb::handle self, nb::handle space, nb::handle function,
                             nb::handle arguments) {
        const std::vector<coracle_field> fields = fields_of(arguments);
        return Port::of(self).begin(
            self, Gives::nothing, [&](coracle_port* me, const coracle_begin* at) {
              return coracle_tuple_eval(me, text_of(space, "space"), text_of(function, "function"),
                                        fields.data(), fields.size(), at);
            });
      });
}

}  // namespace coracle::py
