#include "address.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/url.hpp"
#include "coracle/support/quote.hpp"
#include "encapsulation.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace coracle::fipa {

namespace {

constexpr std::uint32_t internet_profile = 0;
constexpr std::uint32_t code_sets_component = 1;
constexpr std::string_view mts_type = "IDL:FIPA/MTS:1.0";
constexpr std::string_view safe_in_keys = ";/:?@&=+$,-_.!~*'()";

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(),
                                                    [](char a, char b) { return a == lower(b); });
}

int digit_of(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

Error bad(std::string_view text, const std::string& why) {
  return Error(Errc::bad_endpoint,
               "the address " + detail::quoted(text) + " is not usable: " + why);
}

bool is_letter_or_digit(char c) noexcept {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

bool is_host(std::string_view host) noexcept {
  return !host.empty() && host.size() <= IiopAddress::max_host &&
         std::all_of(host.begin(), host.end(), [](char c) {
           return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_' || c == ':';
         });
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

// --- references ---

CodeSets read_code_sets(EncapsulationReader& in) {
  CodeSets sets;
  sets.own = in.number();
  const std::uint32_t count = in.number();
  if (count > IiopAddress::max_code_sets) in.fail();
  for (std::uint32_t i = 0; i < count && in.is_right(); ++i) sets.others.push_back(in.number());
  return sets;
}

void read_components(EncapsulationReader& in, IiopAddress& address) {
  const std::uint32_t count = in.number();
  if (count > IiopAddress::max_components) in.fail();
  for (std::uint32_t i = 0; i < count && in.is_right(); ++i) {
    const std::uint32_t tag = in.number();
    const std::string_view data = in.bytes();
    if (tag != code_sets_component || address.narrow) continue;
    EncapsulationReader sets(data);
    CodeSets narrow = read_code_sets(sets);
    CodeSets wide = read_code_sets(sets);
    if (!sets.is_right()) continue;  // as if it had none
    address.narrow = std::move(narrow);
    address.wide = std::move(wide);
  }
}

// The address in one profile; empty if it is of another version, or makes no sense.
std::optional<IiopAddress> address_in(std::string_view profile) {
  EncapsulationReader in(profile);
  IiopAddress address;
  const std::uint8_t major = in.octet();
  address.minor = std::min<std::uint8_t>(in.octet(), 2);
  const std::string_view host = in.text();
  address.port = in.half();
  const std::string_view key = in.bytes();
  if (!in.is_right() || major != 1 || !is_host(host) || address.port == 0 || key.empty() ||
      key.size() > IiopAddress::max_key)
    return std::nullopt;
  address.host = lowered(host);
  address.key = key;
  if (address.minor > 0) read_components(in, address);
  if (!in.is_right()) return std::nullopt;
  return address;
}

Result<IiopAddress> parse_ior(std::string_view text) {
  const std::string_view digits = text.substr(4);
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = digit_of(digits[i]), low = digit_of(digits[i + 1]);
    if (high < 0 || low < 0) return bad(text, "an IOR has hexadecimal digits only");
    bytes += static_cast<char>(16 * high + low);
  }
  if (digits.size() % 2 != 0 || bytes.empty())
    return bad(text, "an IOR has two digits for each byte; it may have been cut");
  EncapsulationReader in(bytes);
  (void)in.text();  // the type, which may be one that derives from FIPA::MTS
  const std::uint32_t count = in.number();
  if (count > IiopAddress::max_profiles) in.fail();
  for (std::uint32_t i = 0; i < count && in.is_right(); ++i) {
    const std::uint32_t tag = in.number();
    const std::string_view profile = in.bytes();
    if (!in.is_right()) break;
    if (tag != internet_profile) continue;
    if (auto found = address_in(profile)) return *std::move(found);
  }
  if (!in.is_right()) return bad(text, "the bytes of the IOR are no object reference");
  return bad(text, "the IOR has no host, port and key for IIOP 1");
}

// --- corbaloc ---

std::optional<std::string> decoded_key(std::string_view text) {
  const bool is_escaped = std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter_or_digit(c) || c == '%' || safe_in_keys.find(c) != std::string_view::npos;
  });
  return is_escaped ? http::percent_decoded(text) : std::nullopt;
}

// Reads "iiop:1.2@host:port"; returns what is wrong, or nothing.
const char* read_place(std::string_view text, IiopAddress& address) {
  if (begins(text, "iiop:")) text.remove_prefix(5);
  else if (text.starts_with(":")) text.remove_prefix(1);
  else return "only iiop is known as a protocol in a corbaloc";
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    const std::string_view version = text.substr(0, at);
    if (version.size() != 3 || !version.starts_with("1.") || version[2] < '0' || version[2] > '9')
      return "its version of IIOP is not 1.0 to 1.9";
    address.minor = static_cast<std::uint8_t>(std::min(version[2] - '0', 2));
    text.remove_prefix(at + 1);
  }
  std::string_view host = text, port;
  bool has_port = false;
  if (text.starts_with("[")) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return "the bracket of its host is not closed";
    host = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && rest[0] != ':') return "behind its host is neither a port nor an end";
    has_port = !rest.empty();
    if (has_port) port = rest.substr(1);
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    has_port = true;
    if (port.find(':') != std::string_view::npos) return "an IPv6 address needs brackets";
  }
  if (!is_host(host)) return "its host is none";
  address.host = lowered(host);
  if (!has_port) return nullptr;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || address.port == 0)
    return "its port is no number between 1 and 65535";
  return nullptr;
}

Result<IiopAddress> parse_corbaloc(std::string_view text) {
  const std::string_view rest = text.substr(std::string_view("corbaloc:").size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash + 1 == rest.size())
    return bad(text, "a corbaloc ends with a slash and the key of the object");
  IiopAddress address;
  const std::string_view places = rest.substr(0, slash);
  const std::string_view first = places.substr(0, places.find(','));
  if (const char* const why = read_place(first, address)) return bad(text, why);
  auto key = decoded_key(rest.substr(slash + 1));
  if (!key || key->size() > IiopAddress::max_key)
    return bad(text, "its key has characters that are not escaped as %41, or is too long");
  address.key = *std::move(key);
  if (address.minor > 0) {
    // An ORB that states no character sets has Latin-1, and every ORB converts UTF-8.
    address.narrow = CodeSets{latin_1, {utf_8}};
    address.wide = CodeSets{utf_16, {}};
  }
  return address;
}

}  // namespace

bool is_iiop_address(std::string_view text) noexcept {
  return begins(text, "ior:") || begins(text, "corbaloc:") || begins(text, "corbaname:");
}

Result<IiopAddress> parse_iiop_address(std::string_view text) {
  if (text.size() > IiopAddress::max_text) return bad(text, "it has more than 16 KiB");
  if (begins(text, "ior:")) return parse_ior(text);
  if (begins(text, "corbaloc:")) return parse_corbaloc(text);
  if (begins(text, "corbaname:"))
    return bad(text, "the gateway asks no naming service; give an IOR or a corbaloc");
  return bad(text, "an address of IIOP begins with IOR: or corbaloc:");
}

IiopAddress in_utf_8(IiopAddress address) {
  if (!address.narrow) return address;
  const auto& others = address.narrow->others;
  if (std::find(others.begin(), others.end(), utf_8) != others.end())
    address.narrow = CodeSets{utf_8, {}};
  return address;
}

std::string ior_of(const IiopAddress& address) {
  EncapsulationWriter profile;
  profile.octet(1);
  profile.octet(address.minor);
  profile.text(address.host);
  profile.half(address.port);
  profile.bytes(address.key);
  if (address.minor > 0) {
    profile.number(address.narrow ? 1 : 0);
    if (address.narrow) {
      EncapsulationWriter sets;
      for (const auto& each : {*address.narrow, address.wide.value_or(CodeSets())}) {
        sets.number(each.own);
        sets.number(static_cast<std::uint32_t>(each.others.size()));
        for (const std::uint32_t other : each.others) sets.number(other);
      }
      profile.number(code_sets_component);
      profile.bytes(sets.taken());
    }
  }
  EncapsulationWriter reference;
  reference.text(mts_type);
  reference.number(1);
  reference.number(internet_profile);
  reference.bytes(profile.taken());
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text = "IOR:";
  for (const char c : reference.taken()) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string corbaloc_of(const IiopAddress& address) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "corbaloc::" + place_of(address.host, address.port) + "/";
  for (const char c : address.key) {
    if (is_letter_or_digit(c) || safe_in_keys.find(c) != std::string_view::npos) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return text;
}

std::string place_of(const std::string& host, std::uint16_t port) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace coracle::fipa
