#include "support/certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <cstdio>
#include <stdexcept>

namespace coracle::net::test {

namespace {

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* each) const { release(each); }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509, X509_free>>;

void check(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string("OpenSSL cannot ") + what);
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  check(extension != nullptr, "make an extension");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Certificate begin(const std::string& name, EVP_PKEY* key, long serial, long from, long until) {
  Certificate made(X509_new());
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), from);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), until);
  X509_set_pubkey(made.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return made;
}

template <class Write>
void to_file(const std::string& path, Write write) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  check(file != nullptr, "open a file");
  ::chmod(path.c_str(), 0600);
  const bool good = write(file) == 1;
  std::fclose(file);
  check(good, "write a file");
}

}  // namespace

struct Authority::Keys {
  Key key{EVP_EC_gen("P-256")};
  Certificate certificate;
};

Authority::Authority(std::string folder, std::string name)
    : folder_(std::move(folder)),
      file_(folder_ + "/" + name + ".pem"),
      keys_(std::make_unique<Keys>()) {
  keys_->certificate = begin(name, keys_->key.get(), 1, -7200, 7200);
  X509* certificate = keys_->certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  extend(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE");
  extend(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
  check(X509_sign(certificate, keys_->key.get(), EVP_sha256()) > 0, "sign");
  to_file(file_, [&](std::FILE* file) { return PEM_write_X509(file, certificate); });
}

Authority::~Authority() = default;

TlsFiles Authority::issue(const CertificateSpec& spec) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate made =
      begin(spec.name, key.get(), next_serial_++, spec.valid_from_s, spec.valid_until_s);
  X509_set_issuer_name(made.get(), X509_get_subject_name(keys_->certificate.get()));
  std::string names;
  for (const std::string& name : spec.names) names += (names.empty() ? "" : ",") + name;
  if (!names.empty()) extend(made.get(), keys_->certificate.get(), NID_subject_alt_name, names);
  extend(made.get(), keys_->certificate.get(), NID_ext_key_usage, spec.usage);
  check(X509_sign(made.get(), keys_->key.get(), EVP_sha256()) > 0, "sign");

  TlsFiles files{folder_ + "/" + spec.name + ".pem", folder_ + "/" + spec.name + ".key", file_, ""};
  to_file(files.certificate, [&](std::FILE* file) { return PEM_write_X509(file, made.get()); });
  to_file(files.key, [&](std::FILE* file) {
    return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
  return files;
}

std::string Authority::list_revoked(const std::vector<TlsFiles>& revoked) {
  const std::unique_ptr<X509_CRL, Release<X509_CRL, X509_CRL_free>> list(X509_CRL_new());
  X509_CRL_set_version(list.get(), 1);
  X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(keys_->certificate.get()));
  const std::unique_ptr<ASN1_TIME, Release<ASN1_TIME, ASN1_TIME_free>> from(
      X509_gmtime_adj(nullptr, -3600));
  const std::unique_ptr<ASN1_TIME, Release<ASN1_TIME, ASN1_TIME_free>> until(
      X509_gmtime_adj(nullptr, 3600));
  X509_CRL_set1_lastUpdate(list.get(), from.get());
  X509_CRL_set1_nextUpdate(list.get(), until.get());
  for (const TlsFiles& each : revoked) {
    std::FILE* file = std::fopen(each.certificate.c_str(), "r");
    check(file != nullptr, "open a file");
    const Certificate certificate(PEM_read_X509(file, nullptr, nullptr, nullptr));
    std::fclose(file);
    X509_REVOKED* entry = X509_REVOKED_new();
    X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(certificate.get()));
    X509_REVOKED_set_revocationDate(entry, from.get());
    X509_CRL_add0_revoked(list.get(), entry);
  }
  check(X509_CRL_sign(list.get(), keys_->key.get(), EVP_sha256()) > 0, "sign");
  const std::string path = folder_ + "/revoked.pem";
  to_file(path, [&](std::FILE* file) { return PEM_write_X509_CRL(file, list.get()); });
  return path;
}

}  // namespace coracle::net::test
