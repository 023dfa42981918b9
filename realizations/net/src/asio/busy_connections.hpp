// The connections that had something to read lately. Looking at one of them costs one system call.
// To ask the system about all connections and then to read costs two, and to be informed once more
// that there is nothing costs a third.
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <array>
#include <cstddef>

namespace coracle::net {

// A connection that can be looked at.
class PolledConnection {
 public:
  // Reads if there is something; returns whether there was. The object may be destroyed meanwhile.
  virtual bool look() = 0;
  // Has the system report when there is something to read.
  virtual void await() = 0;

 protected:
  ~PolledConnection() = default;
  bool is_busy() const noexcept { return is_busy_; }

 private:
  friend class BusyConnections;
  bool is_busy_ = false;
};

// A few connections that are looked at, until rest() leaves all of them to the system. Bytes rarely
// come while the loop waits, so they make no connection busy.
class BusyConnections {
 public:
  // Called when `who` had something to read. If that was noticed since the last rest, `who` is
  // looked at from now on; the connection that has had nothing for longest may be removed for it.
  void add(PolledConnection& who);
  // Called when `who` is gone.
  void remove(const PolledConnection& who) noexcept;

  Look look();
  void rest();

 private:
  struct Entry {
    PolledConnection* who = nullptr;
    unsigned in_vain = 0;  // looks without a result
  };

  bool is_at(std::size_t place, const PolledConnection& who) const noexcept {
    return place < count_ && entries_[place].who == &who;
  }
  PolledConnection& take_out(std::size_t place) noexcept;

  static constexpr unsigned patience = 256;

  std::array<Entry, 4> entries_;
  std::size_t count_ = 0;
  bool on_ = false;
};

}  // namespace coracle::net
