// The inside of a client: its connections by their servers, and the calls that wait for one.
#pragma once

#include "client/call.hpp"
#include "client/connecting.hpp"
#include "client/connection.hpp"
#include "coracle/http/client.hpp"
#include "io/loop_state.hpp"
#include "io/tls.hpp"
#include "message/reading.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace coracle::http {

class SocketQueue;

class ClientState final : public std::enable_shared_from_this<ClientState> {
 public:
  ClientState(std::shared_ptr<LoopState> loop, ClientOptions options);

  // Makes a call of a request; throws Errc::bad_options.
  std::shared_ptr<Call> make_call(Request request, const RequestOptions& options,
                                  Call::Receiver receiver);

  // --- on the thread of the loop ---
  // Sends a call by a connection that is kept for others, or by one of its own.
  void begin(const std::shared_ptr<Call>& call);
  void begin_alone(const std::shared_ptr<Call>& call);
  void give_up(Call& call, const Error& error);
  void stop();

  // The client has these WebSockets until they are over.
  void add_socket(const SocketQueue* key, std::shared_ptr<Channel> channel) {
    sockets_.emplace(key, std::move(channel));
  }
  void on_socket_over(const SocketQueue* key) { sockets_.erase(key); }

  // --- for connections ---
  LoopState& loop() noexcept { return *loop_; }
  const std::shared_ptr<LoopState>& shared_loop() const noexcept { return loop_; }
  const ClientLimits& limits() const noexcept { return options_.limits; }
  const ReadLimits& reading(bool is_stream) const noexcept {
    return is_stream ? reading_stream_ : reading_;
  }
  // A connection can take further calls, or is gone.
  void on_free(const std::string& key);
  void on_gone(const std::shared_ptr<ClientConnection>& connection);
  // A call had no response when its connection was lost.
  void on_lost(const std::shared_ptr<Call>& call, bool may_repeat, const Error& why);

 private:
  struct Server {
    Url url;
    std::deque<std::shared_ptr<Call>> waiting;
    std::vector<std::shared_ptr<ClientConnection>> connections;
    std::vector<std::shared_ptr<Connecting>> attempts;
  };

  void dispatch(const std::string& key);
  std::shared_ptr<ClientConnection> choose(Server& server, const Call& call) const;
  bool may_connect(Server& server);
  void connect(const std::string& key);
  void clean(const std::string& key);
  bool make_room();
  TlsContext tls_for(const Url& url);

  const std::shared_ptr<LoopState> loop_;
  const ClientOptions options_;
  const ReadLimits reading_, reading_stream_;
  TlsContext tls_;
  std::map<std::string, Server> servers_;  // by their origins
  std::vector<std::shared_ptr<ClientConnection>> alone_;
  std::vector<std::shared_ptr<Connecting>> attempts_alone_;
  std::map<const SocketQueue*, std::shared_ptr<Channel>> sockets_;
  std::map<const Call*, std::shared_ptr<Call>> calls_alone_;  // that connect
  std::size_t connections_ = 0;                               // all of them, with the attempts
  std::uint64_t next_id_ = 0;
  bool is_over_ = false;
};

}  // namespace coracle::http
