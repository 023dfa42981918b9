// Converts the settings of a society to those of its links.
#pragma once

#include "realizations/net/src/asio/asio_network.hpp"
#include "realizations/net/src/link.hpp"

#include <string>
#include <vector>

namespace coracle::society {

// The time that a service waits for a silent node, the time for a node whose connection has ended,
// and the time that a node waits for another node: only the directory announces that a node is
// dead. The first is as long as the limit of five seconds for that announcement allows: a node that
// was cut off for two seconds may be silent for 4.4 (decision 36).
inline constexpr Duration service_patience = std::chrono::milliseconds(4750);
inline constexpr Duration detached_patience = std::chrono::seconds(2);
// The longest time that a service that has begun anew holds back registrations of new names: a
// lease's term.
inline constexpr Duration first_term = std::chrono::seconds(15);
inline constexpr Duration peer_patience = std::chrono::hours(24);

// The proof that a node belongs to its society, which also protects traffic beyond this host: the
// society key, or the certificate in a folder (net::tls_files_in). With both, the certificate is
// the proof, and the key is for the beacon alone.
struct Proof {
  std::string key;        // a text as for net::KeySource
  std::string tls;        // the folder; empty: none
  bool insecure = false;  // plain text may leave this host

  bool is_there() const { return !key.empty() || !tls.empty(); }
};

// Parses "host:port" and the texts of net::Endpoint. With a proof, TLS is used: tcp:// then means
// tls://. Fails with Errc::bad_endpoint.
net::Endpoint endpoint_of(const std::string& text, const Proof& proof = {});
std::vector<net::Endpoint> endpoints_of(const std::vector<std::string>& texts,
                                        const Proof& proof = {});

// Returns whether everything that is sent to `endpoint` stays on this host.
bool stays_here(const net::Endpoint& endpoint);

// Returns a name that no other node has.
std::string random_node_name();

// A node with a certificate gets the certified name, followed by `node`. Fails with
// Errc::bad_options when the key is not one that was generated, and when traffic leaves this host
// without protection.
net::Identity identity_of(const std::string& society, const Proof& proof, const std::string& node,
                          const std::vector<net::Endpoint>& places);
// Returns the settings of sockets for that proof.
net::AsioOptions socket_options(const std::string& society, const Proof& proof,
                                bool shared_memory = true);
// For a society that has no use for a key beside its certificates. Fails with Errc::bad_options.
void refuse_two_proofs(const Proof& proof);

// Returns the value of an environment variable, or an empty text.
std::string environment(const char* name);

net::LinkOptions link_options(Duration give_up, Duration idle = Duration::max());
// The options for the links of a service.
net::LinkOptions service_link_options();

}  // namespace coracle::society
