// The trace of a world: a line for each event, as a text if it is recorded, and as a hash.
#pragma once

#include "coracle/clock.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::sim::detail {

class Trace {
 public:
  explicit Trace(bool is_recorded) noexcept : is_recorded_(is_recorded) {}

  // Begins a line with the time, the part that takes a step (negative: none) and the agent.
  void begin(Time now, int part, std::string_view agent) noexcept {
    write(static_cast<std::uint64_t>(now.time_since_epoch().count()));
    write(part < 0 ? " - " : " w");
    if (part >= 0) {
      write(static_cast<std::uint64_t>(part));
      write(" ");
    }
    write(agent.empty() ? "-" : agent);
    write(" ");
  }
  void write(std::string_view text) noexcept {
    std::uint64_t hash = hash_;
    for (const char letter : text) {
      hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    hash_ = hash;
    if (is_recorded_) text_ += text;
  }
  void write(std::uint64_t number) noexcept {
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    write(std::string_view(digits, end));
  }

  const std::string& text() const noexcept { return text_; }
  std::uint64_t hash() const noexcept { return hash_; }

 private:
  const bool is_recorded_;
  std::string text_;
  std::uint64_t hash_ = 0xcbf29ce484222325;  // FNV-1a
};

}  // namespace coracle::sim::detail
