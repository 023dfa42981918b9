// Looks at the first bytes of a new connection at a tls:// endpoint without taking them from the
// socket, so that nothing is spent on a client that does not begin as TLS does.
#pragma once

#include "realizations/net/src/asio/sockets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coracle::net {

class FirstWords {
 public:
  enum class Verdict : std::uint8_t { not_yet, tls, other, gone };

  // The number of bytes that are needed to recognize what a connection is.
  static constexpr std::size_t least = 11;
  // Returns the number of bytes in the first TLS greeting that begins with `first`, which has at
  // least `least` bytes; 0 when `first` is something else.
  static std::size_t greeting(std::span<const std::byte> first);

  // From now on the system reports when `socket` has enough bytes.
  void begin(Socket& socket);
  // Called when the system has reported. With not_yet, the caller waits once more.
  Verdict look(Socket& socket);

 private:
  static constexpr unsigned most_looks = 8;  // the system may report too early

  void want(Socket& socket, std::size_t bytes);

  std::size_t wanted_ = least;
  unsigned looks_ = 0;
};

}  // namespace coracle::net
