#include "command_line.hpp"

namespace coracle::command {

void add_realization(CLI::App& app, Place& place) {
  app.add_option("--realization", place.realization,
                 "The realization, as in central://127.0.0.1:4410 or, to study another algorithm, "
                 "central://127.0.0.1:4410?delivery=poll (or notify), ?matching=linear; by default "
                 "that of CORACLE_REALIZATION");
}

void add_place(CLI::App& app, Place& place) {
  add_realization(app, place);
  app.add_flag("--json", place.json, "Write lines of JSON, for programs");
}

}  // namespace coracle::command
