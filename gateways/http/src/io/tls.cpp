#include "io/tls.hpp"

#include "coracle/support/quote.hpp"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

namespace coracle::http {

namespace {

std::string reason_in(unsigned long error) {
  const char* const text = ERR_reason_error_string(error);
  return text == nullptr ? "TLS failed" : text;
}

Error unusable(const std::string& file, const char* role) {
  const std::string why = reason_in(ERR_get_error());
  ERR_clear_error();
  return Error(Errc::bad_options, "the file " + detail::quoted(file) + " cannot be used as the " +
                                      role + " of TLS (" + why +
                                      "); give a PEM file that this user may read");
}

void refuse_open_file(const std::string& key) {
  struct stat status {};
  if (::stat(key.c_str(), &status) != 0 || (status.st_mode & 077) == 0) return;
  throw Error(Errc::not_permitted, "others may read or write the file of the key " +
                                       detail::quoted(key) + "; protect it: chmod 600");
}

void use_files(SSL_CTX* context, const std::string& certificate, const std::string& key) {
  if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1)
    throw unusable(certificate, "certificate");
  refuse_open_file(key);
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    throw unusable(key, "key");
  if (SSL_CTX_check_private_key(context) == 1) return;
  ERR_clear_error();
  throw Error(Errc::bad_options,
              "the key " + detail::quoted(key) + " is not that of the certificate " +
                  detail::quoted(certificate) + "; give two that belong together");
}

// Browsers and Java need TLS 1.2.
TlsContext new_context(const SSL_METHOD* method) {
  TlsContext context(SSL_CTX_new(method), FreeTls());
  if (!context) throw Error(Errc::unsupported, "OpenSSL cannot be used; look at its configuration");
  SSL_CTX* const native = context.get();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(
      native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(native, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  return context;
}

// Clients that also know HTTP/2 ask for one of both.
constexpr unsigned char our_protocol[] = "\x08http/1.1";
constexpr unsigned our_protocol_size = sizeof our_protocol - 1;

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned offered_size, void*) {
  unsigned char* found = nullptr;
  const int result =
      SSL_select_next_proto(&found, size, our_protocol, our_protocol_size, offered, offered_size);
  *chosen = found;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

// --- a socket below OpenSSL; that of OpenSSL itself would raise SIGPIPE ---

int write_socket(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto socket = static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
  const auto done = ::send(socket, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (done < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
  return static_cast<int>(done);
}

int read_socket(BIO* bio, char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto socket = static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
  const auto done = ::recv(socket, bytes, static_cast<std::size_t>(size), 0);
  if (done < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
  if (done == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return static_cast<int>(done);
}

long control_socket(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

const BIO_METHOD* socket_method() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    BIO_meth_set_write(made, write_socket);
    BIO_meth_set_read(made, read_socket);
    BIO_meth_set_ctrl(made, control_socket);
    return made;
  }();
  return method;
}

void attach(SSL* ssl, int socket) {
  BIO* const bio = BIO_new(socket_method());
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
}

bool is_address(const std::string& host) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

void FreeTls::operator()(ssl_ctx_st* context) const noexcept { SSL_CTX_free(context); }
void FreeTls::operator()(ssl_st* connection) const noexcept { SSL_free(connection); }

TlsContext server_context(const ServerTls& files) {
  TlsContext context = new_context(TLS_server_method());
  SSL_CTX* const native = context.get();
  use_files(native, files.certificate, files.key);
  SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
  // Many clients end without a word. A client must not accept that of a server: a response could be
  // cut by others.
  SSL_CTX_set_options(native, SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_num_tickets(native, 0);
  if (files.authorities.empty()) return context;
  if (SSL_CTX_load_verify_file(native, files.authorities.c_str()) != 1)
    throw unusable(files.authorities, "list of authorities");
  // Clients choose a certificate by the names of the authorities.
  SSL_CTX_set_client_CA_list(native, SSL_load_client_CA_file(files.authorities.c_str()));
  const int needs = files.certificate_is_optional ? 0 : SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  SSL_CTX_set_verify(native, SSL_VERIFY_PEER | needs, nullptr);
  return context;
}

TlsContext client_context(const ClientTls& files) {
  TlsContext context = new_context(TLS_client_method());
  SSL_CTX* const native = context.get();
  SSL_CTX_set_verify(native, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_alpn_protos(native, our_protocol, our_protocol_size);
  if (files.authorities.empty()) SSL_CTX_set_default_verify_paths(native);
  else if (SSL_CTX_load_verify_file(native, files.authorities.c_str()) != 1)
    throw unusable(files.authorities, "list of authorities");
  if (!files.certificate.empty()) use_files(native, files.certificate, files.key);
  return context;
}

Tls::Tls(ssl_ctx_st* context, int socket) : ssl_(SSL_new(context)) {
  if (!ssl_) throw std::bad_alloc();
  attach(ssl_.get(), socket);
  SSL_set_accept_state(ssl_.get());
}

Tls::Tls(ssl_ctx_st* context, int socket, const std::string& host) : ssl_(SSL_new(context)) {
  if (!ssl_) throw std::bad_alloc();
  SSL* const native = ssl_.get();
  attach(native, socket);
  SSL_set_connect_state(native);
  X509_VERIFY_PARAM* const expected = SSL_get0_param(native);
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str());
    return;
  }
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size());
  SSL_set_tlsext_host_name(native, host.c_str());
}

Tls::~Tls() = default;

Moved Tls::moved(int result) {
  if (result > 0) return {Moved::Status::done, static_cast<std::size_t>(result)};
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {Moved::Status::wait_read};
    case SSL_ERROR_WANT_WRITE:
      return {Moved::Status::wait_write};
    case SSL_ERROR_ZERO_RETURN:
      return {Moved::Status::ended};
    default:
      break;
  }
  error_ = ERR_peek_last_error();
  return {Moved::Status::failed};
}

Moved Tls::read(std::span<char> into) {
  ERR_clear_error();
  return moved(SSL_read(ssl_.get(), into.data(), static_cast<int>(into.size())));
}

Moved Tls::write(std::string_view bytes) {
  ERR_clear_error();
  return moved(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())));
}

Moved Tls::handshake() {
  ERR_clear_error();
  return moved(SSL_do_handshake(ssl_.get()));
}

void Tls::shut_down() noexcept {
  ERR_clear_error();
  if (SSL_is_init_finished(ssl_.get()) == 1) SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

bool Tls::has_pending() const noexcept { return SSL_pending(ssl_.get()) > 0; }

std::string Tls::peer_subject() const {
  constexpr long longest = 1000;
  X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
  const bool is_verified = SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE &&
                           SSL_get_verify_result(ssl_.get()) == X509_V_OK;
  if (certificate == nullptr || !is_verified) return {};
  const std::unique_ptr<BIO, int (*)(BIO*)> text(BIO_new(BIO_s_mem()), BIO_free);
  if (!text) throw std::bad_alloc();
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  if (size > longest)
    throw Error(Errc::too_large,
                "the subject of a client's certificate is longer than 1000 bytes; use another one");
  return {bytes, static_cast<std::size_t>(size)};
}

std::string Tls::failure() const {
  const long verdict = SSL_get_verify_result(ssl_.get());
  if (verdict != X509_V_OK) return X509_verify_cert_error_string(verdict);
  return error_ == 0 ? "the connection was reset" : reason_in(error_);
}

}  // namespace coracle::http
