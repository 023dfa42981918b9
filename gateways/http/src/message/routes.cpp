#include "coracle/http/routes.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>
#include <optional>

namespace coracle::http {

namespace {

// Longer paths have more segments than any pattern needs.
constexpr std::size_t most_segments = 64;

Error bad_pattern(std::string_view pattern, const char* fault) {
  return Error(Errc::bad_options,
               detail::quoted(pattern) + " is no pattern of a path: " + fault +
                   "; write for example /agents/{name}/card or /files/{rest...}");
}

// Cuts "/a/b" into "a" and "b", decoded; nothing if that is impossible.
std::optional<std::vector<std::string>> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  if (!path.starts_with('/')) return std::nullopt;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    auto text = percent_decoded(segment);
    if (!text || *text == "." || *text == ".." || text->find('\0') != text->npos ||
        segments.size() == most_segments)
      return std::nullopt;
    segments.push_back(*std::move(text));
  }
  return segments;
}

}  // namespace

Routes& Routes::on(std::string_view method, std::string_view pattern, Handler handler) {
  if (!is_token(method)) throw bad_pattern(method, "the method is no word");
  if (!handler) throw bad_pattern(pattern, "it has no handler");
  Route route{std::string(method), {}, std::move(handler)};
  if (!pattern.starts_with('/')) throw bad_pattern(pattern, "it does not begin with '/'");
  for (std::string_view rest = pattern; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view text = rest.substr(0, rest.find('/'));
    rest.remove_prefix(text.size());
    if (!text.starts_with('{') || !text.ends_with('}')) {
      route.segments.push_back({Segment::Kind::text, std::string(text)});
      continue;
    }
    std::string_view name = text.substr(1, text.size() - 2);
    const bool is_rest = name.ends_with("...");
    if (is_rest) name.remove_suffix(3);
    if (is_rest && !rest.empty()) throw bad_pattern(pattern, "something follows {rest...}");
    if (name.empty()) throw bad_pattern(pattern, "a {} has no name");
    route.segments.push_back(
        {is_rest ? Segment::Kind::rest : Segment::Kind::one, std::string(name)});
  }
  if (route.segments.size() > most_segments) throw bad_pattern(pattern, "it has too many segments");
  const auto place = std::upper_bound(routes_.begin(), routes_.end(), route, comes_before);
  routes_.insert(place, std::move(route));
  return *this;
}

bool Routes::comes_before(const Route& a, const Route& b) {
  return std::lexicographical_compare(
      a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
      [](const Segment& x, const Segment& y) { return x.kind < y.kind; });
}

bool Routes::fits(const Route& route, const std::vector<std::string>& path) {
  for (std::size_t i = 0; i < route.segments.size(); ++i) {
    const Segment& segment = route.segments[i];
    if (segment.kind == Segment::Kind::rest) return true;
    if (i == path.size()) return false;
    if (segment.kind == Segment::Kind::text && segment.text != path[i]) return false;
  }
  return route.segments.size() == path.size();
}

Routes::Found Routes::find(std::string_view method, std::string_view path) const {
  Found found;
  const auto segments = segments_of(path);
  if (!segments) return found;
  std::vector<std::string_view> allowed;
  const auto allow = [&](std::string_view which) {
    if (std::find(allowed.begin(), allowed.end(), which) == allowed.end()) allowed.push_back(which);
  };
  const Route* chosen = nullptr;
  for (const Route& route : routes_) {
    if (!fits(route, *segments)) continue;
    const bool is_same = route.method == method;
    const bool is_head = method == "HEAD" && route.method == "GET";
    if ((is_same || is_head) && chosen == nullptr) {
      chosen = &route;
      break;
    }
    allow(route.method);
    if (route.method == "GET") allow("HEAD");
  }
  if (chosen == nullptr) {
    if (!allowed.empty()) allow("OPTIONS");
    for (const std::string_view each : allowed)
      found.allowed.append(found.allowed.empty() ? "" : ", ").append(each);
    return found;
  }
  found.handler = &chosen->handler;
  for (std::size_t i = 0; i < chosen->segments.size(); ++i) {
    const Segment& segment = chosen->segments[i];
    if (segment.kind == Segment::Kind::one)
      found.parameters.emplace_back(segment.text, (*segments)[i]);
    if (segment.kind != Segment::Kind::rest) continue;
    std::string rest;
    for (std::size_t at = i; at < segments->size(); ++at)
      rest.append(at == i ? "" : "/").append((*segments)[at]);
    found.parameters.emplace_back(segment.text, std::move(rest));
  }
  return found;
}

bool Routes::knows(std::string_view method) const noexcept {
  return std::any_of(routes_.begin(), routes_.end(),
                     [&](const Route& each) { return each.method == method; });
}

}  // namespace coracle::http
