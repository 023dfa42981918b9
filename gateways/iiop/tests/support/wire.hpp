// A plain socket that speaks GIOP, with each byte in sight.
#pragma once

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace coracle::fipa::test {

// A number of CDR.
inline std::uint32_t number_at(std::string_view bytes, std::size_t at, bool is_little) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + (is_little ? 3 - i : i)));
  return value;
}

class Socket {
 public:
  explicit Socket(int number) : number_(number) {
    const timeval longest{20, 0};
    setsockopt(number_, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  }
  ~Socket() { close(number_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int number() const noexcept { return number_; }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t some = ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (some <= 0) return;  // closed by the other side
      bytes.remove_prefix(static_cast<std::size_t>(some));
    }
  }
  // As many bytes, or fewer if the other side closes.
  std::string receive(std::size_t count) const {
    std::string bytes(count, '\0');
    std::size_t got = 0;
    while (got < count) {
      const ssize_t some = recv(number_, bytes.data() + got, count - got, 0);
      if (some < 0 && errno == EAGAIN) throw std::runtime_error("nothing comes for 20 s");
      if (some <= 0) break;
      got += static_cast<std::size_t>(some);
    }
    bytes.resize(got);
    return bytes;
  }
  // The next message of GIOP, with its header; empty at the end.
  std::string message() const {
    std::string header = receive(12);
    if (header.size() < 12) return {};
    const bool is_little = (header[6] & 1) != 0;
    return header + receive(number_at(header, 8, is_little));
  }

 private:
  const int number_;
};

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

inline int connected(std::uint16_t port) {
  const int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in at = loopback(port);
  if (connect(number, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0)
    throw std::runtime_error("cannot connect");
  return number;
}

class Listener {
 public:
  Listener() : number_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at = loopback(0);
    socklen_t size = sizeof at;
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    if (bind(number_, address, sizeof at) != 0 || listen(number_, 10) != 0 ||
        getsockname(number_, address, &size) != 0)
      throw std::runtime_error("cannot listen");
    port_ = ntohs(at.sin_port);
  }
  ~Listener() { close(number_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  int accept() const { return ::accept(number_, nullptr, nullptr); }

 private:
  const int number_;
  std::uint16_t port_ = 0;
};

// --- messages of GIOP 1.0, in little-endian order ---

inline std::string number(std::uint32_t value) {
  return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16),
          static_cast<char>(value >> 24)};
}
inline std::string padded(std::string text) {
  while (text.size() % 4 != 0) text += '\0';
  return text;
}
enum Type : char { a_request = 0, a_reply = 1, a_message_error = 6 };
inline std::string giop(Type type, const std::string& body) {
  return std::string("GIOP\1\0\1", 7) + static_cast<char>(type) +
         number(static_cast<std::uint32_t>(body.size())) + body;
}
// A request with that argument, which is in little-endian order, too.
struct Request {
  std::uint32_t id = 1;
  bool wants_answer = true;
  std::string key = "acc";
  std::string operation = "message";

  std::string with(const std::string& argument) const {
    std::string body = number(0) + number(id) + (wants_answer ? '\1' : '\0');
    body = padded(body) + number(static_cast<std::uint32_t>(key.size())) + key;
    body = padded(body) + number(static_cast<std::uint32_t>(operation.size() + 1)) + operation;
    body = padded(body + '\0') + number(0);
    return giop(a_request, body + argument);
  }
};
// The reply to the request of that message.
enum Status : std::uint32_t { done = 0, user_exception = 1, system_exception = 2, moved = 3 };
inline std::string reply_to(const std::string& request, Status status, const std::string& rest) {
  const bool is_little = (request.at(6) & 1) != 0;
  return giop(a_reply,
              number(0) + number(number_at(request, 16, is_little)) + number(status) + rest);
}
inline std::uint32_t status_of(const std::string& reply) {
  return number_at(reply, 20, (reply.at(6) & 1) != 0);
}

}  // namespace coracle::fipa::test
