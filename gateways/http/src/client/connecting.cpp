#include "client/connecting.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>

#include <utility>
#include <vector>

namespace coracle::http {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// A thread of Asio resolves names. Its result does not make the loop's descriptor readable.
constexpr Duration look_for_name = std::chrono::milliseconds(5);

}  // namespace

std::shared_ptr<Connecting> Connecting::begin(LoopState& loop, const Url& to, TlsContext tls,
                                              Permits permits, Time until, Done done) {
  auto made = std::make_shared<Connecting>(loop, to, std::move(tls), std::move(permits), until,
                                           std::move(done));
  loop.alarms().set(*made);
  made->resolve();
  return made;
}

Connecting::Connecting(LoopState& loop, const Url& to, TlsContext tls, Permits permits, Time until,
                       Done done)
    : loop_(loop),
      to_(to),
      tls_(std::move(tls)),
      permits_(std::move(permits)),
      until_(until),
      done_(std::move(done)),
      resolver_(loop.context()),
      socket_(loop.context()),
      resolver_alarm_(loop.context()) {}

void Connecting::resolve() {
  error_code error;
  const auto address = boost::asio::ip::make_address(to_.host, error);
  if (!error) {
    // Not in place: begin() has not returned, and an address that is not permitted fails at once.
    const auto one = tcp::resolver::results_type::create({address, to_.port}, "", "");
    return loop_.post([self = shared_from_this(), one] {
      if (self->done_) self->connect(one);
    });
  }
  resolver_.async_resolve(
      to_.host, std::to_string(to_.port),
      [self = shared_from_this()](const error_code& failure, const auto& found) {
        self->resolver_alarm_.cancel();
        if (!self->done_) return;
        if (failure)
          return self->fail(Errc::unreachable, failure.message(), "check the name of the host");
        self->connect(found);
      });
  look_at_resolver();
}

void Connecting::look_at_resolver() {
  resolver_alarm_.expires_after(look_for_name);
  resolver_alarm_.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error && self->done_) self->look_at_resolver();
  });
}

void Connecting::connect(const tcp::resolver::results_type& found) {
  std::vector<tcp::endpoint> permitted;
  for (const auto& each : found) {
    const tcp::endpoint endpoint = each.endpoint();
    if (!permits_ || permits_(to_, endpoint.address().to_string())) permitted.push_back(endpoint);
  }
  if (permitted.empty())
    return fail(Errc::unreachable, "none of its addresses is permitted",
                "use another host, or permit its address");
  boost::asio::async_connect(
      socket_, permitted,
      [self = shared_from_this()](const error_code& error, const tcp::endpoint&) {
        if (!self->done_) return;
        if (error)
          return self->fail(Errc::unreachable, error.message(),
                            "start the server, or check the address");
        self->wire_ = std::make_unique<Wire>(std::move(self->socket_));
        self->encrypt();
      });
}

void Connecting::encrypt() {
  if (!to_.is_secure) return end(std::move(wire_));
  wire_->encrypt(tls_.get(), &to_.host);
  go_on();
}

void Connecting::go_on() {
  using Status = Moved::Status;
  const Moved moved = wire_->handshake();
  if (moved.status == Status::done) return end(std::move(wire_));
  if (moved.status != Status::wait_read && moved.status != Status::wait_write)
    return fail(
        Errc::not_permitted, wire_->failure(),
        "check that the server uses TLS, and that an authority which this client trusts has "
        "signed a certificate with its name");
  const auto what =
      moved.status == Status::wait_read ? tcp::socket::wait_read : tcp::socket::wait_write;
  wire_->socket().async_wait(what, [self = shared_from_this()](const error_code&) {
    if (self->done_) self->go_on();
  });
}

void Connecting::on_time(Time) {
  fail(Errc::unreachable, "it does not respond in time", "start the server, or check the address");
}

void Connecting::fail(Errc errc, const std::string& why, const char* advice) {
  end(Error(errc, "cannot connect to " + to_.origin() + " (" + why + "); " + advice));
}

void Connecting::end(Result<std::unique_ptr<Wire>> result) {
  const auto self = shared_from_this();
  const Done done = std::exchange(done_, nullptr);
  if (!result) stop();
  loop_.alarms().remove(*this);
  if (done) done(std::move(result));
}

void Connecting::stop() {
  done_ = nullptr;
  loop_.alarms().remove(*this);
  resolver_.cancel();
  resolver_alarm_.cancel();
  error_code ignored;
  socket_.close(ignored);
  if (wire_) wire_->close();
}

}  // namespace coracle::http
