// The transports of FIPA's letters that a command line can name.
#pragma once

#include "coracle/fipa/mtp.hpp"
#include "coracle/http/loop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::command {

struct TransportSettings {
  std::string address;           // that others are told
  std::string certificate, key;  // of HTTP
  bool insecure = false;
  bool corbaloc = false;              // the form of an address of IIOP
  std::vector<std::string> partners;  // the places to which letters by IIOP may be sent
};

// A transport that listens at "host:port" or "http://host:port" by HTTP, and at "iiop://host:port"
// by IIOP. Fails with Errc::unsupported if there is no IIOP here.
std::shared_ptr<fipa::Mtp> transport_at(http::Loop& loop, const std::string& listen,
                                        const TransportSettings& settings);
// A transport that sends to that address.
std::shared_ptr<fipa::Mtp> transport_to(http::Loop& loop, const std::string& address);

}  // namespace coracle::command
