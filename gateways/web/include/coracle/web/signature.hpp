// Signatures of texts as JSON Web Signatures without the text (RFC 7515, appendix F). coracle::jose
// makes and checks them; a gateway takes these functions, so that it does not need that library.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace coracle::web {

// A signature; both parts are base64url.
struct Signature {
  // The header that is signed together with the text. It names the algorithm and the key.
  std::string protected_header;
  std::string signature;

  friend bool operator==(const Signature&, const Signature&) = default;
};

// Signs a text.
using Signer = std::function<Signature(std::string_view text)>;
// Returns whether one of the trusted keys has made the signature of the text.
using SignatureCheck = std::function<bool(const Signature& signature, std::string_view text)>;

}  // namespace coracle::web
