// What a stranger says first where TLS is spoken, looked at without taking it: nothing is spent on
// one that does not even begin as TLS does.
#pragma once

#include "realizations/net/src/asio/sockets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coracle::net {

class FirstWords {
 public:
  enum class Verdict : std::uint8_t { not_yet, tls, other, gone };

  // How much of a connection must be there to tell what it is.
  static constexpr std::size_t least = 11;
  // How many bytes the first greeting of TLS has that begins with `first`, of which there are at
  // least so many; none when that is something else.
  static std::size_t greeting(std::span<const std::byte> first);

  // The system tells of `socket` from now on when there is enough of it.
  void begin(Socket& socket);
  // The system has told. With not_yet it is to be waited for once more.
  Verdict look(Socket& socket);

 private:
  static constexpr unsigned most_looks = 8;  // the system may tell too early

  void want(Socket& socket, std::size_t bytes);

  std::size_t wanted_ = least;
  unsigned looks_ = 0;
};

}  // namespace coracle::net
