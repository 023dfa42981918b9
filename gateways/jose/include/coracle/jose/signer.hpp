// Makes signatures of texts with a private key.
// Tests: gateways/jose/tests/signer_test.cpp
#pragma once

#include "coracle/web/signature.hpp"

#include <string>

namespace coracle::jose {

// Reads a private key in PEM form, which only its owner may read (0600): an elliptic curve (ES256,
// ES384, ES512; made by openssl ecparam -name prime256v1 -genkey -noout) or RSA of 2048 to 8192
// bits (PS256). The signature names the key by its thumbprint (RFC 7638). Fails with
// Errc::no_such_file, Errc::not_permitted, Errc::bad_options; the signer with Errc::unsupported.
web::Signer signer_from_file(const std::string& path);

}  // namespace coracle::jose
