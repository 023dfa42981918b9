// A letter as the argument of FIPA::MTS::message (FIPA00075), in a stream of omniORB. The types
// that omniidl makes of the interface would take memory before they know a limit, and recurse as
// deep as the sender likes; so letters are read and written here, without them. Tests:
// gateways/iiop/tests/letter_stream_test.cpp, tests/fuzz/iiop_letter_fuzz.cpp
#pragma once

#include "budget.hpp"
#include "coracle/acl/limits.hpp"
#include "coracle/fipa/letter.hpp"

#include <omniORB4/CORBA.h>

#include <cstddef>

namespace coracle::fipa {

// The longest text of an envelope, in bytes.
inline constexpr std::size_t max_envelope_text = 64 * 1024;

// Reads a letter. All envelopes become one: fields of later ones count, and each may have a stamp.
// Fails with Errc::too_large, Errc::bad_encoding (a property's value is of a kind that is not
// read), Errc::limit_reached (the budget is used up), and with exceptions of CORBA where the bytes
// are no such argument.
Letter read_letter(cdrStream& in, const acl::Limits& limits, Share& share);

// Checks that a letter can be written: its texts have no zeros, and fit the limits. Fails with
// Errc::bad_encoding and Errc::too_large.
void check_letter(const Letter& letter, const acl::Limits& limits);
// Writes a letter that check_letter() has accepted: an envelope with the oldest stamp, and one more
// for each further stamp.
void write_letter(cdrStream& out, const Letter& letter);

}  // namespace coracle::fipa
