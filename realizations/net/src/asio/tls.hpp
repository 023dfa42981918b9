// TLS 1.3 as nodes speak it, by OpenSSL: with certificates, or with a society's key.
#pragma once

#include "realizations/net/src/asio/network.hpp"

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

// What all sessions are said to be of, since OpenSSL wants something to be said.
inline constexpr unsigned char session_context[] = {'c', 'o', 'r', 'a', 'c', 'l', 'e'};

// The settings that all have: version 1.3, and no session is resumed.
boost::asio::ssl::context tls_context();
// Each side shows a certificate. Throws as asio_network() says.
boost::asio::ssl::context certified_context(const TlsFiles& files);
// Each side proves that it has one of these keys, of which the first is shown by who connects
// (a pre-shared key of TLS 1.3, always with ephemeral Diffie-Hellman). No certificate is taken.
boost::asio::ssl::context keyed_context(const std::vector<SocietyKey>& keys,
                                        const std::string& society);

// When the certificate of a context expires, in seconds since 1970.
std::int64_t certificate_end(SSL_CTX* context);
// The names in the certificate that the peer has shown.
std::vector<std::string> certificate_names(SSL* ssl);
// Why the certificate that it has shown would not be accepted by `context`; nothing when it would.
std::optional<std::string> certificate_objection(SSL* ssl, SSL_CTX* context);
// Whether both sides of that connection have proved a key, and one that `context` accepts.
bool has_key_of(SSL* ssl, SSL_CTX* context);

// What to do when the verification of the peer's certificate gives that verdict.
const char* advice_on_certificate(long verdict);

// Makes the handshake fail unless the peer's certificate is for `host`, a name or an address.
void expect_certificate_for(TlsStream& stream, const std::string& host);
// Whether the peer has said that it does not accept our certificate, or our key.
bool is_refusal(const error_code& error);
// Why, and what to do.
std::string refusal_text(const error_code& refusal);
// Whether the peer has said what is no TLS at all.
bool is_no_tls(const error_code& error);
// Whether who connected has shown none of the keys of a listener, which has no certificate to show.
bool is_without_key(const error_code& error);

}  // namespace coracle::net
