// Errors as exceptions of CORBA, and the reverse. The minor code of an exception that this gateway
// raises names the kind of error, so another gateway can say why a letter was refused.
// Tests: gateways/iiop/tests/refusals_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/errors.hpp"

#include <omniORB4/CORBA.h>

#include <cstddef>
#include <mutex>
#include <string>

namespace coracle::fipa {

// Minor codes have this number, plus that of the Errc.
inline constexpr std::uint32_t minor_codes = 0x43524000;

// Raises the exception for an error: MARSHAL, IMP_LIMIT, NO_PERMISSION or TRANSIENT.
[[noreturn]] void raise(const Error& error);
// The error that an exception of a call to the platform at `place` means.
Error error_of(const CORBA::SystemException& exception, const std::string& place);
// Returns whether nothing more can be sent to that platform now.
bool is_gone(const Error& error) noexcept;

// Logs refusals, for strangers at most some lines in ten seconds.
class RefusalLines {
 public:
  // `who` and `reason` are shown escaped.
  void note(const std::string& who, const std::string& reason) noexcept;

 private:
  static constexpr unsigned named = 10;
  static constexpr Duration period = std::chrono::seconds(10);

  std::mutex mutex_;  // guards the members below
  Time until_{};
  unsigned said_ = 0;
  std::size_t unsaid_ = 0;
};

}  // namespace coracle::fipa
