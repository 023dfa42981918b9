#include "server/target.hpp"

#include <utility>

namespace coracle::http {

std::optional<Fault> find_target(const Head& head, const Url& own, Target& into) {
  const std::size_t hosts = head.headers.count("Host");
  if (hosts > 1 || (hosts == 0 && head.version >= 11))
    return Fault{400, "there is not exactly one header Host"};
  into.url = own;
  if (const auto named = head.headers.find("Host"); named && !named->empty()) {
    auto host = parse_authority(*named);
    if (!host) return Fault{400, "the header Host names no host"};
    into.url.host = std::move(host->host);
    into.url.port = host->port.value_or(own.is_secure ? 443 : 80);
  }
  into.url.path = "/";
  into.url.query.clear();
  if (head.target == "*") {
    into.is_server = head.method == "OPTIONS";
    return into.is_server ? std::nullopt
                          : std::optional(Fault{400, "only OPTIONS may have the target *"});
  }
  if (!head.target.starts_with('/')) {
    auto url = Url::parse(head.target);
    if (!url) return Fault{400, "the target is no path and no address of the web"};
    into.url = *std::move(url);
    into.url.is_secure = own.is_secure;  // nobody can see that from outside
    return std::nullopt;
  }
  const auto whole = Url::parse("http://h" + head.target);
  if (!whole || head.target.find('#') != head.target.npos)
    return Fault{400, "the target has a character that no address has"};
  into.url.path = whole->path;
  into.url.query = whole->query;
  return std::nullopt;
}

}  // namespace coracle::http
