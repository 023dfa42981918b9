// Certificates made for a test, as PEM files in a folder.
#pragma once

#include "realizations/net/src/asio/asio_network.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::net::test {

// The content of a certificate.
struct CertificateSpec {
  std::string name;                // also the name of its files: NAME.pem, NAME.key
  std::vector<std::string> names;  // as OpenSSL writes them: "DNS:ann", "URI:coracle://ann"
  long valid_from_s = -3600;       // relative to now
  long valid_until_s = 3600;
  std::string usage = "serverAuth,clientAuth";
};

// Signs certificates. Its own one is in authority.pem.
class Authority {
 public:
  Authority(std::string folder, std::string name = "authority");
  ~Authority();

  // Makes a certificate and returns its files.
  TlsFiles issue(const CertificateSpec& spec);
  // Makes the list of revoked certificates, with `revoked` in it, and returns its path.
  std::string list_revoked(const std::vector<TlsFiles>& revoked);
  const std::string& file() const { return file_; }

 private:
  struct Keys;
  std::string folder_, file_;
  std::unique_ptr<Keys> keys_;
  long next_serial_ = 2;
};

}  // namespace coracle::net::test
