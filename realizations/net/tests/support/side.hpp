// A user of connections in the tests: it notes its events, and reads on request.
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::net::test {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Returns `count` bytes that differ from their neighbours.
inline std::string pattern(std::size_t count, unsigned salt = 0) {
  std::string result(count, '\0');
  for (std::size_t i = 0; i < count; ++i)
    result[i] = static_cast<char>((i * 31 + (i >> 8) * 7 + salt) & 0xff);
  return result;
}

// One end of a connection.
class Side final : public ConnectionEvents {
 public:
  explicit Side(std::unique_ptr<Connection> taken, std::size_t buffer = 4096)
      : connection(std::move(taken)), buffer_(buffer) {
    connection->bind(*this);
  }

  void on_read(std::size_t bytes) override {
    overrun |= bytes == 0 || bytes > buffer_.size();
    received.append(reinterpret_cast<const char*>(buffer_.data()), bytes);
    ++reads;
    reading_ = false;
    if (drop_on_read) return connection.reset();
    if (keeps_reading_) read();
  }
  void on_written() override {
    ++written;
    writing = false;
  }
  void on_closed(const Error& why) override {
    closed = why;
    ++closings;
  }

  // Reads once, or for ever.
  void read() {
    reading_ = true;
    connection->read(buffer_);
  }
  void keep_reading() {
    keeps_reading_ = true;
    if (!reading_ && !closed) read();
  }
  // Writes a text that stays where it is until it is written.
  void write(std::string text) {
    text_ = std::move(text);
    writing = true;
    const std::span<const std::byte> parts[] = {bytes_of(text_)};
    connection->write(parts);
  }

  std::unique_ptr<Connection> connection;
  std::string received;
  std::size_t reads = 0, written = 0, closings = 0;
  bool writing = false, overrun = false, drop_on_read = false;
  std::optional<Error> closed;

 private:
  std::vector<std::byte> buffer_;
  std::string text_;
  bool reading_ = false, keeps_reading_ = false;
};

// Keeps every connection that is accepted.
class Host final : public ListenEvents {
 public:
  void on_accept(std::unique_ptr<Connection> connection) override {
    guests.push_back(std::make_unique<Side>(std::move(connection), buffer));
  }
  void on_refuse(const Error& why) override { refused.push_back(why); }

  std::size_t buffer = 4096;
  std::vector<std::unique_ptr<Side>> guests;
  std::vector<Error> refused;
};

// Keeps the result of an attempt.
class Caller final : public ConnectEvents {
 public:
  void on_connect(Result<std::unique_ptr<Connection>> outcome) override {
    ++told;
    if (outcome) {
      side = std::make_unique<Side>(std::move(outcome).value());
    } else {
      failure = outcome.error();
    }
  }

  int told = 0;
  std::unique_ptr<Side> side;
  std::optional<Error> failure;
  std::unique_ptr<Attempt> attempt;
};

}  // namespace coracle::net::test
