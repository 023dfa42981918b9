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
}

}  // namespace coracle::command
