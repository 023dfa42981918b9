// TLS 1.3 as nodes use it, by OpenSSL: with certificates, or with a society key.
#pragma once

#include "realizations/net/src/asio/asio_network.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

using boost::system::error_code;
using Executor = boost::asio::io_context::executor_type;
using Protocol = boost::asio::generic::stream_protocol;
// One type for TCP and Unix, so that everything above it is compiled once.
using Socket = boost::asio::basic_stream_socket<Protocol, Executor>;
using TlsStream = boost::asio::ssl::stream<Socket>;

// The session context of every session, because OpenSSL requires one.
inline constexpr unsigned char session_context[] = {'c', 'o', 'r', 'a', 'c', 'l', 'e'};

// Returns a context with the common settings: version 1.3, and no resumption of sessions.
boost::asio::ssl::context tls_context();
// Returns a context in which each side shows a certificate. Throws as asio_network() does.
boost::asio::ssl::context certified_context(const TlsFiles& files);
// Returns a context in which each side proves that it has one of these keys; the client uses the
// first (a pre-shared key of TLS 1.3, always with ephemeral Diffie-Hellman). No certificate is
// accepted.
boost::asio::ssl::context keyed_context(const std::vector<SocietyKey>& keys,
                                        const std::string& society);

// Returns when the certificate of a context expires, in seconds since 1970.
std::int64_t certificate_end(SSL_CTX* context);
// Returns the names in the certificate that the peer has shown.
std::vector<std::string> certificate_names(SSL* ssl);
// Returns why `context` would not accept the certificate that the peer has shown; nothing when
// `context` would accept it.
std::optional<std::string> certificate_objection(SSL* ssl, SSL_CTX* context);
// Returns whether both sides of that connection have proved a key, and one that `context` accepts.
bool has_key_of(SSL* ssl, SSL_CTX* context);

// Returns what to do when the verification of the peer's certificate ends with that verdict.
const char* advice_on_certificate(long verdict);

// Makes the handshake fail unless the peer's certificate is for `host`, a name or an address.
void expect_certificate_for(TlsStream& stream, const std::string& host);
// Returns whether the error is the peer's report that it does not accept our certificate or key.
bool is_refusal(const error_code& error);
// Returns the reason of the refusal, and what to do.
std::string refusal_text(const error_code& refusal);
// Returns whether the peer has sent bytes that are no TLS at all.
bool is_no_tls(const error_code& error);
// Returns whether a client has shown none of the keys of a listener that has no certificate.
bool is_without_key(const error_code& error);

}  // namespace coracle::net
