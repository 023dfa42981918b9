// coracle: looks at societies and takes part in them, from a shell.
#include "command_line.hpp"
#include "coracle/support/quote.hpp"

#include "realizations/net/src/shown_setting.hpp"
#include "view/options.hpp"

#include "coracle/content.hpp"
#include "coracle/errors.hpp"
#include "coracle/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <functional>

namespace coracle::command {

namespace {

// The commands that look at a society and send nothing.
void add_looks(CLI::App& app, ListSettings& list, DrawSettings& drawing,
               std::function<int()>& act) {
  CLI::App& ls = *app.add_subcommand("ls", "Lists the agents of a society");
  add_place(ls, list.place);
  ls.add_option("prefix", list.prefix, "Only names within this one");
  ls.add_flag("--all", list.all,
              "Also lists groups with their members, and nodes with their leases");
  ls.callback([&] { act = [&] { return run_ls(list); }; });
  CLI::App& draw =
      *app.add_subcommand("draw", "Draws the agents' roles and the connections between them");
  add_place(draw, drawing.place);
  draw.add_option("prefix", drawing.prefix, "Only names within this one");
  draw.add_flag("--dot", drawing.dot, "For Graphviz: coracle draw --dot | dot -Tsvg");
  draw.callback([&] { act = [&] { return run_draw(drawing); }; });
}

void add_service(CLI::App& app, ServiceSettings& settings) {
  app.add_option("--listen", settings.listen,
                 "The address that nodes connect to, as in 127.0.0.1:4410")
      ->required();
  app.add_option("--society", settings.society, "The name of the society");
  app.add_option("--key", settings.key,
                 "The society's key, from `coracle keys --society-key`, or the path of a file with "
                 "it; this or --tls is needed beyond this host. It does not protect the society "
                 "from its own members: --tls does")
      ->envname("CORACLE_KEY");
  app.add_option("--tls", settings.tls, "The folder with its certificate, from `coracle keys`")
      ->envname("CORACLE_TLS");
  app.add_flag("--insecure", settings.insecure,
               "Lets plain text leave this host, which others can read and change");
  app.add_option("--policy", settings.policy, "The file of the policy; it is read again on SIGHUP");
  app.add_option("--data", settings.data,
                 "The folder that stores messages for absent agents when their senders' nodes "
                 "stop; they survive a restart");
  app.add_option("--content-limit", settings.content_limit,
                 "The largest message that is stored for an agent, as in 64MiB; up to 1GiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::size_t{1}, coracle::max_content_bytes));
}

void add_directory(CLI::App& app, ServiceSettings& directory, std::function<int()>& act) {
  CLI::App& serve = *app.add_subcommand("directory", "Serves the directory of a society");
  add_service(serve, directory);
  serve.add_option("--beacon", directory.beacon,
                   "The multicast address of its beacon, as in 239.192.44.10:4410, or off");
  serve.callback([&] { act = [&] { return run_directory(directory); }; });
}

void add_central(CLI::App& app, ServiceSettings& central, std::function<int()>& act) {
  CLI::App& clear = *app.add_subcommand(
      "central", "Serves a society as its clearinghouse, through which all its messages go");
  add_service(clear, central);
  clear.callback([&] { act = [&] { return run_central(central); }; });
}

void add_keys(CLI::App& app, KeysSettings& settings, std::function<int()>& act) {
  CLI::App& keys = *app.add_subcommand(
      "keys",
      "Makes a key or a certificate, which proves that a node belongs to a society:\n\n"
      "  coracle keys --society-key   prints a key, which all nodes of the society share\n"
      "  coracle keys FOLDER NODE     makes the certificate of a node, and first the society's\n"
      "                               authority if there is none\n\n"
      "A SHARED KEY DOES NOT PROTECT A SOCIETY FROM ITS OWN MEMBERS: a node with the key\n"
      "can take any name, can answer in another node's place, and cannot be identified or\n"
      "excluded alone. With certificates the identity of each node is proven, the policy can\n"
      "limit it, and its certificate can be revoked. Use a key among machines that are all yours.");
  keys.add_flag("--society-key", settings.society_key, "Prints a fresh society key");
  keys.add_option("folder", settings.folder,
                  "The folder of the authority; it is made if there is none");
  keys.add_option("node", settings.node, "The name of the node, such as its host's name");
  keys.add_option("--society", settings.society, "The name of the society");
  keys.add_option("--host", settings.hosts,
                  "The host names and addresses by which other nodes reach the node");
  keys.add_option("--days", settings.days, "Days until the certificate expires")
      ->check(CLI::Range(1, 36500));
  keys.add_flag("--renew", settings.renew,
                "Replaces the node's certificate; a running node reads the new one within seconds");
  keys.add_flag("--revoke", settings.revoke,
                "Revokes all certificates of the node: writes crl.pem, which has to be in the "
                "folder of every node");
  keys.callback([&] { act = [&] { return run_keys(settings); }; });
}

void add_gateways([[maybe_unused]] CLI::App& app, [[maybe_unused]] FipaSettings& fipa,
                  [[maybe_unused]] std::function<int()>& act) {
#ifdef CORACLE_HAS_FIPA
  CLI::App& gateway = *app.add_subcommand("gateway", "Connects a society with other systems");
  gateway.require_subcommand(1);
  CLI::App& to = *gateway.add_subcommand(
      "fipa",
      "Makes the society a platform of FIPA, which others reach by HTTP or IIOP. Agents that are\n"
      "exposed have identifiers, ann@PLATFORM; foreign agents have names, fipa/zed@p2");
  add_realization(to, fipa.place);
  to.add_option("--platform", fipa.platform, "The name of the platform, unique in the world")
      ->required();
  to.add_option("--listen", fipa.listen,
                "host:port by HTTP, or iiop://host:port by IIOP; both may be given");
  to.add_option("--address", fipa.address,
                "The URL that others are told, if it is another one; or iiop://host:port");
  to.add_flag("--corbaloc", fipa.corbaloc, "The address by IIOP is a corbaloc, not an IOR");
  to.add_option("--partner", fipa.partners,
                "A place that letters by IIOP may go to, as in '10.0.0.*:2809'; default: all");
  to.add_option("--expose", fipa.expose, "The agents that others may know, as in 'lab/**'");
  to.add_option("--form", fipa.form, "The form of the first message to an agent")
      ->check(CLI::IsMember({"string", "bit-efficient", "xml"}));
  CLI::Option* const certificate =
      to.add_option("--certificate", fipa.certificate, "The file of its certificate, for https");
  to.add_option("--key", fipa.key, "The file of the certificate's key")->needs(certificate);
  to.add_flag("--insecure", fipa.insecure,
              "Lets plain text leave this host, which others can read and change");
  to.callback([&] { act = [&] { return run_gateway_fipa(fipa); }; });
#endif
}

void add_acl([[maybe_unused]] CLI::App& app, [[maybe_unused]] AclSettings& settings,
             [[maybe_unused]] std::function<int()>& act) {
#ifdef CORACLE_HAS_ACL
  CLI::App& acl = *app.add_subcommand("acl", "Converts messages of FIPA between a form and JSON");
  acl.require_subcommand(1);
  const auto add = [&](const char* name, const char* text,
                       int (*run)(const AclSettings&)) -> CLI::App& {
    CLI::App& command = *acl.add_subcommand(name, text);
    command.add_option("--codec", settings.codec, "The form: string, bit-efficient or xml")
        ->required()
        ->check(CLI::IsMember({"string", "bit-efficient", "xml"}));
    command.add_option("FILE", settings.file, "The file, or - for standard input")->required();
    command.callback([&settings, &act, run] { act = [&settings, run] { return run(settings); }; });
    return command;
  };
  add("decode", "Prints the message in FILE as a line of JSON", run_acl_decode);
  add("encode", "Writes the message whose JSON is in FILE", run_acl_encode);
#ifdef CORACLE_HAS_FIPA
  CLI::App& send =
      add("send", "Sends the message whose JSON is in FILE to its receivers", run_acl_send);
  send.add_option("--address", settings.address,
                  "The URL of the platform; without it, the first address of the first receiver");
  CLI::App& listen = *acl.add_subcommand("listen", "Prints the messages that come as JSON");
  listen.add_option("--listen", settings.listen, "The address that others send to");
  listen.add_option("--count", settings.count, "Ends after this many messages; default: never");
  listen.add_flag("--insecure", settings.insecure,
                  "Lets plain text come from other hosts, where others can read and change it");
  listen.callback([&] { act = [&] { return run_acl_listen(settings); }; });
#endif
#endif
}

void add_export([[maybe_unused]] CLI::App& app, [[maybe_unused]] ExportSettings& settings,
                [[maybe_unused]] std::function<int()>& act) {
#ifdef CORACLE_HAS_VIEW
  CLI::App& command = *app.add_subcommand(
      "export",
      "Writes a recording, which record=FILE made, in the format of another tool: lines of JSON,\n"
      "a sequence diagram of Mermaid, a graph of Graphviz, a trace of Perfetto, or traces of\n"
      "OpenTelemetry. The format prometheus has the counts of a running society instead");
  add_realization(command, settings.place);
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
  command.callback([&] { act = [&] { return run_export(settings); }; });
#endif
}

void add_send(CLI::App& app, SendSettings& sending, std::function<int()>& act) {
  CLI::App& send = *app.add_subcommand("send", "Sends one message");
  add_realization(send, sending.place);
  send.add_option("--as", sending.as, "The name of the sender")->required();
  send.add_option("--to", sending.to, "The name of the receiver")->required();
  send.add_option("--within", sending.within,
                  "Seconds that a present agent has to receive the message")
      ->check(CLI::Range(0.0, 1e6));
  CLI::Option& text = *send.add_option("text", sending.text, "The text of the message");
  CLI::Option& type = *send.add_option("--type", sending.type,
                                       "The content type of a typed value, instead of a text");
  CLI::Option& json = *send.add_option("--json", sending.json,
                                       "The value, as JSON; the fields of a struct are an array");
  text.excludes(&type)->excludes(&json);
  type.needs(&json);
  json.needs(&type);
  send.callback([&] {
    if (sending.text.empty() && sending.json.empty())
      throw CLI::ValidationError("there is nothing to send; give a text, or --type and --json");
    act = [&] { return run_send(sending); };
  });
}

// Reads the command line, and does what it asks for.
int obey(CLI::App& app, int argc, char** argv, const std::function<int()>& act) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    // The error text would quote all arguments, and one of them may be a key.
    std::string names;
    for (const std::string& word : app.remaining(true)) {
      if (word.starts_with('-')) names += " " + net::shown_setting(word.substr(0, word.find('=')));
    }
    fmt::print(stderr, "coracle: unexpected arguments:{}; see coracle --help\n",
               names.empty() ? " too many words" : names);
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
  add_directory(app, directory, act);
  add_central(app, central, act);
  KeysSettings keys;
  add_keys(app, keys, act);

  FipaSettings fipa;
  add_gateways(app, fipa, act);
  AclSettings acl;
  add_acl(app, acl, act);
  ListSettings list;
  DrawSettings drawing;
  add_looks(app, list, drawing, act);

  Operating operating;
  add_operating(app, operating, act);
  ExportSettings exporting;
  add_export(app, exporting, act);
  ViewSettings viewing;
  add_view(app, viewing, act);

  SendSettings sending;
  add_send(app, sending, act);

  ListenSettings listening;
  CLI::App& listen = *app.add_subcommand("listen", "Prints the messages that an agent receives");
  add_place(listen, listening.place);
  listen.add_option("--as", listening.as, "The name of the agent")->required();
  listen.add_option("--count", listening.count, "Ends after this many messages; default: never");
  listen.callback([&] { act = [&] { return run_listen(listening); }; });

  TapSettings tapping;
  CLI::App& tap = *app.add_subcommand("tap", "Overhears other agents and prints their messages");
  add_place(tap, tapping.place);
  tap.add_option("--as", tapping.as, "The name of the eavesdropper")->required();
  tap.add_option("--source", tapping.source, "Only from names that this expression matches");
  tap.add_option("--target", tapping.target, "Only to names that this expression matches");
  tap.add_option("--text", tapping.text, "Only texts that this expression matches");
  tap.add_option("--count", tapping.count, "Ends after this many messages; default: never");
  tap.callback([&] { act = [&] { return run_tap(tapping); }; });

  return obey(app, argc, argv, act);
}

}  // namespace

}  // namespace coracle::command

int main(int argc, char** argv) { return coracle::command::run(argc, argv); }
