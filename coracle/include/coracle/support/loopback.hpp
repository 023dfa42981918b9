// Addresses that only this host reaches. Tests: coracle/tests/loopback_test.cpp
#pragma once

#include <string>

namespace coracle::detail {

// Returns whether the text is an address of the loopback network: 127.0.0.0/8, ::1, or one of IPv4
// in the form of IPv6. A name is none, whatever it would resolve to.
bool is_loopback(const std::string& address) noexcept;
// Returns whether the host is this one: localhost, or such an address.
bool is_this_host(const std::string& host) noexcept;

}  // namespace coracle::detail
