// The inside of a server: its socket, its connections, its counts.
#pragma once

#include "coracle/http/server.hpp"
#include "io/channel.hpp"
#include "io/loop_state.hpp"
#include "io/tls.hpp"
#include "server/budget.hpp"
#include "server/connection.hpp"
#include "server/refusal_log.hpp"
#include "server/session.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace coracle::http {

class ServerState final : public Alarm, public std::enable_shared_from_this<ServerState> {
 public:
  ServerState(std::shared_ptr<LoopState> loop, ServerOptions options, Routes routes);
  ~ServerState() override;

  // --- on the thread of the loop ---
  void listen();
  void begin_stop();
  bool is_empty() const noexcept { return channels_.empty(); }
  // Closes everything; returns the number of requests without a response.
  std::size_t close_all();
  void set_tls(TlsContext context) { tls_ = std::move(context); }

  // --- for connections ---
  LoopState& loop() noexcept { return *loop_; }
  const std::shared_ptr<LoopState>& shared_loop() const noexcept { return loop_; }
  const SessionSettings& settings() const noexcept { return settings_; }
  Budget& budget() noexcept { return budget_; }
  const TlsContext& tls() const noexcept { return tls_; }
  ServerCounts& counts() noexcept { return counts_; }
  ServerCounts counts_now() const;
  void remove(std::uint64_t id, PeerShare& share);
  void replace(std::uint64_t id, std::shared_ptr<Channel> channel);
  void note_refusal(const std::string& who, const std::string& reason);
  void note_failure(const std::string& what);

  const ServerOptions& options() const noexcept { return options_; }
  const Url& url() const noexcept { return settings_.own; }

  Time deadline() const override { return log_.next(); }
  void on_time(Time now) override;

 private:
  using Acceptor = boost::asio::ip::tcp::acceptor;
  using Endpoint = boost::asio::ip::tcp::endpoint;

  Endpoint find_endpoint();
  void accept();
  void pause(const std::string& why);
  void admit(boost::asio::ip::tcp::socket socket);
  bool make_room(PeerShare& share);
  void log(const std::string& reason, const std::string& line);
  void turn_away(boost::asio::ip::tcp::socket& socket) const;

  const std::shared_ptr<LoopState> loop_;
  const ServerOptions options_;
  SessionSettings settings_;
  Budget budget_;
  TlsContext tls_;
  ServerCounts counts_;
  RefusalLog log_;
  Acceptor acceptor_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock> pause_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Channel>> channels_;
  std::map<std::string, std::shared_ptr<PeerShare>> peers_;  // by their addresses, as bytes
  std::uint64_t next_id_ = 0;
  bool is_over_ = false;
};

}  // namespace coracle::http
