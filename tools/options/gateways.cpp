// The commands that connect a society with other systems, in a build that has them.
#include "command_line.hpp"

namespace coracle::command {

namespace {

#ifdef CORACLE_HAS_FIPA
void add_fipa(CLI::App& gateway, Act& act) {
  const auto [to, fipa] = add_command(
      gateway, act, "fipa",
      "Makes the society a platform of FIPA, which others reach by HTTP or IIOP. Agents that are\n"
      "exposed have identifiers, ann@PLATFORM; foreign agents have names, fipa/zed@p2",
      run_gateway_fipa);
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
}
#endif

#if defined(CORACLE_HAS_A2A) || defined(CORACLE_HAS_MCP)
// The options for callers by HTTP; `server` is the one that makes it a server, if there is one.
void add_callers(CLI::App& to, CallerSettings& callers, CLI::Option* certificate,
                 CLI::Option* server) {
  const auto add = [&](const char* name, std::string& value, const char* text) {
    CLI::Option* const option = to.add_option(name, value, text);
    return server == nullptr ? option : option->needs(server);
  };
  add("--callers", callers.file,
      "The file of those who may call, with their API keys, tokens and subjects of certificates;\n"
      "default: everybody");
  add("--caller-authorities", callers.authorities,
      "The file of the authorities of clients' certificates, whose subjects --callers names")
      ->needs(certificate);
#ifdef CORACLE_HAS_JOSE
  CLI::Option* const issuer =
      add("--token-issuer", callers.issuer,
          "The issuer of signed tokens (JWT), whose claim sub is the caller");
  CLI::Option* const audience =
      add("--token-audience", callers.audience, "The name of this gateway in the claim aud");
  issuer->needs(audience);
  audience->needs(issuer);
  add("--token-keys", callers.keys,
      "The file or the URL of the issuer's keys; default: as its OpenID configuration says")
      ->needs(issuer);
#endif
}
#endif

#ifdef CORACLE_HAS_A2A
void add_a2a(CLI::App& gateway, Act& act) {
  const auto [to, a2a] = add_command(
      gateway, act, "a2a",
      "Lets clients of A2A (Agent2Agent) give tasks to the society's agents, by JSON-RPC and\n"
      "HTTP+JSON. Each agent that is exposed has a card",
      run_gateway_a2a);
  add_realization(to, a2a.place);
  to.add_option("--expose", a2a.expose, "The agents that clients may know, as in 'lab/**'");
  to.add_option("--listen", a2a.listen, "host:port; default: 127.0.0.1:7790");
  to.add_option("--address", a2a.address, "The URL that clients are told, if it is another one");
  to.add_option("--front", a2a.front,
                "The agent whose card is at the root; default: the only one that is exposed");
  to.add_option("--type", a2a.types,
                "The society's own types of content that clients may send, as in 'plan/*'");
  CLI::Option* const agent =
      to.add_option("--agent", a2a.agents,
                    "An agent of another system, which is a2a/NAME in the society: NAME=ADDRESS");
  to.add_option("--proofs", a2a.proofs,
                "The file of the API keys and tokens that these agents get, by their NAMEs")
      ->needs(agent);
  CLI::Option* const webhooks = to.add_option(
      "--webhooks", a2a.webhooks,
      "A network that may be notified of changes, beside public addresses, as in '10.1.0.0/16'");
  to.add_flag("--no-webhooks", a2a.no_webhooks, "Nobody is notified of changes")
      ->excludes(webhooks);
  to.add_option("--host", a2a.hosts, "A name under which clients reach it; default: this host's");
  to.add_option("--site", a2a.sites, "An origin whose web pages may use it; default: none");
  to.add_option("--task-seconds", a2a.task_seconds, "The time that an agent may take for a task")
      ->check(CLI::Range(1, 1'000'000));
  CLI::Option* const certificate =
      to.add_option("--certificate", a2a.certificate, "The file of its certificate, for https");
  to.add_option("--key", a2a.key, "The file of the certificate's key")->needs(certificate);
  add_callers(to, a2a.callers, certificate, nullptr);
#ifdef CORACLE_HAS_JOSE
  to.add_option("--card-key", a2a.card_key, "The file of the private key that signs the cards");
  to.add_option("--trusted-cards", a2a.trusted_cards,
                "The file of the keys of which one has signed the card of each --agent");
#endif
  to.add_flag("--insecure", a2a.insecure,
              "Lets others reach it without TLS and callers: they can read and change everything");
}
#endif

#ifdef CORACLE_HAS_MCP
void add_mcp(CLI::App& gateway, Act& act) {
  const auto [to, mcp] = add_command(
      gateway, act, "mcp",
      "Makes the society's agents tools of MCP, which assistants use. Without --listen, it serves\n"
      "the program that has begun it, by standard input and output",
      run_gateway_mcp);
  add_realization(to, mcp.place);
  CLI::Option* const listen = to.add_option("--listen", mcp.listen, "host:port by HTTP");
  to.add_option("--path", mcp.path, "The path of the address by HTTP")->needs(listen);
  to.add_option("--expose", mcp.expose, "The agents that clients may ask, as in 'lab/**'");
  to.add_option("--show", mcp.show, "Further agents that clients may look at, but not ask");
  to.add_option("--overhear", mcp.overhear, "The agents whose messages clients may read");
  to.add_option("--type", mcp.types, "Types of the society that clients may send, as in 'plan/*'");
  to.add_option("--as", mcp.as, "The name of the gateway's agent");
  to.add_option("--within", mcp.within, "The seconds that an agent has for its answer");
  to.add_option("--host", mcp.hosts, "A name of this server, for pages and beyond this host")
      ->needs(listen);
  to.add_option("--origin", mcp.origins, "A site whose pages may use it, https://example.org")
      ->needs(listen);
  CLI::Option* const certificate =
      to.add_option("--certificate", mcp.certificate, "The file of its certificate, for https");
  to.add_option("--key", mcp.key, "The file of the certificate's key")->needs(certificate);
  add_callers(to, mcp.callers, certificate, listen);
  to.add_flag("--insecure", mcp.insecure,
              "Lets anybody beyond this host use the tools, in plain text");
}
#endif

void add_gateway([[maybe_unused]] CLI::App& app, [[maybe_unused]] Act& act) {
#if defined(CORACLE_HAS_FIPA) || defined(CORACLE_HAS_A2A) || defined(CORACLE_HAS_MCP)
  CLI::App& gateway = *app.add_subcommand("gateway", "Connects a society with other systems");
  gateway.require_subcommand(1);
#ifdef CORACLE_HAS_FIPA
  add_fipa(gateway, act);
#endif
#ifdef CORACLE_HAS_A2A
  add_a2a(gateway, act);
#endif
#ifdef CORACLE_HAS_MCP
  add_mcp(gateway, act);
#endif
#endif
}

void add_acl([[maybe_unused]] CLI::App& app, [[maybe_unused]] Act& act) {
#ifdef CORACLE_HAS_ACL
  CLI::App& acl = *app.add_subcommand("acl", "Converts messages of FIPA between a form and JSON");
  acl.require_subcommand(1);
  const auto add = [&](const char* name, const char* text, int (*run)(const AclSettings&)) {
    const Added<AclSettings> added = add_command(acl, act, name, text, run);
    added.app.add_option("--codec", added.settings.codec, "The form: string, bit-efficient or xml")
        ->required()
        ->check(CLI::IsMember({"string", "bit-efficient", "xml"}));
    added.app.add_option("FILE", added.settings.file, "The file, or - for standard input")
        ->required();
    return added;
  };
  add("decode", "Prints the message in FILE as a line of JSON", run_acl_decode);
  add("encode", "Writes the message whose JSON is in FILE", run_acl_encode);
#ifdef CORACLE_HAS_FIPA
  const auto [send, sending] =
      add("send", "Sends the message whose JSON is in FILE to its receivers", run_acl_send);
  send.add_option("--address", sending.address,
                  "The URL of the platform; without it, the first address of the first receiver");
  const auto [listen, listening] =
      add_command(acl, act, "listen", "Prints the messages that come as JSON", run_acl_listen);
  listen.add_option("--listen", listening.listen, "The address that others send to");
  listen.add_option("--count", listening.count, "Ends after this many messages; default: never");
  listen.add_flag("--insecure", listening.insecure,
                  "Lets plain text come from other hosts, where others can read and change it");
#endif
#endif
}

}  // namespace

void add_gateways(CLI::App& app, Act& act) {
  add_gateway(app, act);
  add_acl(app, act);
}

}  // namespace coracle::command
