// Finds the addresses of a host, connects to one of them, and encrypts the connection.
#pragma once

#include "coracle/http/url.hpp"
#include "coracle/result.hpp"
#include "io/alarms.hpp"
#include "io/loop_state.hpp"
#include "io/tls.hpp"
#include "io/wire.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::http {

class Connecting final : public Alarm, public std::enable_shared_from_this<Connecting> {
 public:
  using Done = std::function<void(Result<std::unique_ptr<Wire>>)>;
  using Permits = std::function<bool(const Url& url, std::string_view address)>;

  // Begins; `done` is called once, unless stop() is called before. With https, `tls` is needed.
  // `permits` may be empty.
  static std::shared_ptr<Connecting> begin(LoopState& loop, const Url& to, TlsContext tls,
                                           Permits permits, Time until, Done done);
  Connecting(LoopState& loop, const Url& to, TlsContext tls, Permits permits, Time until,
             Done done);

  // Ends the attempt, without a call of `done`.
  void stop();

  Time deadline() const override { return done_ ? until_ : Time::max(); }
  void on_time(Time now) override;

 private:
  void resolve();
  void look_at_resolver();
  void connect(const boost::asio::ip::tcp::resolver::results_type& found);
  void encrypt();
  void go_on();
  void end(Result<std::unique_ptr<Wire>> result);
  void fail(Errc errc, const std::string& why, const char* advice);

  LoopState& loop_;
  const Url to_;
  const TlsContext tls_;
  const Permits permits_;
  const Time until_;
  Done done_;
  boost::asio::ip::tcp::resolver resolver_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock> resolver_alarm_;
  std::unique_ptr<Wire> wire_;
};

}  // namespace coracle::http
