// The commands for one agent, on any node.
#include "command_line.hpp"

namespace coracle::command {

namespace {

template <class Settings>
void add_one(CLI::App& app, Act& act, const char* name, const char* text,
             int (*run)(const Settings&)) {
  const auto [command, settings] = add_command(app, act, name, text, run);
  add_place(command, settings.place);
  command.add_option("name", settings.name, "The name of the agent")->required();
}

void add_step(CLI::App& app, Act& act) {
  const auto [step, settings] = add_command(
      app, act, "step",
      "Holds messages on their way to agents, for debugging, and shows them. Each line of the\n"
      "standard input releases some: an empty line one, a number so many, 'all' all of them;\n"
      "'scramble on' has them released in a random order. At its end, or at 'quit', all are\n"
      "released. The policy determines who may do that",
      run_step);
  add_place(step, settings.place);
  step.add_option("pattern", settings.pattern, "The receivers, as in 'lab/**'")->required();
  step.add_option("--from", settings.from, "Only messages from names of this pattern");
  step.add_option("--text", settings.text, "Only texts in which this expression is found");
  step.add_option("--limit", settings.limit,
                  "Each node holds so many at most; then the oldest goes on")
      ->check(CLI::Range(1, 10'000));
  step.add_flag("--scramble", settings.scramble, "Releases them in a random order");
  step.add_option("--as", settings.as, "The name of the operator's agent");
}

void add_record(CLI::App& app, Act& act) {
  const auto [record, settings] = add_command(
      app, act, "record",
      "Adds an agent to the recording of its node, which must have record_marked=FILE in its\n"
      "realization. The policy determines who may do that",
      run_record);
  add_place(record, settings.place);
  record.add_option("name", settings.name, "The name of the agent")->required();
  record.add_flag("--off", settings.off, "Takes it out of the recording");
}

}  // namespace

void add_operating(CLI::App& app, Act& act) {
  add_one(app, act, "queue",
          "Lists the unread messages of an agent, on any node, without reading them; if there is\n"
          "no such agent, the messages that are stored for it",
          run_queue);
  add_one(
      app, act, "why",
      "Prints why an agent waits: the agents that wait for each other, one on each line, until\n"
      "one that waits for nobody, or a circle",
      run_why);
  add_one(app, act, "end", "Ends an agent, on any node. The policy determines who may do that",
          run_end);
  add_one(app, act, "restart",
          "Has an agent's supervisor restart it. The policy determines who may do that",
          run_restart);
  add_record(app, act);
  add_step(app, act);
}

}  // namespace coracle::command
