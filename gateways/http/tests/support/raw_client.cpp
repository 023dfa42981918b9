#include "support/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

namespace coracle::http::test {

RawClient::RawClient(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0)
    throw std::runtime_error("cannot connect to the server of the test");
}

RawClient::RawClient(RawClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      was_reset_(other.was_reset_),
      kept_(std::move(other.kept_)) {}

RawClient::~RawClient() {
  if (socket_ >= 0) ::close(socket_);
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string RawClient::receive(std::string_view mark) {
  for (;;) {
    const auto found = mark.empty() ? kept_.npos : kept_.find(mark);
    if (found != kept_.npos) {
      std::string text = kept_.substr(0, found + mark.size());
      kept_.erase(0, text.size());
      return text;
    }
    char bytes[16384];
    const auto got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got < 0) was_reset_ = errno == ECONNRESET;
    if (got <= 0) return std::exchange(kept_, {});
    kept_.append(bytes, static_cast<std::size_t>(got));
  }
}

std::string RawClient::receive_all() { return receive({}); }

void RawClient::shut_down() { ::shutdown(socket_, SHUT_WR); }

void RawClient::reset() {
  const linger how{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &how, sizeof how);
  ::close(std::exchange(socket_, -1));
}

void RawClient::take_little() {
  const int bytes = 4096;
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

}  // namespace coracle::http::test
