// A server of A2A whose answers a test chooses, right or wrong.
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/http/server.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a::test {

class Scripted {
 public:
  using Answer = std::function<void(const http::Request&, const http::Responder&)>;

  // `binding` is JSONRPC or HTTP+JSON. It listens at `endpoint`, if one is given.
  Scripted(http::Loop& loop, bool streams, const std::string& binding = "JSONRPC",
           Answer answer = nullptr, const std::string& endpoint = {});

  // The address of the agent.
  std::string address() const { return server_->url().text() + "agent"; }
  // Sets the answer to calls, or the card.
  void set(Answer answer);
  void set_card(Json card);
  Json card() const;
  // The requests of the card that came with a proof.
  int card_proofs() const { return card_proofs_; }

 private:
  mutable std::mutex mutex_;  // guards the next two
  Answer answer_;
  Json card_;
  std::atomic<int> card_proofs_{0};
  std::optional<http::Server> server_;
};

// The answer to every call is this result, as JSON-RPC.
Scripted::Answer result(const std::string& json);
// The answer is this body.
Scripted::Answer body(const std::string& text, int status = 200,
                      const std::string& type = "application/json");
// The answer is a stream with these results.
Scripted::Answer stream_of(const std::vector<std::string>& results);

}  // namespace coracle::a2a::test
