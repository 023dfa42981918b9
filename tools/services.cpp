// coracle directory, coracle central
#include "commands.hpp"
#include "coracle/support/quote.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace coracle::command {

namespace {

template <class Server>
void read_again(Server& server, const ServiceSettings& settings) {
  const bool has_policy = !settings.policy.empty();
  const bool has_keys = !settings.tls.empty() || settings.key.find('/') != std::string::npos;
  if (has_policy) {
    const Result<void> read = server.read_policy_again();
    fmt::print("{}\n",
               read ? "the policy of " + detail::shown(settings.policy) + " holds from now on"
                    : "the policy stays as it was: " + read.error().sentence());
  }
  if (has_keys) {
    const Result<bool> changed = server.read_keys_again();
    fmt::print("{}\n",
               !changed ? "keys and certificates stay as they were: " + changed.error().sentence()
               : *changed
                   ? "keys and certificates are new; links that they do not let in are closed"
                   : "keys and certificates have not changed since they were read");
  }
  if (!has_policy && !has_keys)
    fmt::print(
        "there is nothing to read again: it was started with no policy, no certificates, and no "
        "file of keys\n");
}

// Serves until a signal ends it. `more` prints further facts that are worth knowing.
template <class Server, class ServerOptions, class More>
int serve(const char* what, ServerOptions options, const ServiceSettings& settings, More more) {
  // Blocked before any thread is made, so that no thread is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  options.listen = settings.listen;
  options.society = settings.society;
  options.key = settings.key;
  options.tls = settings.tls;
  options.insecure = settings.insecure;
  if constexpr (requires { options.beacon; }) options.beacon = settings.beacon;
  options.policy = settings.policy;
  options.data = settings.data;
  options.content_limit = settings.content_limit;
  Server server(std::move(options));
  for (const std::string& place : server.endpoints())
    fmt::print("the {} of the society '{}' is at {}\n", what, settings.society, place);
  more(server);
  std::fflush(stdout);
  int signal = 0;
  while (sigwait(&ends, &signal) == 0 && signal == SIGHUP) {
    read_again(server, settings);
    std::fflush(stdout);
  }
  return done;
}

}  // namespace

namespace {

void print_found(const std::string& folder, const StoreBackend::Found& found) {
  if (found.fresh)
    return fmt::print("{} is new; messages that are stored there survive a restart\n", folder);
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  const std::string there = found.messages == 0 ? "no messages"
                                                : counted(found.messages, "message") + " for " +
                                                      counted(found.names, "name");
  fmt::print("{} has {}; the run before {}\n", folder, there,
             found.ended_in_order ? "ended in order" : "was cut off");
  for (const std::string& fault : found.faults)
    fmt::print("in {}: {}\n", folder, detail::shown(fault));
}

}  // namespace

int run_directory(const ServiceSettings& settings) {
  using distributed::DirectoryServer;
  return serve<DirectoryServer, distributed::DirectoryOptions>(
      "directory", {}, settings, [&](const DirectoryServer& server) {
        if (!settings.data.empty()) print_found(settings.data, server.found());
        else fmt::print("messages of nodes that stop are not stored; --data FOLDER stores them\n");
        fmt::print("names are in memory: after a restart nodes register again\n");
      });
}

int run_central(const ServiceSettings& settings) {
  return serve<central::Server, central::ServerOptions>(
      "clearinghouse", {}, settings, [&](const central::Server& server) {
        if (!settings.data.empty()) return print_found(settings.data, server.found());
        fmt::print(
            "messages for absent agents are in memory, and a restart loses them; --data FOLDER "
            "stores them. After a restart nodes register again, and send unfinished messages "
            "again\n");
      });
}

}  // namespace coracle::command
