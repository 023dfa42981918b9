// The values of properties, which are of the type `any`. They are texts here: a value is read if it
// is a text, a number, a truth value or octets, or a text in a box, which is how Java writes it.
// Anything else, as structures and values with fields, is refused before it is looked into.
// Tests: gateways/iiop/tests/any_stream_test.cpp
#pragma once

#include "coracle/acl/envelope.hpp"

#include <omniORB4/CORBA.h>

#include <cstddef>

namespace coracle::fipa {

// Reads the value of a property into its value and type; octets become Base64, "byte-array". Fails
// with Errc::bad_encoding if the value is of another kind or has more than `most` bytes, and with
// exceptions of CORBA.
void read_any(cdrStream& in, acl::Property& property, std::size_t most);
// Writes it: a "byte-array" in Base64 as octets, everything else as a text.
void write_any(cdrStream& out, const acl::Property& property);

}  // namespace coracle::fipa
