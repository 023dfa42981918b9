// Writes the parts of a message that come before its body.
#pragma once

#include "coracle/http/message.hpp"
#include "message/text.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace coracle::http {

// Returns whether a header is about the connection, and therefore not the business of a handler.
constexpr bool is_framing(std::string_view name) noexcept {
  return same_word(name, "Content-Length") || same_word(name, "Transfer-Encoding") ||
         same_word(name, "Connection") || same_word(name, "Keep-Alive");
}

inline void append_number(std::string& text, std::size_t number, int base = 10) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
  text.append(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
}

// The line before a chunk.
inline std::string chunk_line(std::size_t size) {
  std::string line;
  append_number(line, size, 16);
  return line += "\r\n";
}

class HeadWriter {
 public:
  explicit HeadWriter(std::string& into) : into_(into) { into_.reserve(256); }

  void status(int status) {
    into_ += "HTTP/1.1 ";
    append_number(into_, static_cast<std::size_t>(status));
    into_.append(" ").append(reason_of(status)).append("\r\n");
  }
  void request(std::string_view method, std::string_view target) {
    into_.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
  }
  void field(std::string_view name, std::string_view value) {
    into_.append(name).append(": ").append(value).append("\r\n");
  }
  void length(std::size_t bytes) {
    into_ += "Content-Length: ";
    append_number(into_, bytes);
    into_ += "\r\n";
  }
  void end() { into_ += "\r\n"; }

 private:
  std::string& into_;
};

}  // namespace coracle::http
