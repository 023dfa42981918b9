#include "command.hpp"

#include "failures.hpp"
#include "harness/machines/host.hpp"
#include "measured_society.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <utility>

namespace coracle::bench {

namespace {

// Bounds beyond which no measurement makes sense; they also keep arithmetic far from its limits.
constexpr std::uint32_t most_agents = 10'000'000;
constexpr std::uint32_t most_pairs = 100'000;
constexpr std::uint32_t most_waiting = 1'000'000;
constexpr std::size_t most_bytes = std::size_t{16} << 20;

// The groups of options that only some scenarios take.
constexpr const char* sizes = "Sizes";
constexpr const char* hosts = "Hosts";

template <class Value>
CLI::Option* add(CLI::App& app, const char* group, const char* name, Value& value,
                 const char* what) {
  return app.add_option(name, value, what)->group(group);
}

template <class Value, class Number>
CLI::Option* add_size(CLI::App& app, const char* name, Value& value, Number least, Number most,
                      const char* what) {
  return add(app, sizes, name, value, what)->check(CLI::Range(least, most));
}

void define_common(CLI::App& app, Command& command, std::string& scenario) {
  Options& options = command.options;
  app.add_option("scenario", scenario, "The scenario to measure; `all` measures everything")
      ->required();
  app.add_option(
         "--realization", command.realizations,
         "The realizations, such as local: (several with commas); with settings of a "
         "clearinghouse, as in central://127.0.0.1:1?delivery=poll (or notify), ?matching=linear")
      ->delimiter(',');
  app.add_option("--json", command.json, "Write JSON lines to a file; - is standard output");
  app.add_option("--report", command.report, "With `all`: write a page with figures here");
  app.add_option("--record", options.record,
                 "Record what its societies do: FILE, FILE.2, ... (the numbers mean less then)");
  app.add_flag("--quick", options.quick, "Small sizes, to see that everything works");
  app.add_flag("--pin", options.pin, "Bind each worker to a processor of its own");
  app.add_option("--repeat", options.repeat, "Repeats, interleaved with their floor")
      ->check(CLI::Range(1U, 1000U));
}

void define_own(CLI::App& app, Options& options) {
  add_size(app, "--workers", options.workers, 1U, 64U, "Threads that run agents");
  add_size(app, "--size", options.size, std::size_t{0}, most_bytes, "Bytes of each content");
  add_size(app, "--waiting", options.waiting, 0U, most_waiting,
           "Messages of others that wait in the pinger's mailbox");
  add_size(app, "--senders", options.senders, 1U, most_pairs, "Senders to one receiver");
  add_size(app, "--pairs", options.pairs, 1U, most_pairs,
           "The number of pairs, clients or senders");
  add_size(app, "--count", options.count, 1U, most_agents,
           "The number of agents, names, tuples or patterns");
  add_size(app, "--rate", options.rate, 1.0, 1e9, "Offered round trips per second (an open loop)");
  app.add_flag("--apart", options.apart, "Partners live on different workers")->group(sizes);
  add_size(app, "--seconds", options.seconds, 0.001, 3600.0, "Seconds that one repeat measures");
  add_size(app, "--stages", options.stages, 2U, 1000U, "The number of stages");
  add_size(app, "--processes", options.processes, 1U, 64U, "Processes that take part");
  add_size(app, "--delay", options.delays, 0U, 10'000U,
           "Milliseconds that each agent pauses in every turn (several with commas)")
      ->delimiter(',');
  add_size(app, "--messages", options.messages, 1U, 1'000'000U,
           "Messages from each agent to each neighbour");
  add(app, sizes, "--systems", options.systems, "The other systems (several with commas)")
      ->delimiter(',');
  add(app, sizes, "--peers", options.peers, "The folder with the programs of other systems");
  add(app, hosts, "--hosts", options.hosts,
      "`all` that have joined, or their number, with this one");
  add(app, hosts, "--listen", options.listen,
      "With --hosts: ADDRESS:PORT of this host; worker: where others connect to it");
  add(app, hosts, "--place", options.place,
      "With --hosts: a file with the number of a host for each agent; otherwise in turn");
  add(app, hosts, "--join", options.join, "ADDRESS:PORT of the host that measures");
  add(app, sizes, "sizes", options.shapes,
      "full, reads: agents, such as 3 6 10; council: GROUPS-MEMBERS, such as 3-6; tree: "
      "LEVELS-CHILDREN, such as 4-2; fan-in, bound, couples, occupancy: pairs; nodes: a number");
}

// The options that only some scenarios take, in the order of their definition.
std::vector<CLI::Option*> own_options(CLI::App& app) {
  return app.get_options([](const CLI::Option* option) {
    return option->get_group() == sizes || option->get_group() == hosts;
  });
}

std::string list_of(std::span<const Scenario> scenarios) {
  std::string out = "Scenarios:\n";
  for (const Scenario& scenario : scenarios) {
    out += fmt::format("  {:<15}{}\n", scenario.name, scenario.summary);
  }
  return out + fmt::format("  {:<15}{}\n", "all", "all scenarios, in several forms");
}

bool takes(std::string_view list, const std::string& option) {
  return fmt::format(" {} ", list).find(" " + option + " ") != std::string::npos;
}

// With --hosts, a scenario whose agents are not spread over hosts fails, and names the scenarios
// whose agents are.
void refuse_one_host(const Scenario& scenario) {
  if (takes(scenario.takes, "--hosts")) return;
  std::string_view why = "it measures one process, or two of one host";
  if (scenario.is_joint)
    why = "it compares several realizations, each with a service of its own on this host";
  if (takes(scenario.takes, "--join")) why = "it takes part in what the host at --join measures";
  throw BadRequest(fmt::format("{} does not take --hosts: {}; council, full, reads and tree do",
                               scenario.name, why));
}

// Every option that was given has to have an effect.
void refuse_idle_options(CLI::App& app, const Command& command) {
  for (const CLI::Option* given : own_options(app)) {
    if (given->count() == 0) continue;
    const std::string option = given->get_name();
    if (command.is_all) {
      throw BadRequest(fmt::format("`all` chooses its own sizes; leave {} away", option));
    }
    const Scenario& scenario = *command.scenarios.front();
    if (option == "--hosts") refuse_one_host(scenario);
    if (!takes(scenario.takes, option)) {
      throw BadRequest(fmt::format("{} does not take {}; besides the common options it takes: {}",
                                   scenario.name, option, scenario.takes));
    }
  }
  if (!command.report.empty() && !command.is_all) {
    throw BadRequest("--report goes with `all`; use --json FILE for one scenario");
  }
}

void refuse_recording(const Command& command) {
  if (command.options.record.empty()) return;
  if (command.is_all || command.realizations.size() > 1) {
    throw BadRequest("--record goes with one scenario on one realization; name them");
  }
  if (command.scenarios.front()->name == "floor") {
    throw BadRequest("floor has no society that could be recorded; leave --record away");
  }
  if (command.options.record.find(',') != std::string::npos) {
    throw BadRequest(fmt::format("--record needs the name of a file without a comma, not '{}'",
                                 command.options.record));
  }
}

void refuse_hosts(const Command& command) {
  if (command.options.hosts.empty()) return;
  if (command.realizations.size() > 1) {
    throw BadRequest("--hosts measures one realization; name distributed: or central:");
  }
  if (command.options.processes > 1 || !command.options.record.empty()) {
    throw BadRequest("with --hosts each host is one process; leave --processes and --record away");
  }
}

void refuse_impossible(const Command& command) {
  const Options& options = command.options;
  if (options.apart && options.workers < 2) {
    throw BadRequest("--apart puts partners on different workers; add --workers 2");
  }
  if (options.pin && options.workers > cores()) {
    throw BadRequest(fmt::format("--pin binds {} workers to processors, but there are only {}",
                                 options.workers, cores()));
  }
  if (options.rate && options.waiting > 0) {
    throw BadRequest("--rate and --waiting cannot be combined; measure one after the other");
  }
  for (const std::string& realization : command.realizations) {
    if (options.processes > 1 && realization.starts_with("local:")) {
      throw BadRequest(
          "local: is one process, so --processes cannot be more than 1; choose a realization that "
          "connects processes, or --workers for more threads");
    }
  }
  if (options.processes == 1) return;
  const bool is_graph = !command.is_all && takes(command.scenarios.front()->takes, "--messages");
  if (options.processes > 2 && !is_graph) {
    throw BadRequest("this scenario runs between two processes; use --processes 2");
  }
  if (options.waiting > 0 || options.rate || options.apart || !options.record.empty()) {
    throw BadRequest(
        "--waiting, --rate, --apart and --record are of one process; leave --processes away");
  }
}

// Makes the help that of one scenario, if the command line names one.
void describe(CLI::App& app, const std::string& name, std::span<const Scenario> scenarios) {
  for (const Scenario& scenario : scenarios) {
    if (name != scenario.name) continue;
    app.description(fmt::format("{}: {}", name, scenario.summary));
    const bool is_usual = scenario.realization.empty();
    app.footer(is_usual ? "" : fmt::format("Usually it runs on {}", scenario.realization));
    for (CLI::Option* option : own_options(app))
      if (!takes(scenario.takes, option->get_name())) option->group("");
  }
}

std::vector<const Scenario*> choose(const std::string& name, std::span<const Scenario> scenarios) {
  std::vector<const Scenario*> chosen;
  for (const Scenario& scenario : scenarios) {
    if (name == scenario.name || name == "all") chosen.push_back(&scenario);
  }
  if (chosen.empty()) {
    throw BadRequest(fmt::format("there is no scenario `{}`\n{}", name, list_of(scenarios)));
  }
  return chosen;
}

}  // namespace

Command read_command(int argc, char** argv, std::span<const Scenario> scenarios) {
  Command command;
  std::string scenario;
  CLI::App app(
      "Measures how agents exchange messages. Every number comes with its floor, and a run that "
      "did not do its work prints none.");
  app.footer(list_of(scenarios) + "coracle-bench SCENARIO --help lists the options it takes");
  define_common(app, command, scenario);
  define_own(app, command.options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    describe(app, scenario, scenarios);
    std::exit(app.exit(help));
  } catch (const CLI::ParseError& error) {
    throw BadRequest(fmt::format("{}; --help lists the options", error.what()));
  }
  command.is_all = scenario == "all";
  command.scenarios = choose(scenario, scenarios);
  refuse_idle_options(app, command);
  if (command.realizations.empty()) {
    std::string_view usual = command.is_all ? "" : command.scenarios.front()->realization;
    if (!command.options.hosts.empty()) usual = "distributed:";
    for (std::size_t end = 0; end != std::string_view::npos; usual.remove_prefix(end + 1)) {
      end = usual.find(',');
      command.realizations.emplace_back(usual.substr(0, end));
      if (end == std::string_view::npos) break;
    }
  }
  for (std::string& realization : command.realizations) {
    realization = realization_name(realization);
  }
  refuse_recording(command);
  refuse_hosts(command);
  refuse_impossible(command);
  return command;
}

}  // namespace coracle::bench
