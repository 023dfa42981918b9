// Letters by HTTP (FIPA00084), as JADE sends and takes them.
// Tests: gateways/fipa/tests/gateway_test.cpp.
#pragma once

#include "coracle/fipa/mtp.hpp"

#include "coracle/http/client.hpp"
#include "coracle/http/server.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace coracle::fipa {

// The options of the transport.
struct HttpMtpOptions {
  http::ServerOptions server = {};
  // There is one connection to each platform, whatever the limit here, so that letters keep their
  // order.
  http::ClientOptions client = {};
  // The letters that are sent to another gateway of this library before it has answered the first
  // of them; those that a broken connection leaves without an answer are sent again. Other
  // platforms get one at a time, once.
  std::size_t ahead = 64;
  // The address that others are told; empty: that of the server.
  std::string advertised = {};
  // The time for the answer of another platform.
  Duration answer_within = std::chrono::seconds(30);
  // The limits of letters that come.
  acl::Limits limits = {};
};

// Makes the transport; `loop` outlives it.
std::shared_ptr<Mtp> http_mtp(http::Loop& loop, HttpMtpOptions options = {});

}  // namespace coracle::fipa
