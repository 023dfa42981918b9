// One connection of a client.
#pragma once

#include "client/call.hpp"
#include "client/session.hpp"
#include "io/channel.hpp"

#include <deque>
#include <memory>
#include <string>

namespace coracle::http {

class ClientState;

class ClientConnection final : public Channel {
 public:
  // `key` is that of its server in the pool; empty for a connection that serves one call.
  ClientConnection(std::shared_ptr<ClientState> client, std::unique_ptr<Wire> wire,
                   std::string key);

  void send(const std::shared_ptr<Call>& call);
  // The call's response is not wanted any more.
  void forget(const Call& call);
  // Ends its calls with an error.
  void fail_calls(const Error& error);
  // Returns whether further calls may be sent here, and how many have no response yet.
  bool is_open() const noexcept { return !is_closed() && !is_spent_ && session_.is_open(); }
  std::size_t outstanding() const noexcept { return session_.outstanding(); }
  bool is_fresh() const noexcept { return responses_ == 0; }
  Time idle_since() const noexcept { return idle_since_; }
  const std::string& key() const noexcept { return key_; }

 private:
  struct Sent {
    std::shared_ptr<Call> call;  // nullptr: it was forgotten
    bool was_reused;             // the connection had been used before
  };

  bool wants_bytes() const override;
  Output& output() override { return session_.output(); }
  void on_bytes(std::string_view bytes) override;
  void on_end() override;
  void on_written() override {}
  void on_failed(const std::string& why) override { why_ = why; }
  void on_closed() override;
  void produce() override {}
  void decide() override;
  Time next_deadline() const override;
  void on_deadline(Time) override { close(); }

  void take_arrivals();
  void take(ClientSession::Arrival arrival);
  void upgrade(Response response);

  const std::shared_ptr<ClientState> client_;
  const std::string key_;
  ClientSession session_;
  std::deque<Sent> calls_;     // as their responses are expected
  std::size_t responses_ = 0;  // whole ones
  bool is_spent_ = false;      // no further calls go here
  std::string why_;            // it failed
  Time idle_since_;
};

}  // namespace coracle::http
