// coracle gateway fipa
#include "acl/files.hpp"
#include "commands.hpp"

#include "coracle/coracle.hpp"
#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/http_mtp.hpp"
#include "coracle/realizations/open.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace coracle::command {

namespace {

// Blocked before any thread is made, so that no thread is interrupted.
sigset_t block_ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  return ends;
}

fipa::HttpMtpOptions transport_of(const FipaSettings& settings) {
  fipa::HttpMtpOptions options;
  options.server.endpoint = settings.listen;
  options.server.insecure = settings.insecure;
  if (!settings.certificate.empty())
    options.server.tls = http::ServerTls{settings.certificate, settings.key};
  options.advertised = settings.address;
  return options;
}

}  // namespace

int run_gateway_fipa(const FipaSettings& settings) {
  const sigset_t ends = block_ends();
  http::Loop loop;
  Realization realization = open(settings.place.realization);
  realization.reactor = loop.reactor(realization.reactor);  // letters need no change of threads
  Node node(std::move(realization));
  fipa::GatewayOptions options;
  options.platform = settings.platform;
  options.exposed = settings.expose;
  options.form = form_of(settings.form);
  fipa::Gateway gateway(node, std::move(options));
  gateway.plug(fipa::http_mtp(loop, transport_of(settings)));
  for (const std::string& each : gateway.addresses())
    fmt::print("the platform '{}' is at {}\n", settings.platform, each);
  if (settings.expose.empty())
    fmt::print("no agent is exposed: others reach ams@{0} and df@{0} only; see --expose\n",
               settings.platform);
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  return done;
}

}  // namespace coracle::command
