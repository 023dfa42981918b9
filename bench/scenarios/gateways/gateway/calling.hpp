// A client of HTTP that calls a server of ours or of others again and again.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/stats.hpp"
#include "harness/run/options.hpp"

#include <coracle/http/message.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

// A server, and the load that is put on it.
struct WebCalls {
  http::Request request;
  std::string in_response;  // a part of each right response
  std::uint32_t connections = 1;
  double interval = 1;
  // Changes the request with that number, unless it is nullptr.
  std::function<void(http::Request& request, std::uint64_t number)> vary = {};
};

// Sends one request after the other on each connection; responses per second. Fails with NotDone
// when a response is wrong.
Run call_server(const WebCalls& calls);

// The same requests to a server of Boost.Beast in another process, which sends each body back: the
// floor.
Run call_beast(WebCalls calls);

// The program gateway-NAME in the folder of bench/peers, which serves by a library of others;
// nothing if it is not there.
std::optional<std::string> other_gateway(const Options& options, std::string_view name);

// The number of a repeat minus that of another one.
Summary difference(const std::vector<Run>& a, const std::vector<Run>& b);

}  // namespace coracle::bench
