// A client of TCP that sends any bytes, to be as wrong as a test wants. Its thread waits.
#pragma once

#include "coracle/http/url.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::http::test {

class RawClient {
 public:
  explicit RawClient(const Url& to) : RawClient(to.port) {}
  explicit RawClient(std::uint16_t port);
  RawClient(RawClient&& other) noexcept;
  ~RawClient();

  // Sends all of `bytes`; returns false if the peer has closed the connection.
  bool send(std::string_view bytes);
  // Receives until `mark` has come, or the end; returns everything that has come since the last
  // call.
  std::string receive(std::string_view mark);
  // Receives until the end.
  std::string receive_all();
  // Returns whether the connection has ended by a reset.
  bool was_reset() const noexcept { return was_reset_; }
  // Sends nothing more.
  void shut_down();
  // Ends the connection by a reset.
  void reset();
  // Makes the buffer for received bytes small, so that the peer soon has to wait.
  void take_little();

 private:
  int socket_;
  bool was_reset_ = false;
  std::string kept_;
};

}  // namespace coracle::http::test
