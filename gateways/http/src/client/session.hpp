// One connection of a client as a state machine: requests and bytes go in; bytes and responses come
// out. The responses come in the order of the requests.
// Tests: gateways/http/tests/client_session_test.cpp, tests/fuzz/http_fuzz.cpp
#pragma once

#include "coracle/http/message.hpp"
#include "io/output.hpp"
#include "message/reading.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::http {

class ClientSession {
 public:
  // How the response to a request is read.
  struct Expected {
    std::uint64_t id = 0;
    bool is_head = false;  // it has no body
    bool headers_end_response = false;
    bool is_stream = false;   // it is given out in pieces
    bool is_upgrade = false;  // it may end HTTP on this connection
  };
  // A part of a response; the whole, unless it is a stream.
  struct Arrival {
    enum class Kind : unsigned char { whole, head, piece, end };
    Kind kind;
    std::uint64_t id;
    Response response;  // of a piece, only the body
  };

  // The limits outlive the session.
  explicit ClientSession(const ReadLimits& limits);

  // --- events ---
  void send(std::string head, std::string body, const Expected& expected);
  void on_bytes(std::string_view bytes);
  void on_end();

  // --- decisions ---
  std::optional<Arrival> next_arrival();
  Output& output() noexcept { return output_; }
  std::size_t outstanding() const noexcept { return expected_.size(); }
  // Returns whether the oldest request has got a part of its response.
  bool has_begun() const noexcept { return has_begun_; }
  // Returns whether further requests may be sent.
  bool is_open() const noexcept { return !has_ended_ && keeps_alive_ && !fault_ && !upgraded_; }
  // The reason why nothing more can be read, if that is the server's fault.
  const std::optional<Fault>& fault() const noexcept { return fault_; }
  // Returns whether the connection now belongs to another protocol, and the bytes that came for it.
  bool is_upgraded() const noexcept { return upgraded_; }
  std::string take_unread() { return std::exchange(unread_, {}); }
  std::size_t held() const noexcept { return reader_.buffered() + output_.size(); }

 private:
  void on_head();
  void on_done();
  void arrive(Arrival::Kind kind, Response response);
  Response take_head();

  MessageReader reader_;
  std::deque<Expected> expected_;
  std::deque<Arrival> arrivals_;
  Output output_;
  std::string unread_;
  std::optional<Fault> fault_;
  unsigned interim_ = 0;  // responses before the one that counts
  bool has_begun_ = false, has_ended_ = false, keeps_alive_ = true, upgraded_ = false;
  bool ignores_rest_ = false;  // of a response that its headers ended
};

}  // namespace coracle::http
