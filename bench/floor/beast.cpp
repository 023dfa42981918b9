// The least that a server of HTTP does: Boost.Beast reads a request, and sends its body back.
#include "floor/floors.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <memory>
#include <utility>

namespace coracle::bench {

namespace {

namespace asio = boost::asio;
namespace web = boost::beast::http;
using asio::ip::tcp;

class EchoConnection : public std::enable_shared_from_this<EchoConnection> {
 public:
  explicit EchoConnection(tcp::socket socket) : socket_(std::move(socket)) {
    socket_.set_option(tcp::no_delay(true));
  }

  void read() {
    request_ = {};
    web::async_read(socket_, buffer_, request_, [self = shared_from_this()](auto error, auto) {
      if (!error) self->write();
    });
  }

 private:
  void write() {
    response_ = {web::status::ok, 11};
    response_.set(web::field::content_type, "application/json");
    response_.body() = std::move(request_.body());
    response_.prepare_payload();
    web::async_write(socket_, response_, [self = shared_from_this()](auto error, auto) {
      if (!error) self->read();
    });
  }

  tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  web::request<web::string_body> request_;
  web::response<web::string_body> response_;
};

void accept_next(tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](auto error, tcp::socket socket) {
    if (error) return;
    std::make_shared<EchoConnection>(std::move(socket))->read();
    accept_next(acceptor);
  });
}

}  // namespace

void serve_beast_echo(const std::function<void(std::uint16_t port)>& is_there,
                      const std::function<bool()>& is_over) {
  asio::io_context context(1);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  accept_next(acceptor);
  is_there(acceptor.local_endpoint().port());
  while (!is_over()) context.run_for(std::chrono::milliseconds(5));
}

}  // namespace coracle::bench
