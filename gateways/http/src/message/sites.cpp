#include "coracle/http/sites.hpp"

#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>

namespace coracle::http {

std::optional<std::string> Sites::objection(const Request& request) const {
  const auto is_known = [this](const std::string& host) {
    return std::any_of(hosts.begin(), hosts.end(),
                       [&](const std::string& each) { return same_word(each, host); });
  };
  if (!is_known(request.url.host))
    return "the host " + detail::quoted(request.url.host) + " is none of this server's";
  // A target with a host of its own hides the header, which is what a browser fills in.
  if (const auto named = request.headers.find("Host")) {
    const auto host = parse_authority(*named);
    if (!host || !is_known(host->host))
      return "the host " + detail::quoted(*named) + " is none of this server's";
  }
  const auto origin = request.headers.find("Origin");
  if (!origin || same_word(*origin, request.url.origin()) || shared_with(request))
    return std::nullopt;
  return "pages of " + detail::quoted(*origin) + " may not use this server";
}

std::optional<std::string_view> Sites::shared_with(const Request& request) const {
  const auto origin = request.headers.find("Origin");
  if (!origin || request.headers.count("Origin") != 1) return std::nullopt;
  const bool is_listed = std::any_of(origins.begin(), origins.end(), [&](const std::string& each) {
    return same_word(each, *origin);
  });
  return is_listed ? origin : std::nullopt;
}

}  // namespace coracle::http
