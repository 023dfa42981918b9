// One connection of a server.
#pragma once

#include "io/channel.hpp"
#include "server/budget.hpp"
#include "server/session.hpp"
#include "stream/socket_queue.hpp"
#include "stream/stream_queue.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace coracle::http {

// The connections of one address.
struct PeerShare {
  explicit PeerShare(std::size_t bytes) : budget(bytes) {}
  std::size_t connections = 0;
  Budget budget;
};

class ServerState;

class ServerConnection final : public Channel {
 public:
  ServerConnection(std::shared_ptr<ServerState> server, std::uint64_t id,
                   std::unique_ptr<Wire> wire, std::shared_ptr<PeerShare> share, std::string peer);

  void respond(std::uint64_t number, Response response);
  void begin_stream(std::uint64_t number, Response head, std::shared_ptr<StreamQueue> queue);
  void begin_socket(std::uint64_t number, Response head, std::shared_ptr<SocketQueue> queue);
  // Ends once all requests that have come have their responses.
  void finish();
  bool is_idle() const noexcept { return session_.is_idle(); }
  Time idle_since() const noexcept { return session_.idle_since(); }
  bool is_of(const PeerShare& share) const noexcept { return share_.get() == &share; }
  std::size_t open_requests() const noexcept { return open_; }

 private:
  bool wants_bytes() const override { return session_.wants_bytes(); }
  Output& output() override { return session_.output(); }
  void on_bytes(std::string_view bytes) override;
  void on_end() override;
  void on_written() override { session_.on_written(now()); }
  void on_failed(const std::string& why) override;
  void on_closed() override;
  void produce() override;
  void decide() override;
  Time next_deadline() const override;
  void on_deadline(Time now) override;

  std::shared_ptr<ServerConnection> self() {
    return std::static_pointer_cast<ServerConnection>(shared_from_this());
  }
  void handle_some();
  void handle(ServerSession::Job job);
  void feed_stream();
  void end_streams();
  void upgrade();
  void note_refusals();

  const std::shared_ptr<ServerState> server_;
  const std::uint64_t id_;  // among the connections of the server
  const std::shared_ptr<PeerShare> share_;
  const std::string peer_;
  std::optional<std::string> subject_;  // of the client's certificate, once TLS is there
  ServerSession session_;
  const std::shared_ptr<std::atomic<bool>> has_left_ = std::make_shared<std::atomic<bool>>(false);
  std::map<std::uint64_t, std::shared_ptr<StreamQueue>> streams_;  // by their requests
  std::shared_ptr<SocketQueue> socket_;                            // that this connection becomes
  std::size_t open_ = 0;                                           // requests without a response
  bool continues_ = false;       // further requests are handled in the next round
  std::size_t at_once_ = 0;      // requests that are handled before others have their turn
  Time beats_at_ = Time::max();  // the next comment in the stream whose turn it is
};

}  // namespace coracle::http
