// The commands that show a society in the ways of other tools, in a build that has them.
#include "command_line.hpp"

namespace coracle::command {

namespace {

#ifdef CORACLE_HAS_VIEW
void add_export(CLI::App& app, Act& act) {
  const auto [command, settings] = add_command(
      app, act, "export",
      "Writes the messages of a recording, which record=FILE made, or those of a running society,\n"
      "in the format of another tool: lines of JSON, a sequence diagram of Mermaid, a graph of\n"
      "Graphviz, a trace of Perfetto, or traces of OpenTelemetry. Those of a running society are\n"
      "overheard until SIGINT. The format prometheus has the counts of a running society",
      run_export);
  add_realization(command, settings.place);
  CLI::Option* const recording =
      command.add_option("--recording", settings.recording, "The file of the recording");
  command
      .add_option("--format", settings.format,
                  "ndjson, mermaid, graphviz, perfetto, otlp or prometheus")
      ->required()
      ->check(CLI::IsMember({"ndjson", "mermaid", "graphviz", "perfetto", "otlp", "prometheus"}));
  CLI::Option* const output =
      command.add_option("--output", settings.output, "The file to write, not the standard output");
  command
      .add_option("--to", settings.to,
                  "The URL of a collector that otlp is sent to, as in http://127.0.0.1:4318")
      ->excludes(output);
  command.add_option("--name", settings.names,
                     "Only messages from or to such names, or to such groups, as in 'lab/**'; may "
                     "be repeated");
  command.add_option("--type", settings.types,
                     "Only content types of this pattern; may be repeated");
  command.add_option("--conversation", settings.conversation, "Only that conversation");
  command.add_option("--from", settings.from, "Only messages sent from this second on")
      ->check(CLI::Range(0.0, 1e9));
  command.add_option("--until", settings.until, "Only messages sent before this second")
      ->check(CLI::Range(0.0, 1e9));
  command.add_option("--service", settings.service, "For otlp: the name of the service");
  command
      .add_option("--began", settings.began,
                  "For otlp: the time at which the recording began, in seconds since 1970; by "
                  "default, its file was written last at its end")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{9'000'000'000}));
  command
      .add_option("--seconds", settings.seconds,
                  "For a running society: ends after this many seconds")
      ->excludes(recording)
      ->check(CLI::Range(0.001, 1e6));
  command
      .add_option("--count", settings.count,
                  "For a running society: ends after this many messages, once they have outcomes")
      ->excludes(recording);
  command
      .add_option("--rate", settings.rate,
                  "For a running society: about so many messages in a second at most, of each "
                  "worker of each node")
      ->excludes(recording);
  command.add_option("--as", settings.as, "For a running society: the name of the eavesdropper")
      ->excludes(recording);
}
#endif

#if defined(CORACLE_HAS_VIEW) && defined(CORACLE_HAS_HTTP)
void add_view(CLI::App& app, Act& act) {
  const auto [view, settings] = add_command(
      app, act, "view",
      "Shows a society in a web browser, as it runs, or a recording, which record=FILE made.\n"
      "It prints the address of the page, which is valid for one browser. On SIGUSR1, it prints\n"
      "another one. It overhears messages while a browser looks",
      run_view);
  CLI::Option* const recording =
      view.add_option("--recording", settings.recording, "The file of a recording");
  view.add_option("--program", settings.program,
                  "For a recording of the simulator: the program that was recorded, which is run "
                  "again with one message dropped, delayed or changed")
      ->needs(recording);
  view.add_option("--realization", settings.place.realization,
                  "The realization, as in central://127.0.0.1:4410; by default that of "
                  "CORACLE_REALIZATION")
      ->excludes(recording);
  view.add_option("--listen", settings.listen, "Host and port of the page; port 0 is any free one");
  view.add_flag("--open", settings.open, "Opens the page in a browser");
  view.add_option("--as", settings.as,
                  "The name of its agent in the society; by default coracle/view-1, or the next "
                  "number that is free");
  view.add_option("--messages", settings.messages, "The messages that it keeps at most")
      ->check(CLI::Range(std::size_t{1000}, std::size_t{1'000'000}));
  view.add_flag("--metrics", settings.metrics, "Prints how Prometheus gets /metrics");
  view.add_option("--host", settings.hosts, "A name under which browsers of other hosts reach it");
  CLI::Option* const certificate = view.add_option("--certificate", settings.certificate,
                                                   "The file of its certificate, for https");
  view.add_option("--key", settings.key, "The file of the certificate's key")->needs(certificate);
  view.add_option("--clients", settings.clients,
                  "The file of the authorities whose certificates let browsers in")
      ->needs(certificate);
  view.add_option("--login", settings.login,
                  "The key with which people log in, such as the society's, or a file with it")
      ->envname("CORACLE_VIEW_LOGIN");
  view.add_flag("--insecure", settings.insecure,
                "Lets browsers of other hosts in without TLS or login; others can read and change "
                "what is sent");
}
#endif

}  // namespace

void add_showing([[maybe_unused]] CLI::App& app, [[maybe_unused]] Act& act) {
#ifdef CORACLE_HAS_VIEW
  add_export(app, act);
#ifdef CORACLE_HAS_HTTP
  add_view(app, act);
#endif
#endif
}

}  // namespace coracle::command
