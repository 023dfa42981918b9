#include "coracle/jose/token.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/json.hpp"
#include "header.hpp"

#include <algorithm>
#include <variant>

namespace coracle::jose {

namespace {

constexpr std::size_t longest_caller = 200;
constexpr double latest_second = 253'402'300'800.0;  // the year 10000

TokenVerdict refused(const char* fault, bool has_unknown_key = false) {
  return {std::nullopt, fault, has_unknown_key};
}

// Returns whether the claim is this text, or a list that has it.
bool names(const web::Json* claim, const std::string& text) {
  if (claim == nullptr) return false;
  if (const std::string* const one = claim->if_text()) return *one == text;
  const web::Json::Array* const all = claim->if_array();
  return all != nullptr && std::any_of(all->begin(), all->end(), [&](const web::Json& each) {
           return each.if_text() != nullptr && *each.if_text() == text;
         });
}

// Seconds since 1970; nothing if the claim is no such time.
std::optional<double> time_in(const web::Json* claim) {
  const auto seconds = claim == nullptr ? std::nullopt : claim->if_number();
  return seconds && *seconds >= 0 && *seconds < latest_second ? seconds : std::nullopt;
}

// The fault of the claims; nullptr if there is none.
const char* fault_of(const web::Json& claims, const TokenRules& rules, double now) {
  const web::Json* const issuer = claims.find("iss");
  const bool is_own =
      issuer != nullptr && issuer->if_text() != nullptr && *issuer->if_text() == rules.issuer;
  if (!is_own && !mutated(Mutation::any_issuer)) return "it has another issuer";
  if (!names(claims.find("aud"), rules.audience) && !mutated(Mutation::any_audience))
    return "it is for somebody else";
  const double leeway = std::chrono::duration<double>(rules.leeway).count();
  const auto end = time_in(claims.find("exp"));
  if (!end && !mutated(Mutation::endless)) return "it has no end";
  if (end && now >= *end + leeway && !mutated(Mutation::any_end)) return "it has expired";
  const web::Json* const from = claims.find("nbf");
  const auto beginning = time_in(from);
  if (from != nullptr && !beginning) return "its beginning is no time";
  if (beginning && now + leeway < *beginning && !mutated(Mutation::any_beginning))
    return "it is not valid yet";
  return nullptr;
}

std::optional<std::string> caller_in(const web::Json& claims, const TokenRules& rules) {
  const web::Json* const claim = claims.find(rules.caller_claim);
  const std::string* const name = claim == nullptr ? nullptr : claim->if_text();
  const bool is_name = name != nullptr && !name->empty() && name->size() <= longest_caller &&
                       detail::is_plain(*name);
  return is_name || (name != nullptr && mutated(Mutation::any_name))
             ? std::optional(rules.prefix + *name)
             : std::nullopt;
}

}  // namespace

void check_rules(const TokenRules& rules) {
  const auto bad = [](const std::string& sentence) { return Error(Errc::bad_options, sentence); };
  if (rules.issuer.empty()) throw bad("tokens need an issuer; name it as their claim iss does");
  if (rules.audience.empty())
    throw bad("tokens need an audience; name this gateway as their claim aud does");
  if (rules.caller_claim.empty()) throw bad("no claim names the caller; use for example sub");
  if (rules.prefix.size() > 50 || !detail::is_plain(rules.prefix))
    throw bad(
        "the text before the names of callers is longer than 50 bytes or not visible; "
        "use for example jwt:");
  if (rules.leeway < Duration::zero() || rules.leeway > std::chrono::minutes(10))
    throw bad("the difference between clocks is 0 to 10 minutes; correct it");
  if (rules.algorithms.empty()) throw bad("no algorithm is accepted; name one, as ES256");
  for (const std::string& each : rules.algorithms)
    if (!is_algorithm(each))
      throw bad(detail::quoted(each) +
                " is no algorithm of signatures by public keys; use RS256, PS256, ES256, or the "
                "same with 384 or 512");
}

TokenVerdict judge_token(std::string_view token, const KeySet& keys, const TokenRules& rules,
                         std::chrono::sys_time<std::chrono::milliseconds> now) {
  if (token.size() > max_token) return refused("it is too long");
  const std::size_t first = token.find('.'), last = token.rfind('.');
  if (first == token.npos || first == last) return refused("it is no signed token");
  const std::string_view body = token.substr(first + 1, last - first - 1);
  if (!is_base64url(body) || !is_base64url(token.substr(last + 1)))
    return refused("it is no signed token");
  const auto read = read_header(token.substr(0, first));
  if (const auto* const fault = std::get_if<const char*>(&read)) return refused(*fault);
  const auto& header = std::get<SignedHeader>(read);
  const bool is_accepted = std::find(rules.algorithms.begin(), rules.algorithms.end(),
                                     header.algorithm) != rules.algorithms.end();
  if (!is_accepted && !mutated(Mutation::any_algorithm))
    return refused("its algorithm is not accepted");
  const bool is_token = header.type.empty() || header.type == "jwt" || header.type == "at+jwt" ||
                        header.type == "application/at+jwt";
  if (!is_token && !mutated(Mutation::any_type)) return refused("it is of another type");
  switch (keys.check(token, header.algorithm, header.key_id)) {
    case KeySet::Verdict::unknown_key:
      return refused("its key is unknown", true);
    case KeySet::Verdict::invalid:
      return refused("its signature is wrong");
    case KeySet::Verdict::valid:
      break;
  }
  const auto text = web::from_base64(body);
  if (!text) return refused("its claims are no base64url");
  web::JsonLimits limits;
  limits.bytes = max_token, limits.depth = 16, limits.values = 2000;
  const auto claims = web::parse_json(*text, limits);
  if (!claims || claims->if_object() == nullptr) return refused("its claims are no JSON object");
  const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
  if (const char* const fault = fault_of(*claims, rules, seconds)) return refused(fault);
  auto caller = caller_in(*claims, rules);
  if (!caller) return refused("it names no caller");
  return {std::move(caller)};
}

}  // namespace coracle::jose
