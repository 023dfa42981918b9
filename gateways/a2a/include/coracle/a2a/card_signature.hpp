// Signatures of cards (A2A 1.0, section 8.4): JSON Web Signatures of the card's canonical text.
// <coracle/jose/signer.hpp> makes a signer, and <coracle/jose/key_set.hpp> checks signatures.
// Tests: gateways/a2a/tests/card_signature_test.cpp
#pragma once

#include "coracle/a2a/card.hpp"
#include "coracle/web/signature.hpp"

#include <string>

namespace coracle::a2a {

// The text that is signed: the card in the form of RFC 8785, without its signatures, and without
// members that are empty.
std::string signed_text(const AgentCard& card);

// Adds a signature to those of the card. Fails as the signer does.
void sign(AgentCard& card, const web::Signer& signer);

// Returns whether the check accepts one of the first ten signatures of the card.
bool is_signed(const AgentCard& card, const web::SignatureCheck& check);

}  // namespace coracle::a2a
