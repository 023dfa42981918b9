// coracle end, coracle restart, coracle record: an operator's acts on agents.
#include "commands.hpp"
#include "errand.hpp"
#include "inspected.hpp"

#include "coracle/operating.hpp"

#include <string>

namespace coracle::command {

namespace {

int perform(const ActSettings& settings, OperatorAct act, const char* done_to) {
  Node node(open_to_inspect(settings.place));
  operate(node, act, Name(settings.name));
  if (settings.place.json) print_json("true");
  else print_line(settings.name + done_to);
  return done;
}

}  // namespace

int run_end(const ActSettings& settings) {
  return perform(settings, OperatorAct::end, " has ended");
}

int run_restart(const ActSettings& settings) {
  return perform(settings, OperatorAct::restart, " restarts");
}

int run_record(const ActSettings& settings) {
  return settings.off ? perform(settings, OperatorAct::leave, " is no longer recorded")
                      : perform(settings, OperatorAct::record, " is recorded");
}

}  // namespace coracle::command
