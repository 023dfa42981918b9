// The obligation behind a Responder. Safe to use from every thread.
#pragma once

#include "coracle/http/server.hpp"
#include "io/loop_state.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coracle::http {

class ServerConnection;

class Exchange {
 public:
  // `has_left` becomes true when the client has left.
  Exchange(std::shared_ptr<LoopState> loop, std::weak_ptr<ServerConnection> connection,
           std::uint64_t number, std::shared_ptr<const std::atomic<bool>> has_left,
           const Request& request);
  ~Exchange();
  Exchange(const Exchange&) = delete;

  bool send(Response response);
  EventStream stream(StreamOptions options, Headers headers);
  WebSocket accept(SocketOptions options, Headers headers);
  bool is_wanted() const noexcept { return !has_left_->load(); }

 private:
  // The part of a request that asks for a WebSocket.
  struct Upgrade {
    std::string key, version;
    std::vector<std::string> protocols;
  };

  bool claim() noexcept { return !is_done_.exchange(true); }
  template <class What>
  void at_connection(What what);
  std::optional<Response> objection(const std::string& accepted) const;
  std::string choose_protocol(const SocketOptions& options) const;

  const std::shared_ptr<LoopState> loop_;
  const std::weak_ptr<ServerConnection> connection_;
  const std::uint64_t number_;
  const std::shared_ptr<const std::atomic<bool>> has_left_;
  std::unique_ptr<Upgrade> upgrade_;
  std::atomic<bool> is_done_{false};
};

}  // namespace coracle::http
