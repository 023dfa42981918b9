// The PEM files of TLS.
#pragma once

#include <string>

namespace coracle::http {

// The files of a server. The files that `coracle keys` makes can be used here.
struct ServerTls {
  std::string certificate;  // its own, then those between it and the authority
  std::string key;          // only its owner may read this file (0600)
  // If it is not empty, clients are asked for a certificate that one of these authorities has
  // signed, whose subject is Request::certificate_subject. Another certificate is refused.
  std::string authorities = {};
  // True accepts clients without any certificate, too.
  bool certificate_is_optional = false;
};

// The files of a client.
struct ClientTls {
  // The authorities that are trusted; empty: those of the system.
  std::string authorities = {};
  // The certificate that the client shows to a server that asks for one, and its key.
  std::string certificate = {};
  std::string key = {};
};

}  // namespace coracle::http
