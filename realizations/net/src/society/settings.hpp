// From the settings of a society to those of its links.
#pragma once

#include "realizations/net/src/asio/network.hpp"
#include "realizations/net/src/link.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::society {

// How long a service waits for a node of which nothing is heard, how long for one whose connection
// has ended, and how long a node waits for another: only the directory says that a node is dead.
// The first is as long as the five seconds allow in which that is to be said: of a node that was
// cut off for two of them, nothing may be heard for 4.4 (decision 36).
inline constexpr Duration service_patience = std::chrono::milliseconds(4750);
inline constexpr Duration detached_patience = std::chrono::seconds(2);
// How long at most a service that has begun anew lets claims of new names wait: a lease's term.
inline constexpr Duration first_term = std::chrono::seconds(15);
inline constexpr Duration peer_patience = std::chrono::hours(24);

// What proves that a node belongs to its society, and protects what is said beyond this host: the
// society's key, or the certificate in a folder (net::tls_files_in). With both, the certificate
// proves, and the key is for the beacon alone.
struct Proof {
  std::string key;        // as net::KeySource says
  std::string tls;        // the folder; empty: none
  bool insecure = false;  // plain text may leave this host

  bool is_there() const { return !key.empty() || !tls.empty(); }
};

// Understands "host:port" and what net::Endpoint does. Who has a proof shows it over TLS: tcp:// is
// tls:// then. Fails with Errc::bad_endpoint.
net::Endpoint endpoint_of(const std::string& text, const Proof& proof = {});
std::vector<net::Endpoint> endpoints_of(const std::vector<std::string>& texts,
                                        const Proof& proof = {});

// Whether nothing that goes there leaves this host.
bool stays_here(const net::Endpoint& endpoint);

// A name that no other node has.
std::string random_node_name();

// A node with a certificate is called as that says, and then `node`. Fails with Errc::bad_options
// when the key is not one that was generated, and when something leaves this host that nothing
// protects.
net::Identity identity_of(const std::string& society, const Proof& proof, const std::string& node,
                          const std::vector<net::Endpoint>& places);
// The settings of sockets for who has that.
net::AsioOptions socket_options(const std::string& society, const Proof& proof,
                                bool shared_memory = true);
// For a society that has no use for a key beside its certificates. Fails with Errc::bad_options.
void refuse_two_proofs(const Proof& proof);

// What a setting says that is yes or no. Fails with Errc::bad_realization.
bool is_yes(std::string_view key, std::string_view value);

// That a setting has no value, without showing what may be a mistyped key.
std::string has_no_value(std::string_view item);

// Takes the settings that nodes of all kinds have, from the text that opens a realization; false
// when there is no such key. Fails with Errc::bad_realization.
struct Membership {
  std::string& society;
  std::string& key;
  std::string& tls;
  bool& insecure;

  bool take(std::string_view name, std::string_view value);
  // What the environment says, in CORACLE_SOCIETY, CORACLE_KEY and CORACLE_TLS.
  void take_environment();
};
// What the environment says, or nothing.
std::string environment(const char* name);

net::LinkOptions link_options(Duration give_up, Duration idle = Duration::max());
// Those of a service.
net::LinkOptions service_link_options();

}  // namespace coracle::society
