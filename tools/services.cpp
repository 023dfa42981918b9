// coracle directory, coracle central
#include "commands.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace coracle::command {

namespace {

// Serves until it is told to end.
template <class Server, class ServerOptions>
int serve(const char* what, const char* memory, const ServiceSettings& settings) {
  // Before any thread is made, so that none of them is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  ServerOptions options;
  options.listen = settings.listen;
  options.society = settings.society;
  options.key = settings.key;
  options.tls = settings.tls;
  if constexpr (requires { options.beacon; }) options.beacon = settings.beacon;
  const Server server(std::move(options));
  for (const std::string& place : server.endpoints())
    fmt::print("the {} of the society '{}' is at {}\n", what, settings.society, place);
  fmt::print("{}\n", memory);
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  return done;
}

}  // namespace

int run_directory(const ServiceSettings& settings) {
  return serve<distributed::DirectoryServer, distributed::DirectoryOptions>(
      "directory", "what it knows is in memory: nodes register again when it is started anew",
      settings);
}

int run_central(const ServiceSettings& settings) {
  return serve<central::Server, central::ServerOptions>(
      "clearinghouse",
      "what it holds is in memory: a restart forgets it; nodes then register again, and send again "
      "what was under way",
      settings);
}

}  // namespace coracle::command
