// The leases of a frame's sender and receiver.
#pragma once

#include "coracle/directory.hpp"

namespace coracle::society {

struct Leases {
  LeaseId from = 0;
  LeaseId to = 0;
  bool operator==(const Leases&) const = default;
};

}  // namespace coracle::society
