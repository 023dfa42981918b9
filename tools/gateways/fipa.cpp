// coracle gateway fipa
#include "acl/files.hpp"
#include "commands.hpp"
#include "gateways/transports.hpp"

#include "coracle/coracle.hpp"
#include "coracle/fipa/gateway.hpp"
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

// The settings of the transport that listens there.
TransportSettings settings_for(const std::string& listen, const FipaSettings& settings) {
  TransportSettings transport;
  for (const std::string& each : settings.address) {
    if (each.starts_with("iiop://") == listen.starts_with("iiop://")) transport.address = each;
  }
  transport.certificate = settings.certificate;
  transport.key = settings.key;
  transport.insecure = settings.insecure;
  transport.corbaloc = settings.corbaloc;
  transport.partners = settings.partners;
  return transport;
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
  for (const std::string& each : settings.listen)
    gateway.plug(transport_at(loop, each, settings_for(each, settings)));
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
