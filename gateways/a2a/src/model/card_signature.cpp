#include "coracle/a2a/card_signature.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/web/canonical_json.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace coracle::a2a {

namespace {

// A stranger's card costs no more checks than these.
constexpr std::size_t most_checked = 10;

bool is_empty(const Json& value) noexcept {
  const std::string* const text = value.if_text();
  const Json::Array* const items = value.if_array();
  const Json::Object* const members = value.if_object();
  return value.is_null() || (text != nullptr && text->empty()) ||
         (items != nullptr && items->empty()) || (members != nullptr && members->empty());
}

// Protocol Buffers do not tell an empty text, list or object from none, so neither is signed.
Json without_empty(const Json& value) {
  if (const Json::Array* const items = value.if_array()) {
    Json::Array left;
    for (const Json& each : *items)
      if (Json one = without_empty(each); !is_empty(one)) left.push_back(std::move(one));
    return left;
  }
  if (const Json::Object* const members = value.if_object()) {
    Json::Object left;
    for (const Json::Member& each : *members)
      if (Json one = without_empty(each.value); !is_empty(one))
        left.push_back({each.name, std::move(one)});
    return left;
  }
  return value;
}

}  // namespace

std::string signed_text(const AgentCard& card) {
  AgentCard unsigned_card = card;
  unsigned_card.signatures.clear();
  return web::canonical_text(without_empty(to_json(unsigned_card)));
}

void sign(AgentCard& card, const web::Signer& signer) {
  web::Signature made = signer(signed_text(card));
  card.signatures.push_back({std::move(made.protected_header), std::move(made.signature)});
}

bool is_signed(const AgentCard& card, const web::SignatureCheck& check) {
  const std::string text = signed_text(card);
  const std::size_t count = std::min(card.signatures.size(), most_checked);
  return std::any_of(card.signatures.begin(),
                     card.signatures.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const AgentCardSignature& each) {
                       return check({each.protected_header, each.signature}, text);
                     });
}

}  // namespace coracle::a2a
