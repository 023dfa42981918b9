#include "logs.hpp"

#include "errors.hpp"

#include <coracle.h>

namespace coracle::py {

namespace {

int open_log() {
  int descriptor = -1;
  check(coracle_log_open(&descriptor));
  return descriptor;
}

// Returns None if no line waits.
nb::object next_line() {
  coracle_log_line line{};
  line.size = sizeof line;
  bool is_there = false;
  check(coracle_log_next(&line, &is_there));
  if (!is_there) return nb::none();
  return nb::make_tuple(static_cast<int>(line.level), line.part, line.text);
}

void set_log(const char* levels) { check(coracle_log_set(levels)); }

}  // namespace

void define_logs(nb::module_& module) {
  module.def("_open_log", &open_log);
  module.def("_next_line", &next_line);
  module.def("_close_log", [] { coracle_log_close(); });
  module.def(
      "set_log", &set_log, nb::arg("levels"),
      "Selects the library's log lines: 'debug' for all parts, 'link=trace' for one, 'off'.");
}

}  // namespace coracle::py
