#include "realizations/net/src/asio/first_words.hpp"

#include <sys/socket.h>

#include <array>

namespace coracle::net {

namespace {

constexpr std::size_t record_head = 5, message_head = 4;
// The shortest ClientHello, and the longest record, in bytes.
constexpr std::size_t least_record = 45, most_record = std::size_t{1} << 14;

}  // namespace

// Recognizes a record of kind 22, version 3.x, that holds a message of kind 1 to its end. Our own
// nodes never split this message.
std::size_t FirstWords::greeting(std::span<const std::byte> first) {
  const auto at = [first](std::size_t place) { return std::to_integer<std::size_t>(first[place]); };
  if (at(0) != 22 || at(1) != 3 || at(2) > 4) return 0;
  const std::size_t record = at(3) << 8 | at(4);
  if (record < least_record || record > most_record) return 0;
  const std::size_t message = at(6) << 16 | at(7) << 8 | at(8);
  if (at(5) != 1 || message + message_head > record || at(9) != 3) return 0;
  return record_head + record;
}

void FirstWords::begin(Socket& socket) { want(socket, least); }

FirstWords::Verdict FirstWords::look(Socket& socket) {
  std::array<std::byte, least> first;
  error_code error;
  const std::size_t available = socket.available(error);
  if (error || available == 0) return Verdict::gone;
  if (++looks_ > most_looks) return Verdict::other;
  if (available < wanted_) return Verdict::not_yet;
  const ssize_t seen =
      ::recv(socket.native_handle(), first.data(), first.size(), MSG_PEEK | MSG_DONTWAIT);
  if (seen != static_cast<ssize_t>(first.size())) return Verdict::other;
  const std::size_t whole = greeting(first);
  if (whole == 0) return Verdict::other;
  if (available < whole) return want(socket, whole), Verdict::not_yet;
  want(socket, 1);
  return Verdict::tls;
}

void FirstWords::want(Socket& socket, std::size_t bytes) {
  wanted_ = bytes;
  error_code ignored;
  socket.set_option(boost::asio::socket_base::receive_low_watermark(static_cast<int>(bytes)),
                    ignored);
}

}  // namespace coracle::net
