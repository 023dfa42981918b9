// Plain blocking sockets, for the floors.
#pragma once

#include "floor/floors.hpp"

#include <utility>
#include <vector>

#include <unistd.h>

namespace coracle::bench {

// Throws NotDone with what the system says about `call`.
[[noreturn]] void fail_floor(const char* call);

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number_ < 0) fail_floor("socket");
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Two that are connected, without delay.
using Ends = std::pair<Descriptor, Descriptor>;
Ends connected(Socket kind);
// The first of them is on the first host, where this thread is then, too.
Ends connected(const Hosts& hosts);

// All of a frame. False: the other end is closed.
bool write_all(int socket, const std::vector<char>& frame);
bool read_all(int socket, std::vector<char>& frame);

}  // namespace coracle::bench
