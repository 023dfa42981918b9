// Results of calls, and of operations of roles, as objects of Python.
#pragma once

#include "errors.hpp"

namespace coracle::py {

nb::object value_of(const coracle_result* result, std::size_t number, nb::handle type);
nb::object values_of(const coracle_result* result, nb::handle type);
nb::object decision_of(const coracle_result* result);
nb::object settlement_of(const coracle_result* result);
nb::object outcome_of(const coracle_result* result);

}  // namespace coracle::py
