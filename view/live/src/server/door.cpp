#include "server/door.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coracle::view {

using http::Request;
using http::Response;

namespace {

constexpr std::string_view form =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\"><title>coracle view</title><h1>coracle view</h1>"
    "<form method=\"post\" action=\"/login\"><label>Key of the society "
    "<input type=\"password\" name=\"key\" autocomplete=\"current-password\" autofocus></label> "
    "<button>Log in</button></form><p>{}</p></html>\n";

Response login_form(std::string_view why, int status) {
  return Response::with(fmt::format(fmt::runtime(form), why), "text/html; charset=utf-8", status);
}

bool contains(const std::deque<std::string>& all, std::string_view one) noexcept {
  bool found = false;
  for (const std::string& each : all) found |= is_same_secret(each, one);
  return found;
}

std::optional<std::string> field(std::string_view query, std::string_view name) {
  const auto fields = http::query_fields(query, 16);
  if (!fields) return std::nullopt;
  for (const auto& [key, value] : *fields)
    if (key == name) return value;
  return std::nullopt;
}

}  // namespace

bool is_same_secret(std::string_view a, std::string_view b) noexcept {
  std::size_t differs = a.size() ^ b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differs |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differs == 0;
}

void protect(Response& response) {
  constexpr std::string_view policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      "font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
      "form-action 'self'; frame-ancestors 'none'";
  if (!response.headers.find("Content-Security-Policy"))
    response.headers.add("Content-Security-Policy", policy);
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.headers.set("Referrer-Policy", "no-referrer");
  response.headers.set("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
  response.headers.set("Cache-Control", "no-store");
}

Door::Door(Random& random, DoorOptions options) : random_(random), options_(std::move(options)) {}

std::string Door::secret() {
  std::string digits;
  for (int i = 0; i < 4; ++i) digits += fmt::format("{:016x}", random_.next());
  return digits;
}

std::string Door::new_token() {
  const std::lock_guard lock(mutex_);
  tokens_.push_back(secret());
  if (tokens_.size() > most_tokens) tokens_.pop_front();
  return tokens_.back();
}

std::string Door::new_bearer() {
  const std::lock_guard lock(mutex_);
  sessions_.push_back(secret());
  if (sessions_.size() > most_sessions) sessions_.pop_front();
  return sessions_.back();
}

bool Door::is_inside(const Request& request) const {
  if (options_.certified) return true;
  const std::lock_guard lock(mutex_);
  constexpr std::string_view bearer = "Bearer ";
  const auto proof = request.headers.find("Authorization").value_or("");
  if (proof.starts_with(bearer) && contains(sessions_, proof.substr(bearer.size()))) return true;
  for (std::size_t i = 0; i < request.headers.size(); ++i) {
    const auto [name, value] = request.headers[i];
    if (name != "Cookie" && name != "cookie") continue;
    for (std::string_view rest = value; !rest.empty();) {
      std::string_view one = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      one.remove_prefix(std::min(one.size(), one.find_first_not_of(' ')));
      const std::size_t sign = one.find('=');
      if (sign == one.npos || one.substr(0, sign) != options_.cookie) continue;
      if (contains(sessions_, one.substr(sign + 1))) return true;
    }
  }
  return false;
}

Response Door::let_in() {
  std::string session;
  {
    const std::lock_guard lock(mutex_);
    session = sessions_.emplace_back(secret());
    if (sessions_.size() > most_sessions) sessions_.pop_front();
  }
  Response response = Response::plain(303);
  response.headers.add("Location", "/");
  response.headers.add("Set-Cookie",
                       fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/{}", options_.cookie,
                                   session, options_.secure ? "; Secure" : ""));
  return response;
}

std::optional<Response> Door::receive(const Request& request) {
  if (const auto token = field(request.url.query, "token")) {
    bool is_valid = false;
    {
      const std::lock_guard lock(mutex_);
      is_valid = std::erase_if(tokens_, [&](const std::string& each) {
                   return is_same_secret(each, *token);
                 }) != 0;
    }
    if (is_valid) return let_in();
    if (is_inside(request)) {
      Response response = Response::plain(303);
      response.headers.add("Location", "/");
      return response;
    }
    return Response::plain(403,
                           "this address was used before, or is not valid any more; use the latest "
                           "address that coracle view has printed");
  }
  if (is_inside(request)) return std::nullopt;
  if (!options_.login.empty()) return login_form("", 200);
  return Response::plain(
      403, "this browser was not let in; open the whole address that coracle view has printed");
}

Response Door::log_in(const Request& request, Time now) {
  if (options_.login.empty()) return Response::plain(404);
  {
    const std::lock_guard lock(mutex_);
    if (now - first_failure_ > forgets_failures) failures_ = 0, first_failure_ = now;
    if (failures_ >= most_failures)
      return login_form("There were too many wrong keys; wait a minute.", 429);
    ++failures_;  // until it has proved to be right
  }
  const auto key = field(request.body, "key");
  if (!key || !is_same_secret(*key, options_.login))
    return login_form("This is not the key of the society.", 403);
  {
    const std::lock_guard lock(mutex_);
    --failures_;
  }
  return let_in();
}

}  // namespace coracle::view
