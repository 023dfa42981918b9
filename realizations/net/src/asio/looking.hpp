// The connections that had something to read lately. To look at one of them is one call to the
// system; to ask the system about all that there are and then to read is two, and to be told once
// more that there is nothing is a third.
#pragma once

#include "realizations/net/src/network.hpp"

#include <array>
#include <cstddef>

namespace coracle::net {

// What can be looked at.
class Looked {
 public:
  // Reads if there is something; returns whether there was. It may be destroyed meanwhile.
  virtual bool look() = 0;
  // Has the system tell when there is something.
  virtual void await() = 0;

 protected:
  ~Looked() = default;
  bool is_looked_at() const noexcept { return looked_at_; }

 private:
  friend class Looking;
  bool looked_at_ = false;
};

// A few of them, until rest() leaves all to the system. What comes while the loop waits is rare, so
// it makes nobody busy.
class Looking {
 public:
  // It had something. If that was seen since the last rest, it is among them from now on; the one
  // that has had nothing for longest may have to go for it.
  void add(Looked& who);
  // It is over.
  void remove(const Looked& who) noexcept;

  Look look();
  void rest();

 private:
  struct Entry {
    Looked* who = nullptr;
    unsigned in_vain = 0;  // looks
  };

  bool is_at(std::size_t place, const Looked& who) const noexcept {
    return place < count_ && entries_[place].who == &who;
  }
  Looked& take_out(std::size_t place) noexcept;

  static constexpr unsigned patience = 256;

  std::array<Entry, 4> entries_;
  std::size_t count_ = 0;
  bool on_ = false;
};

}  // namespace coracle::net
