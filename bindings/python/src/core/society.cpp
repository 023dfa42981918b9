#include "society.hpp"

#include "overheard.hpp"
#include "port.hpp"

namespace coracle::py {

namespace {

PyObject* entry_type = nullptr;  // the interpreter's end takes it

nb::dict properties_at(coracle_entries* entries, std::size_t number, std::size_t count) {
  nb::dict all;
  for (std::size_t each = 0; each < count; ++each) {
    coracle_property found{};
    check(coracle_entries_property(entries, number, each, &found));
    nb::object value;
    switch (found.kind) {
      case CORACLE_BOOLEAN:
        value = nb::bool_(found.integer != 0);
        break;
      case CORACLE_INTEGER:
        value = nb::int_(found.integer);
        break;
      case CORACLE_NUMBER:
        value = nb::float_(found.number);
        break;
      default:
        value = str_of(found.text);
    }
    all[str_of(found.key)] = value;
  }
  return all;
}

template <class Each>
nb::object list_of(coracle_entries* entries, Each each) {
  nb::list all;
  std::size_t count = 0;
  if (entries != nullptr) check(coracle_entries_count(entries, &count));
  for (std::size_t number = 0; number < count; ++number) {
    const char* name = nullptr;
    std::size_t properties = 0;
    check(coracle_entries_at(entries, number, &name, &properties));
    all.append(each(str_of(name), number, properties));
  }
  return all;
}

}  // namespace

nb::object entries_of(coracle_entries* entries) {
  return list_of(entries, [&](nb::str name, std::size_t number, std::size_t count) {
    return nb::handle(entry_type)(name, properties_at(entries, number, count));
  });
}

nb::object names_of(coracle_entries* entries) {
  return list_of(entries, [](nb::str name, std::size_t, std::size_t) { return name; });
}

nb::object messages_of(coracle_messages*& list, InHand* whose) {
  nb::list all;
  while (list != nullptr) {
    coracle_message* message = nullptr;
    check(coracle_messages_next(list, &message));
    if (message == nullptr) break;
    all.append(make<Message>(message, whose));
  }
  return all;
}

void set_value(coracle_property& property, nb::handle value) {
  PyObject* const of = value.ptr();
  if (PyBool_Check(of)) {
    property.kind = CORACLE_BOOLEAN;
    property.integer = of == Py_True;
  } else if (PyLong_Check(of)) {
    property.kind = CORACLE_INTEGER;
    property.integer = PyLong_AsLongLong(of);
    if (property.integer == -1 && PyErr_Occurred()) throw nb::python_error();
  } else if (PyFloat_Check(of)) {
    property.kind = CORACLE_NUMBER;
    property.number = PyFloat_AS_DOUBLE(of);
  } else {
    property.kind = CORACLE_TEXT;
    property.text = text_of(value, "a property");
    if (property.text == nullptr) raise(CORACLE_BAD_ARGUMENT, "a property must not be None");
  }
}

std::vector<coracle_property> properties_of(nb::handle dict) {
  std::vector<coracle_property> all;
  if (dict.is_none()) return all;
  for (auto [key, value] : nb::cast<nb::dict>(dict)) {
    coracle_property property{};
    property.key = text_of(key, "the name of a property");
    set_value(property, value);
    all.push_back(property);
  }
  return all;
}

std::vector<coracle_condition> conditions_of(nb::handle where) {
  std::vector<coracle_condition> all;
  if (where.is_none()) return all;
  for (auto [key, value] : nb::cast<nb::dict>(where)) {
    coracle_condition condition{};
    condition.comparison = CORACLE_EQUAL;
    condition.operand.key = text_of(key, "the name of a property");
    if (PyTuple_Check(value.ptr()) && PyTuple_GET_SIZE(value.ptr()) == 2) {
      const long number = PyLong_AsLong(PyTuple_GET_ITEM(value.ptr(), 0));
      if (number == -1 && PyErr_Occurred()) throw nb::python_error();
      condition.comparison = coracle_comparison(number);
      const nb::handle operand = PyTuple_GET_ITEM(value.ptr(), 1);
      if (!operand.is_none()) set_value(condition.operand, operand);
    } else {
      set_value(condition.operand, value);
    }
    all.push_back(condition);
  }
  return all;
}

namespace {

nb::object overhear(nb::handle self, nb::handle source, nb::handle target, nb::handle text,
                    nb::handle headers, std::uint32_t limit, std::uint64_t rate, bool outcomes) {
  coracle_pattern pattern{};
  pattern.size = sizeof pattern;
  pattern.source = text_of(source, "source");
  pattern.target = text_of(target, "target");
  pattern.text = text_of(text, "text");
  pattern.limit = limit;
  pattern.rate = rate;
  pattern.outcomes = outcomes;
  std::vector<coracle_header> components;
  if (!headers.is_none()) {
    for (auto [key, value] : nb::cast<nb::dict>(headers))
      components.push_back({text_of(key, "a header's key"), text_of(value, "a header's value")});
  }
  pattern.components = components.data();
  pattern.component_count = components.size();
  return Port::of(self).begin(self, Gives::number, [&](coracle_port* me, const coracle_begin* at) {
    return coracle_overhear(me, &pattern, nullptr, at);
  });
}

nb::object search(nb::handle self, nb::handle prefix, nb::handle where, std::size_t limit) {
  const std::vector<coracle_condition> conditions = conditions_of(where);
  coracle_query query{};
  query.size = sizeof query;
  query.prefix = text_of(prefix, "prefix");
  query.conditions = conditions.data();
  query.condition_count = conditions.size();
  query.limit = limit;
  return Port::of(self).begin(self, Gives::entries, [&](coracle_port* me, const coracle_begin* at) {
    return coracle_search(me, &query, nullptr, at);
  });
}

}  // namespace

void define_society(nb::class_<Port>& port) {
  port.def(
          "join",
          [](nb::handle self, nb::handle group, std::size_t last) {
            const char* const name = text_of(group, "group");
            return Port::of(self).begin(self, Gives::nothing,
                                        [&](coracle_port* me, const coracle_begin* at) {
                                          return coracle_join(me, name, last, at);
                                        });
          },
          nb::arg("group"), nb::arg("last") = 0,
          "Joins a group, and receives up to `last` earlier messages of each sender.")
      .def(
          "leave",
          [](nb::handle self, nb::handle group) {
            const char* const name = text_of(group, "group");
            return Port::of(self).begin(self, Gives::nothing,
                                        [&](coracle_port* me, const coracle_begin* at) {
                                          return coracle_leave(me, name, at);
                                        });
          },
          nb::arg("group"), "Leaves a group.")
      .def(
          "members",
          [](nb::handle self, nb::handle group) {
            const char* const name = text_of(group, "group");
            return Port::of(self).begin(self, Gives::names,
                                        [&](coracle_port* me, const coracle_begin* at) {
                                          return coracle_members(me, name, nullptr, at);
                                        });
          },
          nb::arg("group"), "The names of the members of a group now.")
      .def("_overhear", &overhear, nb::kw_only(), nb::arg("source") = nb::none(),
           nb::arg("target") = nb::none(), nb::arg("text") = nb::none(),
           nb::arg("headers") = nb::none(), nb::arg("limit") = 0, nb::arg("rate") = 0,
           nb::arg("outcomes") = false)
      .def("_stop_overhearing",
           [](nb::handle self, std::uint64_t tap) {
             return Port::of(self).begin(self, Gives::nothing,
                                         [&](coracle_port* me, const coracle_begin* at) {
                                           return coracle_stop_overhearing(me, tap, at);
                                         });
           })
      .def(
          "describe",
          [](nb::handle self, nb::kwargs properties) {
            const std::vector<coracle_property> all = properties_of(properties);
            return Port::of(self).begin(self, Gives::nothing,
                                        [&](coracle_port* me, const coracle_begin* at) {
                                          return coracle_describe(me, all.data(), all.size(), at);
                                        });
          },
          "Replaces the properties that the directory publishes for this agent.")
      .def("search", &search, nb::arg("prefix") = nb::none(), nb::arg("where") = nb::none(),
           nb::kw_only(), nb::arg("limit") = 0,
           "The entries of the directory below a prefix (\"lab\" is that of lab/ann), whose "
           "properties fit `where`:\n"
           "a dict of values that must be equal, or of conditions such as at_least(3).")
      .def(
          "watch",
          [](nb::handle self, nb::handle name) {
            const char* const of = text_of(name, "name");
            return Port::of(self).begin(self, Gives::reason,
                                        [&](coracle_port* me, const coracle_begin* at) {
                                          return coracle_watch(me, of, nullptr, at);
                                        });
          },
          nb::arg("name"), "Waits for the end of the agent with that name; gives its EndReason.");
}

void define_values(nb::module_& module) {
  define_overheard_values(module);
  module.def("_set_entry", [](nb::object type) {
    Py_XDECREF(entry_type);
    entry_type = type.release().ptr();
  });
  nb::enum_<coracle_overflow>(module, "Overflow", nb::is_arithmetic(),
                              "What happens with a message that comes to a full mailbox.")
      .value("WAIT", CORACLE_WAIT, "Its sender waits.")
      .value("FAIL", CORACLE_FAIL, "Its sender gets MailboxFull.")
      .value("DROP_OLDEST", CORACLE_DROP_OLDEST)
      .value("DROP_NEWEST", CORACLE_DROP_NEWEST)
      .value("KEEP_LATEST", CORACLE_KEEP_LATEST, "It replaces an unread one of the same sender.")
      .value("REDIRECT", CORACLE_REDIRECT, "It goes to another agent.");
  nb::enum_<coracle_stage>(module, "Stage", nb::is_arithmetic(), "How far a message has come.")
      .value("ACCEPTED", CORACLE_ACCEPTED)
      .value("STORED", CORACLE_STORED)
      .value("DELIVERED", CORACLE_DELIVERED)
      .value("CONSUMED", CORACLE_CONSUMED);
  nb::enum_<coracle_end_reason>(module, "EndReason", nb::is_arithmetic(), "Why an agent has ended.")
      .value("STOPPED", CORACLE_ENDED_STOPPED)
      .value("CRASHED", CORACLE_ENDED_CRASHED)
      .value("UNREACHABLE", CORACLE_ENDED_UNREACHABLE)
      .value("EXPIRED", CORACLE_ENDED_EXPIRED)
      .value("FENCED", CORACLE_ENDED_FENCED);
}

}  // namespace coracle::py
