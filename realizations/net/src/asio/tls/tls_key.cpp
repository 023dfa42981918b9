// A society key as a pre-shared key of TLS 1.3.
#include "tls.hpp"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>
#include <boost/asio/ssl/error.hpp>

#include <array>
#include <memory>
#include <string_view>

namespace coracle::net {

namespace ssl = boost::asio::ssl;

namespace {

using Derived = SocietyKey::Derived;

// TLS needs two values of each key: the secret, and the tag by which a listener recognizes the key.
struct PreShared {
  Derived secret, tag;
};
using AllPreShared = std::vector<PreShared>;

// The text by which the client identifies its key: a random part, and a part that only an owner of
// the key can compute from it. So the text differs each time, and reveals nothing to others.
constexpr std::size_t salt_bytes = 16, name_letters = 4 * salt_bytes;
using KeyName = std::array<char, name_letters>;

void write_hex(std::span<const std::byte> bytes, char* into) {
  constexpr char digits[] = "0123456789abcdef";
  for (const std::byte each : bytes) {
    *into++ = digits[std::to_integer<unsigned>(each) >> 4];
    *into++ = digits[std::to_integer<unsigned>(each) & 15];
  }
}

KeyName key_name(const PreShared& key, std::string_view salt) {
  KeyName identity;
  std::copy(salt.begin(), salt.end(), identity.begin());
  const Derived tag = keyed_hash(key.tag, salt);
  write_hex(std::span(tag).first(salt_bytes), identity.data() + salt.size());
  return identity;
}

template <class T>
void release(void*, void* held, CRYPTO_EX_DATA*, int, long, void*) {
  delete static_cast<T*>(held);
}

// Returns the index of a context's keys; a connection has its own index for the key that it uses.
int context_index() {
  static const int index =
      SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, release<AllPreShared>);
  return index;
}
struct Chosen {
  Derived secret;
  KeyName identity{};
};
int connection_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, release<Chosen>);
  return index;
}

const AllPreShared* keys_of(SSL_CTX* context) {
  return static_cast<const AllPreShared*>(SSL_CTX_get_ex_data(context, context_index()));
}

Chosen& choose(SSL* connection, const PreShared& key) {
  auto* chosen = static_cast<Chosen*>(SSL_get_ex_data(connection, connection_index()));
  if (chosen == nullptr) {
    chosen = new Chosen;
    SSL_set_ex_data(connection, connection_index(), chosen);
  }
  chosen->secret = key.secret;
  return *chosen;
}

// Returns what OpenSSL takes for a pre-shared key; the caller releases it.
SSL_SESSION* session_with(SSL* connection, const PreShared& key) {
  constexpr unsigned char aes_128_gcm_sha256[] = {0x13, 0x01};
  std::unique_ptr<SSL_SESSION, void (*)(SSL_SESSION*)> session(SSL_SESSION_new(), SSL_SESSION_free);
  const bool good =
      session != nullptr &&
      SSL_SESSION_set1_master_key(session.get(),
                                  reinterpret_cast<const unsigned char*>(key.secret.data()),
                                  key.secret.size()) == 1 &&
      SSL_SESSION_set_cipher(session.get(), SSL_CIPHER_find(connection, aes_128_gcm_sha256)) == 1 &&
      SSL_SESSION_set_protocol_version(session.get(), TLS1_3_VERSION) == 1 &&
      SSL_SESSION_set1_id_context(session.get(), session_context, sizeof session_context) == 1;
  return good ? session.release() : nullptr;
}

// The client shows its first key.
int show_key(SSL* connection, const EVP_MD*, const unsigned char** identity, std::size_t* size,
             SSL_SESSION** session) {
  const PreShared& key = keys_of(SSL_get_SSL_CTX(connection))->front();
  std::array<std::byte, salt_bytes> random;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), salt_bytes) != 1) return 0;
  std::array<char, 2 * salt_bytes> salt;
  write_hex(random, salt.data());
  Chosen& chosen = choose(connection, key);
  chosen.identity = key_name(key, {salt.data(), salt.size()});
  *session = session_with(connection, key);
  *identity = reinterpret_cast<const unsigned char*>(chosen.identity.data());
  *size = chosen.identity.size();
  return *session != nullptr;
}

// A listener finds which of its keys is shown; with none, the handshake fails.
int find_key(SSL* connection, const unsigned char* shown, std::size_t size, SSL_SESSION** session) {
  *session = nullptr;
  if (size != name_letters) return 1;
  const char* const letters = reinterpret_cast<const char*>(shown);
  for (const PreShared& key : *keys_of(SSL_get_SSL_CTX(connection))) {
    const KeyName right = key_name(key, {letters, 2 * salt_bytes});
    if (CRYPTO_memcmp(right.data(), letters, size) != 0) continue;
    choose(connection, key);
    *session = session_with(connection, key);
    return *session != nullptr;
  }
  return 1;
}

}  // namespace

ssl::context keyed_context(const std::vector<SocietyKey>& keys, const std::string& society) {
  ssl::context context = tls_context();
  SSL_CTX* const native = context.native_handle();
  // SHA-256 is the hash that belongs to the keys.
  SSL_CTX_set_ciphersuites(native, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256");
  auto all = std::make_unique<AllPreShared>();
  for (const SocietyKey& key : keys)
    all->push_back({key.derive("coracle tls", society), key.derive("coracle tls name", society)});
  SSL_CTX_set_ex_data(native, context_index(), all.release());
  SSL_CTX_set_psk_use_session_callback(native, show_key);
  SSL_CTX_set_psk_find_session_callback(native, find_key);
  return context;
}

bool has_key_of(SSL* connection, SSL_CTX* context) {
  const auto* const chosen =
      static_cast<const Chosen*>(SSL_get_ex_data(connection, connection_index()));
  const AllPreShared* const all = keys_of(context);
  if (chosen == nullptr || all == nullptr || SSL_session_reused(connection) != 1) return false;
  for (const PreShared& key : *all) {
    if (is_same(key.secret, chosen->secret)) return true;
  }
  return false;
}

bool is_without_key(const error_code& error) {
  if (error.category() != boost::asio::error::get_ssl_category()) return false;
  const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
  return reason == SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM || reason == SSL_R_NO_SHARED_CIPHER;
}

}  // namespace coracle::net
