// coracle: looks at societies and takes part in them, from a shell.
#include "commands.hpp"
#include "quote.hpp"

#include "realizations/net/src/shown_setting.hpp"

#include "coracle/content.hpp"
#include "coracle/errors.hpp"
#include "coracle/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <functional>

namespace coracle::command {

namespace {

void add_realization(CLI::App& app, Place& place) {
  app.add_option("--realization", place.realization,
                 "How messages travel, as in central://127.0.0.1:4410 or, to study another way, "
                 "central://127.0.0.1:4410?delivery=poll (or notify), ?matching=linear; otherwise "
                 "CORACLE_REALIZATION says so");
}

void add_place(CLI::App& app, Place& place) {
  add_realization(app, place);
  app.add_flag("--json", place.json, "Write lines of JSON, for programs");
}

// What looks at a society and says nothing.
void add_looks(CLI::App& app, ListSettings& list, DrawSettings& drawing,
               std::function<int()>& act) {
  CLI::App& ls = *app.add_subcommand("ls", "Lists the agents of a society");
  add_place(ls, list.place);
  ls.add_option("prefix", list.prefix, "Only names within this one");
  ls.add_flag("--all", list.all, "Groups with their members, too, and nodes with their leases");
  ls.callback([&] { act = [&] { return run_ls(list); }; });
  CLI::App& draw =
      *app.add_subcommand("draw", "Draws who plays which roles, and who deals with whom");
  add_place(draw, drawing.place);
  draw.add_option("prefix", drawing.prefix, "Only names within this one");
  draw.add_flag("--dot", drawing.dot, "For Graphviz: coracle draw --dot | dot -Tsvg");
  draw.callback([&] { act = [&] { return run_draw(drawing); }; });
}

void add_service(CLI::App& app, ServiceSettings& settings) {
  app.add_option("--listen", settings.listen, "Where nodes may connect, as in 127.0.0.1:4410")
      ->required();
  app.add_option("--society", settings.society, "Which society it is");
  app.add_option("--key", settings.key,
                 "The society's key, from `coracle keys --society-key`, or the path of a file with "
                 "it; this or --tls is needed beyond this host. It does not protect the society "
                 "from its own members: --tls does")
      ->envname("CORACLE_KEY");
  app.add_option("--tls", settings.tls, "The folder with its certificate, from `coracle keys`")
      ->envname("CORACLE_TLS");
  app.add_flag("--insecure", settings.insecure,
               "Lets plain text leave this host, which others can read and change");
  app.add_option("--policy", settings.policy,
                 "The file that says who may do what; it is read again on SIGHUP");
  app.add_option(
      "--data", settings.data,
      "The folder in which it keeps messages for absent agents when their senders' nodes "
      "stop, so that a restart has them");
  app.add_option("--content-limit", settings.content_limit,
                 "The largest message that it keeps for somebody, as in 64MiB; up to 1GiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::size_t{1}, coracle::max_content_bytes));
}

void add_central(CLI::App& app, ServiceSettings& central, std::function<int()>& act) {
  CLI::App& clear = *app.add_subcommand(
      "central", "Serves a society as its clearinghouse, by which all messages go");
  add_service(clear, central);
  clear.callback([&] { act = [&] { return run_central(central); }; });
}

void add_keys(CLI::App& app, KeysSettings& settings, std::function<int()>& act) {
  CLI::App& keys = *app.add_subcommand(
      "keys",
      "Makes what proves that a node belongs to a society. There are two ways:\n\n"
      "  coracle keys --society-key   prints a key, which all nodes of the society share\n"
      "  coracle keys FOLDER NODE     makes the certificate of a node, and first the society's\n"
      "                               authority if there is none\n\n"
      "A SHARED KEY DOES NOT PROTECT A SOCIETY FROM ITS OWN MEMBERS: whoever has it may call\n"
      "its node what it likes, answer in another's place, and cannot be told from others or be\n"
      "shut out alone. With certificates each node is who it is, a policy can say what it may\n"
      "do, and one can be revoked. Use a key among machines that are all yours.");
  keys.add_flag("--society-key", settings.society_key, "Prints a fresh society key");
  keys.add_option("folder", settings.folder, "Where the authority is, or will be");
  keys.add_option("node", settings.node, "What the node is called, such as its host");
  keys.add_option("--society", settings.society, "Which society it is for");
  keys.add_option("--host", settings.hosts, "By which names and addresses others reach it");
  keys.add_option("--days", settings.days, "How long it is good")->check(CLI::Range(1, 36500));
  keys.add_flag("--renew", settings.renew,
                "Makes another certificate in place of the one that there is; a node that runs "
                "reads it within seconds");
  keys.add_flag("--revoke", settings.revoke,
                "Revokes all certificates that the node was given: writes crl.pem, which goes "
                "into the folder of every node");
  keys.callback([&] { act = [&] { return run_keys(settings); }; });
}

// What an operator asks.
struct Operating {
  StatsSettings stats;
  AuditSettings audit;
  DoctorSettings doctor;
  TraceSettings trace;
  QueueSettings queue;
};

void add_operating(CLI::App& app, Operating& settings, std::function<int()>& act) {
  CLI::App& stats = *app.add_subcommand(
      "stats",
      "Counts the nodes, agents and groups of a society, and what its clearinghouse has\n"
      "passed on, refused and still keeps for nodes that take nothing");
  add_place(stats, settings.stats.place);
  stats.callback([&] { act = [&] { return run_stats(settings.stats); }; });

  CLI::App& audit = *app.add_subcommand(
      "audit",
      "Prints what the policy of a society has refused, as lines of JSON: to which node, which\n"
      "right it lacked, who would have acted on what, and how often. A line comes again when it\n"
      "happens again. The policy says who may see it");
  add_place(audit, settings.audit.place);
  audit.add_flag("--once", settings.audit.once, "Ends when all that was refused is told");
  audit.callback([&] { act = [&] { return run_audit(settings.audit); }; });

  CLI::App& doctor = *app.add_subcommand(
      "doctor",
      "Goes the way of a node that connects, step by step: text, name, tcp (or socket), tls,\n"
      "greeting, version, society, identity, service, policy. The first step that FAILs says what\n"
      "to do. Ends with 0 when all are ok, with 1 when one is not.");
  add_place(doctor, settings.doctor.place);
  doctor.add_option("--as", settings.doctor.as, "Registers that name for a moment, too");
  doctor.add_option("--within", settings.doctor.within, "How many seconds each step may take")
      ->check(CLI::Range(0.1, 1e6));
  doctor.callback([&] { act = [&] { return run_doctor(settings.doctor); }; });

  CLI::App& queue = *app.add_subcommand(
      "queue",
      "Shows what waits for an agent, on whatever node that is, and takes nothing: what\n"
      "has come and was not read, or, if there is no such agent, what is kept for it");
  add_place(queue, settings.queue.place);
  queue.add_option("name", settings.queue.name, "For which agent")->required();
  queue.callback([&] { act = [&] { return run_queue(settings.queue); }; });

  CLI::App& trace = *app.add_subcommand(
      "trace",
      "Prints one conversation as a time-line, or all of them without a number.\n"
      "It overhears what is said from now on; or reads a file that record=FILE made, with\n"
      "what became of each message. --json shows the numbers of conversations.");
  add_place(trace, settings.trace.place);
  trace.add_option("conversation", settings.trace.conversation, "The number of the conversation");
  trace.add_option("--as", settings.trace.as, "Who eavesdrops");
  trace.add_option("--recording", settings.trace.recording, "Reads that recording instead");
  trace.add_option("--count", settings.trace.count, "Ends after so many; otherwise it goes on");
  trace.callback([&] { act = [&] { return run_trace(settings.trace); }; });
}

// Reads the command line, and does what it says.
int obey(CLI::App& app, int argc, char** argv, const std::function<int()>& act) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    // It would quote all of them, and there may be a key among them.
    std::string names;
    for (const std::string& word : app.remaining(true)) {
      if (word.starts_with('-')) names += " " + net::shown_setting(word.substr(0, word.find('=')));
    }
    fmt::print(stderr, "coracle: it cannot do with{}; see coracle --help\n",
               names.empty() ? " so many words" : names);
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_usage;
  }
  try {
    return act();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle: {}\n", detail::shown(error.what()));
    return failed;
  }
}

int run(int argc, char** argv) {
  CLI::App app(
      "Looks at societies of agents and takes part in them.\n\n"
      "  coracle central --listen 127.0.0.1:4410 --data ./society\n"
      "  coracle send   --realization central://127.0.0.1:4410 --as ann --to bob hello\n"
      "  coracle listen --realization central://127.0.0.1:4410 --as bob --count 1");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(version));
  std::function<int()> act;

  ServiceSettings directory;
  ServiceSettings central;
  CLI::App& serve = *app.add_subcommand("directory", "Serves the directory of a society");
  add_service(serve, directory);
  serve.add_option("--beacon", directory.beacon,
                   "Where nodes look for it on a LAN, as in 239.192.44.10:4410, or off");
  serve.callback([&] { act = [&] { return run_directory(directory); }; });

  add_central(app, central, act);
  KeysSettings keys;
  add_keys(app, keys, act);

  ListSettings list;
  DrawSettings drawing;
  add_looks(app, list, drawing, act);

  Operating operating;
  add_operating(app, operating, act);

  SendSettings sending;
  CLI::App& send = *app.add_subcommand("send", "Sends one message");
  add_realization(send, sending.place);
  send.add_option("--as", sending.as, "Who sends")->required();
  send.add_option("--to", sending.to, "Who shall get it")->required();
  send.add_option("--within", sending.within,
                  "How many seconds an agent that is there may take to get it")
      ->check(CLI::Range(0.0, 1e6));
  CLI::Option& text = *send.add_option("text", sending.text, "What is said");
  CLI::Option& type =
      *send.add_option("--type", sending.type, "The name of a content type, instead of a text");
  CLI::Option& json = *send.add_option("--json", sending.json,
                                       "Its value, as JSON; the fields of a struct are an array");
  text.excludes(&type)->excludes(&json);
  type.needs(&json);
  json.needs(&type);
  send.callback([&] {
    if (sending.text.empty() && sending.json.empty())
      throw CLI::ValidationError("there is nothing to send; give a text, or --type and --json");
    act = [&] { return run_send(sending); };
  });

  ListenSettings listening;
  CLI::App& listen = *app.add_subcommand("listen", "Prints the messages that an agent gets");
  add_place(listen, listening.place);
  listen.add_option("--as", listening.as, "Which agent")->required();
  listen.add_option("--count", listening.count, "Ends after so many; otherwise it goes on");
  listen.callback([&] { act = [&] { return run_listen(listening); }; });

  TapSettings tapping;
  CLI::App& tap = *app.add_subcommand("tap", "Prints what others say to each other");
  add_place(tap, tapping.place);
  tap.add_option("--as", tapping.as, "Who eavesdrops")->required();
  tap.add_option("--source", tapping.source, "Only from names that this expression matches");
  tap.add_option("--target", tapping.target, "Only to names that this expression matches");
  tap.add_option("--text", tapping.text, "Only texts that this expression matches");
  tap.add_option("--count", tapping.count, "Ends after so many; otherwise it goes on");
  tap.callback([&] { act = [&] { return run_tap(tapping); }; });

  return obey(app, argc, argv, act);
}

}  // namespace

}  // namespace coracle::command

int main(int argc, char** argv) { return coracle::command::run(argc, argv); }
