// coracle directory
#include "commands.hpp"

#include "coracle/realizations/distributed.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

namespace coracle::command {

int run_directory(const DirectorySettings& settings) {
  // Before any thread is made, so that none of them is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  distributed::DirectoryOptions options;
  options.listen = settings.listen;
  options.society = settings.society;
  options.key = settings.key;
  const distributed::DirectoryServer server(std::move(options));
  for (const std::string& place : server.endpoints())
    fmt::print("the directory of the society '{}' is at {}\n", settings.society, place);
  fmt::print("what it knows is in memory: nodes register again when it is started anew\n");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  return done;
}

}  // namespace coracle::command
