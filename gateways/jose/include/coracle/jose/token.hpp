// Signed tokens (JSON Web Tokens, RFC 7519, as RFC 8725 says how to check them): the caller that a
// token proves, as a pure function.
// Tests: gateways/jose/tests/token_test.cpp, tests/fuzz/token_fuzz.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/jose/key_set.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::jose {

// The demands on a token.
struct TokenRules {
  // The issuer, exactly as the claim "iss" has it.
  std::string issuer = {};
  // The name of this gateway at its issuer, which has to be in the claim "aud".
  std::string audience = {};
  // The algorithms of signatures that are accepted.
  std::vector<std::string> algorithms = {"RS256", "PS256", "ES256"};
  // The claim that names the caller, and the text before it, so that no issuer names a caller that
  // is known by other proofs.
  std::string caller_claim = "sub";
  std::string prefix = "jwt:";
  // The difference between the clocks of the issuer and of this host that is accepted.
  Duration leeway = std::chrono::seconds(30);
};

// The longest token, in bytes.
inline constexpr std::size_t max_token = 16 * 1024;

// The result of a check.
struct TokenVerdict {
  // The caller; nothing if the token is refused.
  std::optional<std::string> caller = {};
  // The reason of a refusal. It is for the log, and not for the stranger.
  const char* fault = nullptr;
  // True if the token is signed with a key that is not in the set; the issuer may have a new one.
  bool has_unknown_key = false;
};

// Fails with Errc::bad_options if the rules cannot be used.
void check_rules(const TokenRules& rules);

// Returns the caller that a token proves at that time of the calendar.
TokenVerdict judge_token(std::string_view token, const KeySet& keys, const TokenRules& rules,
                         std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace coracle::jose
