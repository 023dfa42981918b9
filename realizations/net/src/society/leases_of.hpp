// Of whom a frame is, and for whom.
#pragma once

#include "coracle/directory.hpp"

namespace coracle::society {

struct Leases {
  LeaseId from = 0;
  LeaseId to = 0;
  bool operator==(const Leases&) const = default;
};

}  // namespace coracle::society
