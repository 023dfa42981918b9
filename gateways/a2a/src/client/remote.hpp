// The calls of a client to the server of a foreign agent, in either binding.
#pragma once

#include "bindings/call.hpp"
#include "client/foreign_card.hpp"
#include "coracle/envelope.hpp"
#include "coracle/http/client.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace coracle::a2a {

// The proofs that a server gets.
struct ForeignProofs {
  std::string token = {};
  std::string api_key = {};

  void add_to(http::Request& request) const;
};

class Remote {
 public:
  // `client` outlives it. `bytes` is the largest answer.
  Remote(http::Client& client, ForeignPlace place, ForeignProofs proofs, std::size_t bytes)
      : client_(client), place_(std::move(place)), proofs_(std::move(proofs)), bytes_(bytes) {}

  const ForeignPlace& place() const noexcept { return place_; }

  // Makes a call; returns the result. Fails with Fault, which the server has sent, or which says
  // what is wrong with its answer, and as http::Client::fetch() does.
  coracle::Task<Json> call(Call call, TraceContext trace, Deadline deadline) const;
  // Makes a call that is answered by a stream. With `after`, a subscription goes on behind the
  // change with that number, if the server has the extension for it.
  http::EventSource stream(Call call, const TraceContext& trace, Deadline deadline,
                           const std::string& after = {}) const;
  // The item in an event of a stream. Fails with Fault.
  StreamItem item_in(std::string_view data) const;
  static bool is_stream(const http::Response& head);
  // Fails with the Fault of a response that should be a stream, and is none.
  void check_stream(const http::Response& head) const;

 private:
  http::Request request_of(Call call, const TraceContext& trace) const;
  Json result_in(std::string_view body) const;
  [[noreturn]] void fail_with(const http::Response& response) const;

  http::Client& client_;
  const ForeignPlace place_;
  const ForeignProofs proofs_;
  const std::size_t bytes_;
};

// Reads the answer to a message, or an item of a stream.
StreamItem item_of(const Json& json);

}  // namespace coracle::a2a
