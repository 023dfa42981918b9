// A service for nodes over sockets, on a thread of its own until it is destroyed: the directory,
// and the additional service of a realization.
#pragma once

#include "directory_service.hpp"
#include "realizations/net/src/asio/doorway.hpp"
#include "realizations/net/src/society/beacon/beacon_socket.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::society {

struct ServiceSettings {
  std::vector<std::string> listen;
  std::string society;
  Proof proof;
  DirectoryLimits limits;
  Log log;                                 // empty: the log of the library
  std::string name;                        // the kind of service, as in "directory"
  std::optional<BeaconPlace> beacon = {};  // the beacon by which the service can be found
  // The file with the policy; empty: everybody may do everything.
  std::string policy = {};
  // The identity of the node that is its message store; nobody else can know it.
  std::string message_store = {};
  // Adds to each census, on the service's thread.
  std::function<void(Census&)> count_more = {};
};

// Returns an identity that nobody can guess.
std::string secret_identity();

// Returns the settings from the options of a server of that name.
template <class Options>
ServiceSettings service_settings(Options options, std::string name) {
  ServiceSettings settings;
  settings.listen = std::move(options.listen);
  settings.society = std::move(options.society);
  settings.proof = {std::move(options.key), std::move(options.tls), options.insecure};
  settings.limits = options.limits;
  settings.log = std::move(options.log);
  settings.name = std::move(name);
  settings.policy = std::move(options.policy);
  return settings;
}

// Returns the policy's authority for such a service: nullptr without a policy. Fails as
// read_policy() does.
std::unique_ptr<Authority> authority_of(const ServiceSettings& settings);
class ServiceHome;
// Makes the service read its policy again. A policy that cannot be read changes nothing, and is
// noted in the log.
Result<void> read_policy_again(const ServiceSettings& settings, Authority* authority,
                               ServiceHome& home);

class ServiceHome {
 public:
  // `besides`, `authority`, and `doorway`, by which nodes of this process may come, outlive the
  // service. Fails with Errc::bad_options, bad_endpoint, cannot_listen.
  explicit ServiceHome(const ServiceSettings& settings, Besides* besides = nullptr,
                       Authority* authority = nullptr, const net::Doorway* doorway = nullptr);
  ~ServiceHome();

  // Lets others connect, too; once. Fails with Errc::cannot_listen.
  void listen();
  // Returns where it listens, with the true ports.
  const std::vector<std::string>& endpoints() const noexcept;
  // Replaces the policy. From every thread.
  void set_policy(std::string text);
  // Checks the files of its keys and certificates now, instead of within two seconds; returns
  // whether they have changed. Files that cannot be used change nothing. Not from its thread. Fails
  // with Errc::bad_options, not_permitted.
  Result<bool> read_keys_again();
  // The name of its node: where possible, the same at each start.
  const std::string& name() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::society
