// The one form of a value of JSON that everybody writes alike (RFC 8785), so that it can be signed.
// Tests: gateways/web/tests/canonical_json_test.cpp
#pragma once

#include "coracle/web/json.hpp"

#include <string>

namespace coracle::web {

// Members in the order of their names in UTF-16; numbers as a double of ECMAScript; no blanks.
// Bytes that are not UTF-8 become U+FFFD; a number that JSON does not have becomes null.
std::string canonical_text(const Json& value);

}  // namespace coracle::web
