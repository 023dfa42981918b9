#include "coracle/web/callers.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/digest.hpp"
#include "coracle/web/json_reader.hpp"
#include "coracle/web/secret_file.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <utility>

namespace coracle::web {

namespace {

constexpr std::size_t shortest_secret = 16, longest_secret = 4096, longest_caller = 255,
                      longest_subject = 1000;
constexpr std::size_t largest_callers_file = std::size_t{16} << 20;

bool is_secret(std::string_view text) noexcept {
  return text.size() >= shortest_secret && text.size() <= longest_secret &&
         std::all_of(text.begin(), text.end(), [](char each) { return each > ' ' && each <= '~'; });
}

// Returns the token of "Bearer TOKEN"; nothing for another scheme.
std::optional<std::string_view> bearer_of(std::string_view value) noexcept {
  constexpr std::string_view scheme = "bearer ";
  if (value.size() < scheme.size()) return std::nullopt;
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    const char each = value[i];
    if ((each >= 'A' && each <= 'Z' ? each - 'A' + 'a' : each) != scheme[i]) return std::nullopt;
  }
  value.remove_prefix(scheme.size());
  while (value.starts_with(' ')) value.remove_prefix(1);
  return value;
}

void check_caller(const std::string& caller) {
  if (!caller.empty() && caller.size() <= longest_caller && detail::is_plain(caller) &&
      caller != Callers::anyone)
    return;
  throw Error(Errc::bad_options,
              "the name of a caller is a text of 1 to 255 visible bytes, and not \"anyone\"; "
              "correct " +
                  detail::quoted(caller));
}

}  // namespace

std::map<std::string, std::string, std::less<>> Callers::known(
    std::vector<CallerCertificate> certificates) {
  std::map<std::string, std::string, std::less<>> all;
  for (CallerCertificate& each : certificates) {
    check_caller(each.caller);
    const bool is_subject = !each.subject.empty() && each.subject.size() <= longest_subject &&
                            each.subject.find('=') != std::string::npos;
    if (!is_subject || !std::all_of(each.subject.begin(), each.subject.end(),
                                    [](char one) { return one >= ' ' && one <= '~'; }))
      throw Error(Errc::bad_options,
                  "the subject of the certificate of " + detail::quoted(each.caller) +
                      " is no text of 3 to 1000 visible ASCII characters, as CN=ann,O=Lab; copy "
                      "it from openssl x509 -noout -subject -nameopt RFC2253");
    const auto [place, is_new] = all.try_emplace(std::move(each.subject), each.caller);
    if (!is_new && place->second != each.caller)
      throw Error(Errc::bad_options, "the subject of the certificate of " +
                                         detail::quoted(each.caller) +
                                         " is that of another caller, too; leave one out");
  }
  return all;
}

std::vector<Callers::Known> Callers::known(std::vector<CallerSecret> secrets) {
  std::vector<Known> all;
  for (CallerSecret& each : secrets) {
    check_caller(each.caller);
    if (!is_secret(each.secret))
      throw Error(Errc::bad_options,
                  "the secret of " + detail::quoted(each.caller) +
                      " is no 16 to 4096 visible ASCII characters; make one by openssl rand -hex "
                      "32");
    std::string digest = sha256_of(each.secret);
    if (std::any_of(all.begin(), all.end(), [&](const Known& one) { return one.digest == digest; }))
      throw Error(Errc::bad_options, "the secret of " + detail::quoted(each.caller) +
                                         " is that of another caller, too; make a new one");
    all.push_back({std::move(each.caller), std::move(digest)});
  }
  return all;
}

Callers::Callers(CallerOptions options)
    : api_keys_(known(std::move(options.api_keys))),
      tokens_(known(std::move(options.tokens))),
      certificates_(known(std::move(options.certificates))),
      judge_(std::move(options.judge)) {}

CallerOptions Callers::from_file(const std::string& path) {
  const std::string text = read_secret_file(path, "file of callers");
  CallerOptions options;
  try {
    JsonLimits limits;
    limits.bytes = largest_callers_file;
    const Json whole = parse_json(text, limits).value();
    const JsonReader reader(whole);
    for (const Json::Member& each : *reader.object().if_object()) {
      const JsonReader caller = reader.at(each.name);
      const std::string api_key = caller.text_or_empty("apiKey");
      const std::string token = caller.text_or_empty("token");
      const std::string subject = caller.text_or_empty("certificate");
      if (api_key.empty() && token.empty() && subject.empty())
        caller.fail("has neither apiKey, token nor certificate");
      if (!api_key.empty()) options.api_keys.push_back({each.name, api_key});
      if (!token.empty()) options.tokens.push_back({each.name, token});
      if (!subject.empty()) options.certificates.push_back({each.name, subject});
    }
  } catch (const Error& problem) {
    throw Error(Errc::bad_options, "the file of callers " + detail::quoted(path, 200) +
                                       " cannot be used: " + problem.sentence());
  }
  if (options.api_keys.empty() && options.tokens.empty() && options.certificates.empty())
    throw Error(Errc::bad_options, "the file of callers " + detail::quoted(path, 200) +
                                       " has nobody; name one, as in {\"ann\": {\"token\": ...}}");
  return options;
}

std::optional<std::string> Callers::find(const std::vector<Known>& all, std::string_view secret) {
  if (all.empty() || secret.size() > longest_secret) return std::nullopt;
  // Digests have the same length, so that the time says nothing about a secret.
  const std::string digest = sha256_of(secret);
  const Known* found = nullptr;
  for (const Known& each : all)
    if (CRYPTO_memcmp(each.digest.data(), digest.data(), digest.size()) == 0) found = &each;
  return found == nullptr ? std::nullopt : std::optional(found->caller);
}

std::optional<std::string> Callers::judged(std::string_view token) const {
  if (auto caller = find(tokens_, token)) return caller;
  return judge_ ? judge_(token) : std::nullopt;
}

Result<std::string> Callers::caller_of(const http::Request& request) const {
  const auto refused = [](const char* why) { return Error(Errc::not_permitted, why); };
  if (!needs_proof()) return std::string(anyone);
  const http::Headers& headers = request.headers;
  if (headers.count("Authorization") > 1 || headers.count("X-API-Key") > 1)
    return refused("a proof of who sends the request was given twice; send it once");
  std::optional<std::string> caller;
  if (const auto value = headers.find("Authorization"); value && takes_tokens()) {
    const auto token = bearer_of(*value);
    caller = token ? judged(*token) : std::nullopt;
    if (!caller) return refused("the token is not accepted; try again, or get a new one");
  }
  if (const auto key = headers.find("X-API-Key"); key && takes_api_keys()) {
    const auto other = find(api_keys_, *key);
    if (!other) return refused("the API key is not valid; correct X-API-Key");
    if (caller && *caller != *other)
      return refused("the API key is that of another caller; leave one of the proofs out");
    caller = other;
  }
  // The server has verified the certificate.
  if (const auto place = certificates_.find(request.certificate_subject);
      place != certificates_.end()) {
    if (caller && *caller != place->second)
      return refused("the certificate is that of another caller; leave one of the proofs out");
    caller = place->second;
  }
  if (!caller)
    return Error(Errc::not_permitted, "the request does not prove who sends it; send " + ways());
  return *std::move(caller);
}

// The proofs that are accepted, as a choice.
std::string Callers::ways() const {
  std::string all;
  const auto add = [&](bool is_taken, const char* way) {
    if (is_taken) all += (all.empty() ? "" : " or ") + std::string(way);
  };
  add(takes_tokens(), "a token");
  add(takes_api_keys(), "an API key");
  add(takes_certificates(), "the certificate of a caller");
  return all;
}

void Callers::check(const std::optional<http::ServerTls>& tls) const {
  const bool asks = tls && !tls->authorities.empty();
  if (takes_certificates() && !asks)
    throw Error(Errc::bad_options,
                "callers are named by certificates for which the server does not ask; give it a "
                "certificate and the authorities of callers (--certificate, --caller-authorities), "
                "or leave out the certificates of callers");
  if (asks && tls->certificate_is_optional && !takes_certificates())
    throw Error(Errc::bad_options,
                "the server asks for certificates that prove nobody; name the subjects of callers "
                "(--callers), or leave out the authorities of callers (--caller-authorities)");
}

http::Headers Callers::challenge() const {
  http::Headers headers;
  if (takes_tokens()) headers.add("WWW-Authenticate", "Bearer realm=\"coracle\"");
  if (takes_api_keys()) headers.add("WWW-Authenticate", "ApiKey realm=\"coracle\"");
  if (takes_certificates()) headers.add("WWW-Authenticate", "Certificate realm=\"coracle\"");
  return headers;
}

}  // namespace coracle::web
