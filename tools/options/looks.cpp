// The commands that look at a society and send nothing.
#include "command_line.hpp"

namespace coracle::command {

namespace {

void add_doctor(CLI::App& app, Act& act) {
  const auto [doctor, settings] = add_command(
      app, act, "doctor",
      "Connects as a node does, and reports each step: text, name, tcp (or socket), tls,\n"
      "greeting, version, society, identity, service, policy. The text of the first step that\n"
      "FAILs says what to do. Ends with 0 when all are ok, with 1 when one is not.",
      run_doctor);
  add_place(doctor, settings.place);
  doctor.add_option("--as", settings.as, "Also registers that name for a moment");
  doctor.add_option("--within", settings.within, "Seconds that each step may take")
      ->check(CLI::Range(0.1, 1e6));
}

void add_top(CLI::App& app, Act& act) {
  const auto [top, settings] = add_command(
      app, act, "top",
      "Shows the agents of a society, and each second the messages that they send and consume,\n"
      "their mailboxes, their errors, and what they wait for: on a terminal as a screen that\n"
      "obeys keys, elsewhere as a table each second. The policy determines which agents it may\n"
      "inspect",
      run_top);
  add_place(top, settings.place);
  top.add_option("prefix", settings.prefix, "Only names within this one");
  top.add_flag("--once", settings.once, "Prints one table, and ends");
  top.add_option("--count", settings.count, "Prints so many tables, and ends");
}

}  // namespace

void add_looks(CLI::App& app, Act& act) {
  const auto [ls, list] = add_command(app, act, "ls", "Lists the agents of a society", run_ls);
  add_place(ls, list.place);
  ls.add_option("prefix", list.prefix, "Only names within this one");
  ls.add_flag("--all", list.all,
              "Also lists groups with their members, and nodes with their leases");

  const auto [draw, drawing] = add_command(
      app, act, "draw", "Draws the agents' roles and the connections between them", run_draw);
  add_place(draw, drawing.place);
  draw.add_option("prefix", drawing.prefix, "Only names within this one");
  draw.add_flag("--dot", drawing.dot, "For Graphviz: coracle draw --dot | dot -Tsvg");

  const auto [stats, counting] = add_command(
      app, act, "stats",
      "Counts the nodes, agents and groups of a society, and what its clearinghouse has\n"
      "passed on, refused and still keeps for nodes that do not receive",
      run_stats);
  add_place(stats, counting.place);

  const auto [audit, refusals] = add_command(
      app, act, "audit",
      "Prints the refusals of a society's policy as lines of JSON: the refused node, the missing\n"
      "right, the names concerned, and how often. When a refusal happens again, its line is\n"
      "printed again. The policy determines who may see the refusals",
      run_audit);
  add_place(audit, refusals.place);
  audit.add_flag("--once", refusals.once, "Ends after printing the refusals so far");

  add_doctor(app, act);
  add_top(app, act);
}

}  // namespace coracle::command
