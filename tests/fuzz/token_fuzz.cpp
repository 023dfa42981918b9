// Feeds any text to the readers of signed tokens and of key sets. There must be no crash, and a
// token that nobody has signed never proves a caller.
#include "coracle/jose/token.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

// A public key, so that texts get as far as the check of their signature.
constexpr std::string_view keys_text = R"({"keys": [{"kty": "EC", "crv": "P-256", "kid": "curve",
  "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::jose;
  static const KeySet keys = KeySet::parse(keys_text).value();
  static const TokenRules rules{.issuer = "i", .audience = "a"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TokenVerdict verdict = judge_token(text, keys, rules, {});
  if (verdict.caller || verdict.fault == nullptr) std::abort();
  const auto set = KeySet::parse(text);
  if (set && set->size() > KeySet::max_keys) std::abort();
  const std::size_t middle = size / 2;
  if (keys.check(coracle::web::Signature{std::string(text.substr(0, middle)),
                                         std::string(text.substr(middle))},
                 "text"))
    std::abort();
  return 0;
}
