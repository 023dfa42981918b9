#include "settings.hpp"

#include "way.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace coracle::society {

net::Endpoint endpoint_of(const std::string& text, const Proof& proof) {
  const bool has_scheme = text.find("://") != std::string::npos;
  const char* const scheme = has_scheme ? "" : proof.tls.empty() ? "tcp://" : "tls://";
  return net::Endpoint::parse(scheme + text).value();
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
  for (const net::Endpoint& place : places) {
    const bool is_secured = place.scheme == net::Endpoint::Scheme::tls;
    if (is_secured && proof.tls.empty())
      throw Error(Errc::bad_options, place.text() +
                                         " needs a certificate: make one with `coracle "
                                         "keys`, and set CORACLE_TLS, or tls=FOLDER");
    if (proof.key.empty() && !is_secured && !stays_here(place))
      throw Error(Errc::bad_options, "the society '" + society + "' leaves this host at " +
                                         place.text() +
                                         ", so it needs a key: set CORACLE_KEY, or key=...; or "
                                         "certificates: set CORACLE_TLS, or tls=FOLDER");
  }
  net::Identity identity;
  identity.society = society;
  identity.node = node;
  if (!proof.tls.empty())
    identity.node = net::certified_node(net::tls_files_in(proof.tls), society) + "." + node;
  identity.epoch = {machine_random().next(), 0};
  identity.key = proof.key;
  identity.anybody = proof.key.empty() && proof.tls.empty();
  return identity;
}

net::AsioOptions socket_options(const Proof& proof, bool shared_memory) {
  net::AsioOptions options;
  options.shared_memory = shared_memory;
  if (!proof.tls.empty()) options.tls = net::tls_files_in(proof.tls);
  return options;
}

bool is_yes(std::string_view key, std::string_view value) {
  if (value != "yes" && value != "no")
    throw Error(Errc::bad_realization,
                std::string(key) + " is yes or no, not '" + std::string(value) + "'");
  return value == "yes";
}

bool Membership::take(std::string_view name, std::string_view value) {
  if (name == "key") {
    key = value;
    return true;
  }
  if (name == "tls") {
    if (value.empty())
      throw Error(Errc::bad_realization, "tls needs the folder that `coracle keys` has made");
    tls = value;
    return true;
  }
  if (name != "society") return false;
  if (value.empty() || value.find('/') != std::string_view::npos || value.size() > 64)
    throw Error(Errc::bad_realization, "society needs a name of 1 to 64 bytes without a slash");
  society = value;
  return true;
}

void Membership::take_environment() {
  if (const std::string name = environment("CORACLE_SOCIETY"); !name.empty()) take("society", name);
  key = environment("CORACLE_KEY");
  tls = environment("CORACLE_TLS");
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

net::LinkOptions link_options(Duration give_up, Duration idle) {
  net::LinkOptions options;
  options.session.largest[way_lane] = largest_piece;
  options.session.window[way_lane] = {std::uint64_t{8} << 20, 1u << 16};
  options.session.kept[way_lane] = std::uint64_t{16} << 20;
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
