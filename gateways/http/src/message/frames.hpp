// The frames of WebSocket (RFC 6455) as bytes: pure, without extensions.
// Tests: gateways/http/tests/frames_test.cpp, tests/fuzz/websocket_fuzz.cpp
#pragma once

#include "coracle/http/close_code.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::http {

enum class Opcode : std::uint8_t { more = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// A whole message, or a control frame.
struct Incoming {
  Opcode opcode;  // never `more`
  std::string payload;
};

// The reason why a connection ends.
struct Closing {
  CloseCode code = CloseCode::normal;
  std::string reason = {};
};

// Reads frames, however they are cut into pieces.
class FrameReader {
 public:
  // The frames of a client have a mask, those of a server have none. No message may have more than
  // `longest` bytes.
  FrameReader(bool expects_mask, std::size_t longest)
      : expects_mask_(expects_mask), longest_(longest) {}

  // Reads the next bytes, until `take`, which is called for each message and each control frame,
  // returns false. Returns the number of bytes that were read.
  std::size_t read(std::string_view bytes, const std::function<bool(Incoming)>& take);
  // Once the other side has broken the rules, how to close the connection; nothing is read then.
  const std::optional<Closing>& fault() const noexcept { return fault_; }
  // The number of bytes of the message that is being read.
  std::size_t buffered() const noexcept { return message_.size() + control_.size(); }

 private:
  std::size_t read_head(std::string_view bytes);
  std::size_t read_payload(std::string_view bytes);
  void begin_frame();
  bool end_frame(const std::function<bool(Incoming)>& take);
  std::size_t head_size() const noexcept;
  bool is_control() const noexcept { return static_cast<std::uint8_t>(opcode_) >= 8; }
  void fail(CloseCode code, const char* reason) { fault_ = Closing{code, reason}; }

  const bool expects_mask_;
  const std::size_t longest_;
  std::array<unsigned char, 14> head_{};
  std::size_t head_bytes_ = 0;
  bool is_in_payload_ = false;
  bool is_final_ = false;
  Opcode opcode_ = Opcode::more;
  std::uint64_t left_ = 0;  // of the payload
  std::size_t mask_at_ = 0;
  std::array<unsigned char, 4> mask_{};
  std::optional<Opcode> kind_;  // of the message that is being read
  std::string message_;
  std::string control_;
  std::optional<Closing> fault_;
};

// Writes one whole frame; a client gives a mask that nobody can predict.
std::string write_frame(Opcode opcode, std::string_view payload,
                        std::optional<std::uint32_t> mask = std::nullopt);
// The payload of a frame that closes the connection. A reason may have up to 123 bytes; the rest is
// cut off.
std::string closing_payload(const Closing& closing);
// Reads such a payload. Returns nothing if it breaks the rules.
std::optional<Closing> closing_in(std::string_view payload);
// Returns whether all of `text` is UTF-8.
bool is_utf8(std::string_view text) noexcept;

// The value of Sec-WebSocket-Accept for a key; nothing if it is no key.
std::optional<std::string> accept_of(std::string_view key);
// A key of a client, of 16 random bytes.
std::string websocket_key(std::uint64_t high, std::uint64_t low);

}  // namespace coracle::http
