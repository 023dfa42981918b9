#include "settings.hpp"

#include "way.hpp"

#include <utility>

namespace coracle::distributed {

net::Endpoint endpoint_of(const std::string& text) {
  const bool has_scheme = text.find("://") != std::string::npos;
  return net::Endpoint::parse(has_scheme ? text : "tcp://" + text).value();
}

std::vector<net::Endpoint> endpoints_of(const std::vector<std::string>& texts) {
  std::vector<net::Endpoint> endpoints;
  for (const std::string& text : texts) endpoints.push_back(endpoint_of(text));
  return endpoints;
}

bool stays_here(const net::Endpoint& endpoint) {
  if (endpoint.scheme == net::Endpoint::Scheme::unix_socket) return true;
  return endpoint.host == "localhost" || endpoint.host == "::1" ||
         endpoint.host.starts_with("127.");
}

net::Identity identity_of(const std::string& society, const std::string& key, std::string node,
                          const std::vector<net::Endpoint>& places) {
  for (const net::Endpoint& place : places) {
    if (key.empty() && !stays_here(place))
      throw Error(Errc::bad_options, "the society '" + society + "' leaves this host at " +
                                         place.text() +
                                         ", so it needs a key: set CORACLE_KEY, or key=...");
  }
  net::Identity identity;
  identity.society = society;
  identity.node = std::move(node);
  identity.epoch = {machine_random().next(), 0};
  identity.key = key;
  identity.anybody = key.empty();
  return identity;
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

}  // namespace coracle::distributed
