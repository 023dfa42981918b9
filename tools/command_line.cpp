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

namespace {

void add_inspecting(CLI::App& app, Operating& settings, std::function<int()>& act) {
  CLI::App& queue = *app.add_subcommand(
      "queue",
      "Lists the unread messages of an agent, on any node, without reading them; if there is\n"
      "no such agent, the messages that are stored for it");
  add_place(queue, settings.queue.place);
  queue.add_option("name", settings.queue.name, "The name of the agent")->required();
  queue.callback([&] { act = [&] { return run_queue(settings.queue); }; });

  CLI::App& why = *app.add_subcommand(
      "why",
      "Prints why an agent waits: the agents that wait for each other, one on each line, until\n"
      "one that waits for nobody, or a circle");
  add_place(why, settings.why.place);
  why.add_option("name", settings.why.name, "The name of the agent")->required();
  why.callback([&] { act = [&] { return run_why(settings.why); }; });
}

void add_acts(CLI::App& app, Operating& settings, std::function<int()>& act) {
  CLI::App& end = *app.add_subcommand(
      "end", "Ends an agent, on any node. The policy determines who may do that");
  add_place(end, settings.end.place);
  end.add_option("name", settings.end.name, "The name of the agent")->required();
  end.callback([&] { act = [&] { return run_end(settings.end); }; });

  CLI::App& restart = *app.add_subcommand(
      "restart", "Has an agent's supervisor restart it. The policy determines who may do that");
  add_place(restart, settings.restart.place);
  restart.add_option("name", settings.restart.name, "The name of the agent")->required();
  restart.callback([&] { act = [&] { return run_restart(settings.restart); }; });
}

void add_reports(CLI::App& app, Operating& settings, std::function<int()>& act) {
  CLI::App& stats = *app.add_subcommand(
      "stats",
      "Counts the nodes, agents and groups of a society, and what its clearinghouse has\n"
      "passed on, refused and still keeps for nodes that do not receive");
  add_place(stats, settings.stats.place);
  stats.callback([&] { act = [&] { return run_stats(settings.stats); }; });

  CLI::App& audit = *app.add_subcommand(
      "audit",
      "Prints the refusals of a society's policy as lines of JSON: the refused node, the missing\n"
      "right, the names concerned, and how often. When a refusal happens again, its line is\n"
      "printed again. The policy determines who may see the refusals");
  add_place(audit, settings.audit.place);
  audit.add_flag("--once", settings.audit.once, "Ends after printing the refusals so far");
  audit.callback([&] { act = [&] { return run_audit(settings.audit); }; });

  CLI::App& doctor = *app.add_subcommand(
      "doctor",
      "Connects as a node does, and reports each step: text, name, tcp (or socket), tls,\n"
      "greeting, version, society, identity, service, policy. The text of the first step that\n"
      "FAILs says what to do. Ends with 0 when all are ok, with 1 when one is not.");
  add_place(doctor, settings.doctor.place);
  doctor.add_option("--as", settings.doctor.as, "Also registers that name for a moment");
  doctor.add_option("--within", settings.doctor.within, "Seconds that each step may take")
      ->check(CLI::Range(0.1, 1e6));
  doctor.callback([&] { act = [&] { return run_doctor(settings.doctor); }; });

  CLI::App& trace = *app.add_subcommand(
      "trace",
      "Prints one conversation as a time-line, or all of them without a number.\n"
      "It overhears messages from now on; or it reads a file that record=FILE made, with\n"
      "the outcome of each message. --json shows the numbers of conversations.");
  add_place(trace, settings.trace.place);
  trace.add_option("conversation", settings.trace.conversation, "The number of the conversation");
  trace.add_option("--as", settings.trace.as, "The name of the eavesdropper");
  trace.add_option("--recording", settings.trace.recording, "Reads that recording instead");
  trace.add_option("--count", settings.trace.count,
                   "Ends after this many messages; default: never");
  trace.callback([&] { act = [&] { return run_trace(settings.trace); }; });
}

}  // namespace

void add_operating(CLI::App& app, Operating& settings, std::function<int()>& act) {
  add_reports(app, settings, act);
  add_inspecting(app, settings, act);
  add_acts(app, settings, act);
}

}  // namespace coracle::command
