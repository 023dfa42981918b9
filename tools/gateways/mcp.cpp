// coracle gateway mcp
#include "commands.hpp"
#include "gateways/callers.hpp"

#include "coracle/coracle.hpp"
#include "coracle/mcp/http_server.hpp"
#include "coracle/mcp/stdio.hpp"
#include "coracle/realizations/open.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <optional>
#include <utility>

namespace coracle::command {

namespace {

mcp::GatewayOptions options_for(const McpSettings& settings) {
  mcp::GatewayOptions options;
  options.exposed = settings.expose;
  options.visible = settings.show;
  options.overheard = settings.overhear;
  options.types = settings.types;
  options.call_time =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(settings.within));
  // Each assistant begins a process of its own, and each needs another name.
  if (settings.listen.empty()) options.name = fmt::format("mcp/{:016x}", machine_random().next());
  if (!settings.as.empty()) options.name = settings.as;
  return options;
}

mcp::HttpServerOptions server_options_for(const McpSettings& settings, http::Loop& loop) {
  mcp::HttpServerOptions options;
  options.path = settings.path;
  options.http.endpoint = settings.listen;
  options.http.insecure = settings.insecure;
  options.http.tls = server_tls(settings.certificate, settings.key, settings.callers);
  options.callers = caller_options(settings.callers, loop);
  if (!settings.hosts.empty() || !settings.origins.empty()) {
    http::Sites& sites = options.http.sites.emplace();
    sites.hosts.insert(sites.hosts.end(), settings.hosts.begin(), settings.hosts.end());
    sites.origins = settings.origins;
  }
  return options;
}

}  // namespace

int run_gateway_mcp(const McpSettings& settings) {
  if (settings.listen.empty()) {
    Node node(open(settings.place.realization));
    mcp::Gateway gateway(node, options_for(settings));
    // Standard output belongs to the protocol.
    if (settings.expose.empty())
      fmt::print(stderr, "coracle: no agent is exposed, so there is nobody to ask; see --expose\n");
    mcp::serve_stdio(gateway);
    return done;
  }
  // Blocked before any thread is made, so that no thread is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  http::Loop loop;
  const mcp::HttpServerOptions options = server_options_for(settings, loop);
  Realization realization = open(settings.place.realization);
  realization.reactor = loop.reactor(realization.reactor);
  Node node(std::move(realization));
  mcp::Gateway gateway(node, options_for(settings));
  const mcp::HttpServer server(gateway, loop, options);
  fmt::print("assistants find the society at {}\n", server.address());
  if (settings.expose.empty())
    fmt::print("no agent is exposed, so there is nobody to ask; see --expose\n");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  return done;
}

}  // namespace coracle::command
