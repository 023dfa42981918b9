// coracle gateway a2a
#include "commands.hpp"
#include "gateways/callers.hpp"

#include "coracle/a2a/foreign_agent.hpp"
#include "coracle/a2a/server.hpp"
#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"
#ifdef CORACLE_HAS_JOSE
#include "coracle/jose/key_set.hpp"
#include "coracle/jose/signer.hpp"
#endif
#include "coracle/realizations/open.hpp"
#include "coracle/support/quote.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::command {

namespace {

a2a::ServerOptions options_of(const A2aSettings& settings, http::Loop& loop) {
  a2a::ServerOptions options;
  options.http.endpoint = settings.listen;
  options.http.insecure = settings.insecure;
  options.http.tls = server_tls(settings.certificate, settings.key, settings.callers);
  if (!settings.hosts.empty() || !settings.sites.empty()) {
    http::Sites sites;
    for (const std::string& each : settings.hosts) sites.hosts.push_back(each);
    sites.origins = settings.sites;
    options.http.sites = std::move(sites);
  }
  options.advertised = settings.address;
  options.exposed = settings.expose;
  options.front = settings.front;
  options.callers = caller_options(settings.callers, loop);
#ifdef CORACLE_HAS_JOSE
  if (!settings.card_key.empty()) options.signer = jose::signer_from_file(settings.card_key);
#endif
  options.types = settings.types;
  if (settings.no_webhooks) options.push.reset();
  else if (!settings.webhooks.empty())
    options.push = web::OutgoingOptions{true, {}, settings.webhooks};
  options.task_time = std::chrono::seconds(settings.task_seconds);
  return options;
}

// The check of the signatures of foreign agents' cards; nothing: they need none.
web::SignatureCheck card_check([[maybe_unused]] const A2aSettings& settings) {
#ifdef CORACLE_HAS_JOSE
  if (!settings.trusted_cards.empty())
    return [keys = jose::KeySet::from_file(settings.trusted_cards)](const web::Signature& signature,
                                                                    std::string_view text) {
      return keys.check(signature, text);
    };
#endif
  return nullptr;
}

// Makes an agent of the society for NAME=ADDRESS.
void create_foreign(Node& node, http::Client& client, const std::string& text,
                    const web::SignatureCheck& trusted) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == text.npos)
    throw Error(Errc::bad_options, detail::quoted(text, 200) +
                                       " names no agent of another system; write for example "
                                       "painter=https://agents.example.org/painter");
  a2a::ForeignOptions options;
  options.address = text.substr(sign + 1);
  options.trusted = trusted;
  node.create<a2a::ForeignAgent>("a2a/" + text.substr(0, sign), std::ref(client), options);
}

}  // namespace

int run_gateway_a2a(const A2aSettings& settings) {
  // Blocked before any thread is made, so that no thread is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  http::Loop loop;
  http::Client client(loop);
  a2a::ServerOptions options = options_of(settings, loop);  // before others run the loop
  const web::SignatureCheck trusted = card_check(settings);
  Realization realization = open(settings.place.realization);
  realization.reactor = loop.reactor(realization.reactor);  // calls need no change of threads
  Node node(std::move(realization));
  for (const std::string& each : settings.agents) create_foreign(node, client, each, trusted);
  const a2a::Server server(node, loop, std::move(options));
  fmt::print("agents are at {}/a2a\n", server.address());
  if (settings.expose.empty()) fmt::print("no agent is exposed; see --expose\n");
  else fmt::print("{} agents are exposed now\n", server.counts().agents);
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  return done;
}

}  // namespace coracle::command
