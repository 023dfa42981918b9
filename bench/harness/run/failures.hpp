// The two ways in which a run can fail.
#pragma once

#include <stdexcept>

namespace coracle::bench {

// The run did not do the work of its number. No number is printed; exit 1.
class NotDone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The request is impossible. Exit 2.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace coracle::bench
