// Converts messages of FIPA to JSON and back, for the command `coracle acl`.
// Tests: tools/acl/tests/acl_json_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"

#include <string>
#include <string_view>

namespace coracle::command {

// One line of JSON, without its end; absent parameters are left out. Bytes, and text that is not
// UTF-8, are in Base64 under "content-base64". Elsewhere, bytes that are not UTF-8 become U+FFFD.
std::string json_of(const acl::Message& message);

// The message of such JSON. Fails with Errc::bad_options, whose text gives the place and the
// reason.
acl::Message message_from_json(std::string_view text);

}  // namespace coracle::command
