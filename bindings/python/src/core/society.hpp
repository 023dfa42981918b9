// Properties, entries and tuples as values of Python.
#pragma once

#include "errors.hpp"

#include <vector>

namespace coracle::py {

class InHand;
class Port;

// Takes the handle's object over.
nb::object messages_of(coracle_messages*& list, InHand* whose);
nb::object entries_of(coracle_entries* entries);
nb::object names_of(coracle_entries* entries);
nb::object tuple_of(coracle_tuple* tuple);
// Puts a tuple back into its space; that it was taken is of no use to anybody.
void put_back(nb::handle port, const std::string& space, const coracle_tuple* tuple);
nb::object value_of(const coracle_field& field);

// A dict of properties as the library takes it; the dict must live as long.
std::vector<coracle_property> properties_of(nb::handle dict);
// A dict of conditions: a value, which must be equal, or a tuple of a comparison and a value.
std::vector<coracle_condition> conditions_of(nb::handle where);
// A value of Python as a property's, or as a tuple's field; a type is a field of any value.
void set_value(coracle_property& property, nb::handle value);
std::vector<coracle_field> fields_of(nb::handle values);

// The functions of a port beyond messages.
void define_society(nb::class_<Port>& port);
void define_tuples(nb::class_<Port>& port);
void define_values(nb::module_& module);

}  // namespace coracle::py
