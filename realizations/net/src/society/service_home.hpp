// A service for nodes over sockets, on a thread of its own until it is destroyed: the directory,
// and what a realization adds to it.
#pragma once

#include "beacon_socket.hpp"
#include "directory_service.hpp"
#include "realizations/net/src/asio/doorway.hpp"
#include "settings.hpp"

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
  std::string name;                        // what it is, as in "directory"
  std::optional<BeaconPlace> beacon = {};  // by which it can be found
  // The file with the policy; empty: everybody may do everything.
  std::string policy = {};
  // By which identity it knows the node that is its custodian; nobody else can know it.
  std::string custodian = {};
  // Adds to each census, on the service's thread.
  std::function<void(Census&)> count_more = {};
};

// An identity that nobody can guess.
std::string secret_identity();

// From the options of a server of that name.
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

// What decides for such a service: nullptr without a policy. Fails as read_policy() does.
std::unique_ptr<Authority> authority_of(const ServiceSettings& settings);
class ServiceHome;
// Has it read its policy again. What cannot be read changes nothing, and is noted in the log.
Result<void> read_policy_again(const ServiceSettings& settings, Authority* authority,
                               ServiceHome& home);

class ServiceHome {
 public:
  // `besides`, `authority`, and `doorway`, by which nodes of this process may come, outlive it.
  // Fails with Errc::bad_options, bad_endpoint, cannot_listen.
  explicit ServiceHome(const ServiceSettings& settings, Besides* besides = nullptr,
                       Authority* authority = nullptr, const net::Doorway* doorway = nullptr);
  ~ServiceHome();

  // Lets others connect, too; once. Fails with Errc::cannot_listen.
  void listen();
  // Where it listens, with the true ports.
  const std::vector<std::string>& endpoints() const noexcept;
  // The policy is another one. From every thread.
  void set_policy(std::string text);
  // Looks now at the files of its keys and certificates, instead of within two seconds: whether
  // they have changed. What cannot be used changes nothing. Not from its thread. Fails with
  // Errc::bad_options, not_permitted.
  Result<bool> read_keys_again();
  // The name of its node: where that can be, the same at each start.
  const std::string& name() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::society
