#include "settings.hpp"

#include "coracle/support/log.hpp"
#include "realizations/net/src/shown_setting.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace coracle::society {

net::Endpoint endpoint_of(const std::string& text, const Proof& proof) {
  const bool has_scheme = text.find("://") != std::string::npos;
  net::Endpoint endpoint = net::Endpoint::parse((has_scheme ? "" : "tcp://") + text).value();
  if (endpoint.scheme == net::Endpoint::Scheme::tcp && proof.is_there())
    endpoint.scheme = net::Endpoint::Scheme::tls;
  return endpoint;
}

std::vector<net::Endpoint> endpoints_of(const std::vector<std::string>& texts, const Proof& proof) {
  std::vector<net::Endpoint> endpoints;
  for (const std::string& text : texts) endpoints.push_back(endpoint_of(text, proof));
  return endpoints;
}

bool stays_here(const net::Endpoint& endpoint) {
  if (endpoint.scheme == net::Endpoint::Scheme::unix_socket) return true;
  return endpoint.host == "localhost" || endpoint.host == "::1" ||
         endpoint.host.starts_with("127.");
}

std::string random_node_name() {
  return fmt::format("node-{:016x}{:016x}", machine_random().next(), machine_random().next());
}

net::Identity identity_of(const std::string& society, const Proof& proof, const std::string& node,
                          const std::vector<net::Endpoint>& places) {
  if (!proof.key.empty()) (void)net::KeySource(proof.key, society).read().value();
  if (proof.is_there() && proof.insecure)
    throw Error(Errc::bad_options,
                "insecure=yes is for a society without a key and without certificates; leave it "
                "out, or CORACLE_KEY and CORACLE_TLS");
  for (const net::Endpoint& place : places) {
    const bool is_secured = place.scheme == net::Endpoint::Scheme::tls;
    if (is_secured && !proof.is_there())
      throw Error(Errc::bad_options,
                  place.text() +
                      " needs a society key (coracle keys --society-key, then CORACLE_KEY or "
                      "key=...), or a certificate (coracle keys, then CORACLE_TLS or tls=FOLDER)");
    if (!is_secured && !proof.insecure && !stays_here(place))
      throw Error(Errc::bad_options, net::plain_text_is_refused(place));
  }
  net::Identity identity;
  identity.society = society;
  identity.node = node;
  if (!proof.tls.empty())
    identity.node = net::certified_node(net::tls_files_in(proof.tls), society) + "." + node;
  identity.epoch = {machine_random().next(), 0};
  identity.anybody = !proof.is_there();
  return identity;
}

net::AsioOptions socket_options(const std::string& society, const Proof& proof,
                                bool shared_memory) {
  net::AsioOptions options;
  options.shared_memory = shared_memory;
  options.insecure = proof.insecure;
  options.log = detail::warnings_of(detail::LogPart::link);
  if (!proof.tls.empty()) options.tls = net::tls_files_in(proof.tls);
  else if (!proof.key.empty()) options.keys.emplace(proof.key, society);
  return options;
}

void refuse_two_proofs(const Proof& proof) {
  if (proof.key.empty() || proof.tls.empty()) return;
  throw Error(Errc::bad_options,
              "both a key and certificates are set, and with certificates the key has no effect; "
              "leave out key=... (or CORACLE_KEY), or tls=FOLDER (or CORACLE_TLS)");
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

net::LinkOptions link_options(Duration give_up, Duration idle) {
  net::LinkOptions options;
  options.session.largest = options.least_largest = largest_piece;
  options.session.give_up = give_up;
  options.idle = idle;
  options.most_pause = std::chrono::seconds(1);
  return options;
}

net::LinkOptions service_link_options() {
  net::LinkOptions options = link_options(service_patience);
  options.session.give_up_detached = detached_patience;
  return options;
}

}  // namespace coracle::society
