// Plain blocking sockets, for the floors.
#pragma once

#include "floor/floors.hpp"

#include <utility>
#include <vector>

#include <unistd.h>

namespace coracle::bench {

// Throws NotDone with the system's error text for `call`.
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

// Two connected sockets, without delay.
using Ends = std::pair<Descriptor, Descriptor>;
Ends connected(Socket kind);
// The first socket is on the first host, and this thread stays on that host.
Ends connected(const Hosts& hosts);

// Writes the whole frame. Returns false when the other end is closed.
bool write_all(int socket, const std::vector<char>& frame);
bool read_all(int socket, std::vector<char>& frame);

}  // namespace coracle::bench
