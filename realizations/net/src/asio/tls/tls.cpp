#include "tls.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <array>
#include <ctime>
#include <memory>
#include <string_view>

namespace coracle::net {

namespace {

namespace ssl = boost::asio::ssl;

Error unusable(const std::string& file, const char* role, const error_code& error) {
  return Error(Errc::bad_options, "the file \"" + file + "\" cannot be used as the " + role +
                                      " of tls:// endpoints (" + error.message() +
                                      "); give a PEM file that this user may read");
}

// Returns whether the error means that the key is good but belongs to another certificate.
bool is_of_another(const error_code& error) {
  const auto code = static_cast<unsigned long>(error.value());
  const int reason = ERR_GET_REASON(code);
  return ERR_GET_LIB(code) == ERR_LIB_X509 &&
         (reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH);
}

Error not_together(const TlsFiles& files) {
  return Error(Errc::bad_options, "the key \"" + files.key +
                                      "\" is not that of the certificate \"" + files.certificate +
                                      "\"; give two that belong together");
}

std::string_view bytes_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

using Certificate = std::unique_ptr<X509, void (*)(X509*)>;

std::vector<std::string> names_in(X509* certificate) {
  constexpr std::size_t most = 64, longest = 255;
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, void (*)(GENERAL_NAMES*)> all(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  if (!all) return names;
  for (int i = 0; i < sk_GENERAL_NAME_num(all.get()) && names.size() < most; ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all.get(), i);
    const ASN1_STRING* text = name->type == GEN_DNS   ? name->d.dNSName
                              : name->type == GEN_URI ? name->d.uniformResourceIdentifier
                                                      : nullptr;
    if (text == nullptr) continue;
    const std::string_view bytes = bytes_of(text);
    // "ann\0.example" must not be taken for "ann".
    if (bytes.empty() || bytes.size() > longest || bytes.find('\0') != bytes.npos) continue;
    names.emplace_back(bytes);
  }
  return names;
}

// From now on, every certificate must be signed by an authority that has published such a list.
void use_revocations(SSL_CTX* context, const std::string& file) {
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  X509_LOOKUP* lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  if (lookup == nullptr || X509_load_crl_file(lookup, file.c_str(), X509_FILETYPE_PEM) <= 0) {
    const error_code error(static_cast<int>(ERR_get_error()),
                           boost::asio::error::get_ssl_category());
    ERR_clear_error();
    throw unusable(file, "list of revoked certificates", error);
  }
  X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK);
}

}  // namespace

ssl::context tls_context() {
  ssl::context context(ssl::context::tls);
  SSL_CTX* native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_3_VERSION);
  // A resumed session would be admitted without another check of its certificate.
  SSL_CTX_set_options(native, SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(native, 0);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_session_id_context(native, session_context, sizeof session_context);
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  return context;
}

ssl::context certified_context(const TlsFiles& files) {
  ssl::context context = tls_context();
  SSL_CTX* native = context.native_handle();
  // All are safe; on today's processors the first is the fastest.
  SSL_CTX_set_ciphersuites(native,
                           "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:"
                           "TLS_AES_256_GCM_SHA384");
  refuse_open_file(files.key);
  error_code error;
  if (context.use_certificate_chain_file(files.certificate, error); error)
    throw unusable(files.certificate, "certificate", error);
  if (context.use_private_key_file(files.key, ssl::context::pem, error); error)
    throw is_of_another(error) ? not_together(files) : unusable(files.key, "key", error);
  if (context.load_verify_file(files.authorities, error); error)
    throw unusable(files.authorities, "list of authorities", error);
  struct stat status {};
  if (!files.revoked.empty() && ::stat(files.revoked.c_str(), &status) == 0)
    use_revocations(native, files.revoked);
  if (SSL_CTX_check_private_key(native) != 1) throw not_together(files);
  return context;
}

std::vector<std::string> certificate_names(SSL* ssl) {
  X509* const certificate = SSL_get0_peer_certificate(ssl);
  return certificate != nullptr ? names_in(certificate) : std::vector<std::string>();
}

std::optional<std::string> certificate_objection(SSL* ssl, SSL_CTX* context) {
  const std::unique_ptr<X509_STORE_CTX, void (*)(X509_STORE_CTX*)> trial(X509_STORE_CTX_new(),
                                                                         X509_STORE_CTX_free);
  X509* const certificate = SSL_get0_peer_certificate(ssl);
  if (!trial || certificate == nullptr ||
      X509_STORE_CTX_init(trial.get(), SSL_CTX_get_cert_store(context), certificate,
                          SSL_get_peer_cert_chain(ssl)) != 1)
    return "it has shown no certificate";
  X509_STORE_CTX_set_default(trial.get(), SSL_is_server(ssl) == 1 ? "ssl_client" : "ssl_server");
  const bool good = X509_verify_cert(trial.get()) == 1;
  ERR_clear_error();
  if (good) return std::nullopt;
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error(trial.get()));
}

TlsFiles tls_files_in(const std::string& folder) {
  return {folder + "/node.pem", folder + "/node.key", folder + "/authority.pem",
          folder + "/crl.pem"};
}

namespace {

Certificate certificate_in(const TlsFiles& files) {
  const std::unique_ptr<BIO, int (*)(BIO*)> file(BIO_new_file(files.certificate.c_str(), "r"),
                                                 BIO_free);
  Certificate certificate(file ? PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr) : nullptr,
                          X509_free);
  ERR_clear_error();
  if (!certificate)
    throw Error(Errc::bad_options, "there is no certificate in \"" + files.certificate +
                                       "\"; make one with: coracle keys");
  return certificate;
}

std::int64_t seconds_of(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? ::timegm(&parts) : 0;
}

// Checks by this host's clock, because no other is available.
void refuse_out_of_time(const TlsFiles& files, X509* certificate) {
  const std::int64_t now = std::time(nullptr), begin = seconds_of(X509_get0_notBefore(certificate)),
                     end = seconds_of(X509_get0_notAfter(certificate));
  if (now > end)
    throw Error(Errc::bad_options, "the certificate \"" + files.certificate + "\" has expired on " +
                                       date_text(end) +
                                       "; make another one: coracle keys FOLDER NODE --renew");
  if (now < begin)
    throw Error(Errc::bad_options, "the certificate \"" + files.certificate +
                                       "\" is not valid before " + date_text(begin) +
                                       ", and this host's clock shows " + date_text(now) +
                                       "; set the clock of this host or, if it is right, make "
                                       "another one: coracle keys FOLDER NODE --renew");
}

}  // namespace

std::string date_text(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  std::array<char, 16> text{};
  (void)std::strftime(text.data(), text.size(), "%Y-%m-%d", ::gmtime_r(&time, &parts));
  return text.data();
}

std::int64_t certificate_end(SSL_CTX* context) {
  return seconds_of(X509_get0_notAfter(SSL_CTX_get0_certificate(context)));
}

std::int64_t certificate_end(const TlsFiles& files) {
  return seconds_of(X509_get0_notAfter(certificate_in(files).get()));
}

std::string certified_node(const TlsFiles& files, const std::string& society) {
  const std::string prefix = "coracle://" + society + "/";
  const Certificate certificate = certificate_in(files);
  refuse_out_of_time(files, certificate.get());
  for (const std::string& name : names_in(certificate.get())) {
    if (name.starts_with(prefix) && name.size() > prefix.size()) return name.substr(prefix.size());
  }
  throw Error(Errc::bad_options, "the certificate \"" + files.certificate +
                                     "\" is not for the society '" + society +
                                     "'; make one with: coracle keys --society " + society);
}

void expect_certificate_for(TlsStream& stream, const std::string& host) {
  SSL* native = stream.native_handle();
  X509_VERIFY_PARAM* expected = SSL_get0_param(native);
  error_code error;
  boost::asio::ip::make_address(host, error);
  if (!error) {
    X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str());
    return;
  }
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size());
  SSL_set_tlsext_host_name(native, host.c_str());
}

const char* advice_on_certificate(long verdict) {
  switch (verdict) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "set the clocks of both hosts, or have another one made for the other side: coracle "
             "keys FOLDER NODE --renew";
    case X509_V_ERR_CERT_REVOKED:
      return "have another one made for the other side: coracle keys FOLDER NODE --renew";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "connect to a host that the certificate of the other side names, or have another one "
             "made for the other side with the host that you use: coracle keys FOLDER NODE --renew "
             "--host HOST";
    default:
      return "check the keys or certificates of both sides";
  }
}

namespace {

int alert_of(const error_code& error) {
  if (error.category() != boost::asio::error::get_ssl_category()) return -1;
  return ERR_GET_REASON(static_cast<unsigned long>(error.value())) - SSL_AD_REASON_OFFSET;
}

}  // namespace

std::string refusal_text(const error_code& refusal) {
  const std::string what = "does not accept our ";
  const std::string message = " (" + refusal.message() + "); ";
  switch (alert_of(refusal)) {
    case SSL_AD_CERTIFICATE_EXPIRED:
    case SSL_AD_BAD_CERTIFICATE:
      return what + "certificate, which by its clock has expired or is not valid yet" + message +
             "set the clocks of both hosts, or make another one: coracle keys FOLDER NODE --renew";
    case SSL_AD_CERTIFICATE_REVOKED:
      return what + "certificate, which is revoked" + message +
             "have another one made: coracle keys FOLDER NODE --renew";
    default:
      return what + "key or certificate" + message +
             "have the same key as the other side, or a certificate of an authority that it trusts";
  }
}

bool is_no_tls(const error_code& error) {
  return error.category() == boost::asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_WRONG_VERSION_NUMBER;
}

bool is_refusal(const error_code& error) {
  const int alert = alert_of(error);
  return (alert >= SSL_AD_BAD_CERTIFICATE && alert <= SSL_AD_CERTIFICATE_UNKNOWN) ||
         alert == SSL_AD_UNKNOWN_CA || alert == SSL_AD_ACCESS_DENIED ||
         alert == SSL_AD_CERTIFICATE_REQUIRED || alert == SSL_AD_HANDSHAKE_FAILURE ||
         alert == SSL_AD_DECRYPT_ERROR || alert == SSL_AD_UNKNOWN_PSK_IDENTITY;
}

}  // namespace coracle::net
