// Reads messages from bytes, however these are cut into pieces. Boost.Beast parses; before it,
// every head is looked at for forms that two programs could understand differently (request
// smuggling), and for the limits. Pure. Tests: gateways/http/tests/reading_test.cpp,
// tests/fuzz/http_fuzz.cpp
#pragma once

#include "coracle/http/headers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::http {

// The limits of one message.
struct ReadLimits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t header_fields = 100;
  std::size_t target_bytes = 8 * 1024;  // of the first line
  std::size_t body_bytes = std::size_t{16} << 20;
};

// Everything before the body.
struct Head {
  std::string method;  // of a request
  std::string target;
  int status = 0;    // of a response
  int version = 11;  // 10 for HTTP/1.0
  Headers headers;
  // The length of the body; nothing if it comes in chunks, or ends with the connection.
  std::optional<std::uint64_t> length = 0;
  bool is_chunked = false;
  bool keeps_alive = true;  // the connection, as far as this message says
};

// The reason why a message cannot be read, as the status of a response.
struct Fault {
  int status = 400;
  std::string reason;
};

// Finds the end of a head, and what may not be in one.
class HeadScanner {
 public:
  HeadScanner(const ReadLimits& limits, bool skips_blank_lines)
      : limits_(&limits), skips_blank_lines_(skips_blank_lines) {}

  // Looks at the next bytes; returns how many of them belong to the head. If is_done() or fault()
  // changes, that is because of the last of them.
  std::size_t scan(std::string_view bytes);
  bool is_done() const noexcept { return is_done_; }
  const std::optional<Fault>& fault() const noexcept { return fault_; }
  // The number of bytes before the first line.
  std::size_t skipped() const noexcept { return skipped_; }

 private:
  void end_line();

  const ReadLimits* limits_;
  bool skips_blank_lines_;
  std::size_t size_ = 0, skipped_ = 0;
  std::size_t line_ = 0;  // bytes of the present line, and
  char last_ = 0;         // the last of them
  unsigned blank_lines_ = 0;
  bool has_begun_ = false, is_done_ = false;
  std::optional<Fault> fault_;
};

// Reads one message after another.
class MessageReader {
 public:
  enum class Kind : unsigned char { request, response };
  enum class State : unsigned char {
    head,    // the head is not complete
    headed,  // the head has just been completed; read on by go_on() or skip_body()
    body,
    done,  // the message is complete; read on by next()
    failed
  };

  MessageReader(Kind kind, const ReadLimits& limits);
  ~MessageReader();

  // Reads until the state changes to headed, done or failed; returns the number of bytes used.
  std::size_t read(std::string_view bytes);
  State state() const noexcept { return state_; }
  // After headed: reads the body, of which there may be none.
  void go_on();
  // The same for a response that has no body, whatever its head says.
  void skip_body();
  // The connection has ended; completes a response that has no other end. Else the state is failed.
  void end();
  // After done: forgets the message.
  void next();

  Head& head() noexcept { return head_; }
  std::string& body() noexcept { return body_; }
  const Fault& fault() const noexcept { return *fault_; }
  // Returns whether a part of a message has come.
  bool has_begun() const noexcept { return state_ != State::head || has_begun_; }
  // The number of bytes that are held.
  std::size_t buffered() const noexcept {
    return pending_.size() + body_.size() + head_.headers.bytes();
  }
  // True reads a response that states no length of its body as one without any. Until the next
  // response, everything is ignored that does not begin one.
  void set_headers_end_response(bool is_so) noexcept { headers_end_response_ = is_so; }

 private:
  class Parser;
  template <bool is_request>
  class ParserOf;

  std::size_t read_head(std::string_view bytes);
  std::size_t read_body(std::string_view bytes);
  void parse_head(std::string_view head);
  std::size_t skip_rest(std::string_view bytes);
  void fail(int status, std::string reason);
  std::optional<Fault> fault_of_framing() const;
  void add_field(std::string_view name, std::string_view value) {
    head_.headers.append(name, value);
  }

  const Kind kind_;
  const ReadLimits& limits_;
  State state_ = State::head;
  bool has_begun_ = false;
  bool headers_end_response_ = false;
  bool ends_with_connection_ = false;
  bool skips_rest_ = false;  // of a response that the headers ended
  std::size_t rest_ = 0;
  Head head_;
  std::string body_;
  std::string pending_;  // of the head, or of the line before a chunk
  HeadScanner scanner_;
  std::unique_ptr<Parser> parser_;
  std::optional<Fault> fault_;
};

}  // namespace coracle::http
