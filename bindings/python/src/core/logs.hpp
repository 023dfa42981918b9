// The library's log lines, for the logging of Python.
#pragma once

#include <nanobind/nanobind.h>

namespace coracle::py {

namespace nb = nanobind;

void define_logs(nb::module_& module);

}  // namespace coracle::py
