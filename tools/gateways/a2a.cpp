// coracle gateway a2a
#include "commands.hpp"
#include "gateways/callers.hpp"
#include "gateways/foreign_agents.hpp"

#include "coracle/a2a/server.hpp"
#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"
#ifdef CORACLE_HAS_JOSE
#include "coracle/jose/signer.hpp"
#endif
#include "coracle/realizations/open.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <deque>
#include <string>
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

}  // namespace

int run_gateway_a2a(const A2aSettings& settings) {
  // Blocked before any thread is made, so that no thread is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  http::Loop loop;
  a2a::ServerOptions options = options_of(settings, loop);  // before others run the loop
  std::deque<http::Client> clients;
  Realization realization = open(settings.place.realization);
  realization.reactor = loop.reactor(realization.reactor);  // calls need no change of threads
  Node node(std::move(realization));
  create_foreign_agents(node, loop, clients, settings);
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
