// Gives a certificate another first day, as if the clock of this host were slow.
#pragma once

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace coracle::test {

// The certificate in `place` (see tls_files_in) is valid from that many days on. `folder` is the
// folder of its authority, which signs it again.
inline void begin_in_days(const std::string& place, const std::string& folder, int days) {
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const std::string path = place + "/node.pem";
  const File old(std::fopen(path.c_str(), "r"), &std::fclose);
  const File signer(std::fopen((folder + "/authority.key").c_str(), "r"), &std::fclose);
  if (!old || !signer) throw std::runtime_error("no certificate or no authority for " + path);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(
      PEM_read_X509(old.get(), nullptr, nullptr, nullptr), &X509_free);
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      PEM_read_PrivateKey(signer.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
  X509_time_adj_ex(X509_getm_notBefore(certificate.get()), days, 0, nullptr);
  const bool is_signed = X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0;
  const File fresh(std::fopen(path.c_str(), "w"), &std::fclose);
  if (!is_signed || !fresh || PEM_write_X509(fresh.get(), certificate.get()) != 1)
    throw std::runtime_error("cannot write " + path);
}

}  // namespace coracle::test
