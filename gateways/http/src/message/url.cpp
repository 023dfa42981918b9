#include "coracle/http/url.hpp"

#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>
#include <utility>

namespace coracle::http {

namespace {

constexpr std::uint16_t usual_port(bool is_secure) noexcept { return is_secure ? 443 : 80; }

Error bad_url(std::string_view text, const char* fault) {
  return Error(Errc::bad_endpoint, detail::quoted(text) + " is not an address of the web: " +
                                       fault + "; write http://host:port/path or https://...");
}

bool is_name_character(char c) noexcept {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_';
}
bool is_address_character(char c) noexcept { return hex_value(c) >= 0 || c == ':' || c == '.'; }

// Reads the host and the port in `text`; returns the fault.
const char* read_authority(std::string_view text, Authority& into) {
  std::string_view host, after;
  const bool is_address = text.starts_with('[');
  if (is_address) {
    const auto closing = text.find(']');
    if (closing == text.npos) return "its '[' has no ']'";
    host = text.substr(1, closing - 1);
    after = text.substr(closing + 1);
    if (host.find(':') == host.npos) return "there is no IPv6 address between '[' and ']'";
  } else {
    host = text.substr(0, text.find(':'));
    after = text.substr(host.size());
  }
  if (host.empty()) return "it has no host";
  if (host.size() > Url::max_host) return "its host is longer than 253 bytes";
  if (!std::all_of(host.begin(), host.end(), is_address ? is_address_character : is_name_character))
    return "its host has a character that no host has";
  if (!after.empty()) {
    const auto port = number_in<std::uint16_t>(after.substr(1));
    if (!after.starts_with(':') || !port || *port == 0)
      return "its port is not a number from 1 to 65535";
    into.port = port;
  }
  into.host = lower_case(host);
  return nullptr;
}

// Returns the fault of a path and query.
const char* fault_of_target(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] <= ' ' || text[at] > '~')
      return "it has a blank, or a character that is not ASCII";
    if (text[at] != '%') continue;
    if (at + 2 >= text.size() || hex_value(text[at + 1]) < 0 || hex_value(text[at + 2]) < 0)
      return "a percent sign has no two digits behind it";
  }
  return nullptr;
}

void append_host(std::string& text, const std::string& host) {
  const bool is_address = host.find(':') != host.npos;
  if (is_address) text += '[';
  text += host;
  if (is_address) text += ']';
}

}  // namespace

Result<Authority> parse_authority(std::string_view text) {
  Authority read;
  const char* const fault =
      text.size() > Url::max_text ? "it is too long" : read_authority(text, read);
  if (fault != nullptr)
    return Error(Errc::bad_endpoint, detail::quoted(text) + " is no host with a port: " + fault +
                                         "; write host:port, for example 127.0.0.1:8080");
  return read;
}

Result<Url> Url::parse(std::string_view text) {
  if (text.size() > max_text) return bad_url(text, "it is longer than 8192 bytes");
  Url url;
  const auto colon = text.find("://");
  const std::string scheme = lower_case(text.substr(0, std::min(colon, std::size_t{8})));
  if (colon == text.npos ||
      (scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss"))
    return bad_url(text, "its scheme is not http or https");
  url.is_secure = scheme.back() == 's' && scheme != "ws";
  std::string_view rest = text.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  rest.remove_prefix(authority.size());
  if (authority.find('@') != authority.npos)
    return bad_url(text.substr(0, colon + 3), "it has a user name, which others could read");
  Authority where;
  if (const char* const fault = read_authority(authority, where)) return bad_url(text, fault);
  if (const char* const fault = fault_of_target(rest)) return bad_url(text, fault);
  url.host = std::move(where.host);
  url.port = where.port.value_or(usual_port(url.is_secure));
  const auto question = rest.find('?');
  if (question != 0 && !rest.empty()) url.path = rest.substr(0, question);
  if (question != rest.npos) url.query = rest.substr(question + 1);
  return url;
}

std::string Url::authority() const {
  std::string text;
  append_host(text, host);
  if (port != usual_port(is_secure)) text += ':' + std::to_string(port);
  return text;
}

std::string Url::origin() const { return (is_secure ? "https://" : "http://") + authority(); }

std::string Url::target() const { return query.empty() ? path : path + '?' + query; }

std::string Url::text() const { return origin() + target(); }

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      result += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[at + 1]), low = hex_value(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return result;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  for (const char each : text) {
    if (is_letter(each) || is_digit(each) ||
        std::string_view("-._~").find(each) != std::string_view::npos) {
      result += each;
      continue;
    }
    const auto byte = static_cast<unsigned char>(each);
    result += '%';
    result += digits[byte >> 4];
    result += digits[byte & 15];
  }
  return result;
}

std::optional<std::vector<std::pair<std::string, std::string>>> query_fields(std::string_view query,
                                                                             std::size_t most) {
  const auto decoded = [](std::string_view text) {
    std::string blanks(text);
    std::replace(blanks.begin(), blanks.end(), '+', ' ');
    return percent_decoded(blanks);
  };
  std::vector<std::pair<std::string, std::string>> fields;
  while (!query.empty()) {
    const std::string_view field = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(field.size() + 1, query.size()));
    if (field.empty()) continue;
    if (fields.size() == most) return std::nullopt;
    const auto equals = field.find('=');
    auto name = decoded(field.substr(0, equals));
    auto value = decoded(equals == field.npos ? std::string_view() : field.substr(equals + 1));
    if (!name || !value) return std::nullopt;
    fields.emplace_back(*std::move(name), *std::move(value));
  }
  return fields;
}

}  // namespace coracle::http
