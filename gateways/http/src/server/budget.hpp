// The bytes that connections may hold: those of one address, and all together.
#pragma once

#include <cstddef>

namespace coracle::http {

class Budget {
 public:
  explicit Budget(std::size_t limit) noexcept : limit_(limit) {}
  Budget(const Budget&) = delete;

  std::size_t used() const noexcept { return used_; }
  bool is_exceeded() const noexcept { return used_ > limit_; }
  void change(std::size_t before, std::size_t after) noexcept { used_ += after - before; }

 private:
  const std::size_t limit_;
  std::size_t used_ = 0;
};

// The part of one connection; given back at its end.
class Charge {
 public:
  Charge(Budget& all, Budget& of_peer) noexcept : all_(all), of_peer_(of_peer) {}
  Charge(const Charge&) = delete;
  ~Charge() { set(0); }

  void set(std::size_t bytes) noexcept {
    all_.change(bytes_, bytes);
    of_peer_.change(bytes_, bytes);
    bytes_ = bytes;
  }
  std::size_t bytes() const noexcept { return bytes_; }
  // Returns whether this connection has to give way: it holds something, and there is no room.
  bool is_too_much() const noexcept {
    return bytes_ != 0 && (all_.is_exceeded() || of_peer_.is_exceeded());
  }

 private:
  Budget& all_;
  Budget& of_peer_;
  std::size_t bytes_ = 0;
};

}  // namespace coracle::http
