// One message in the forms in which JADE 4.6.5 emitted it.
#pragma once

#include "coracle/acl/message.hpp"

#include <string>
#include <string_view>

namespace coracle::acl::test {

Message jade_message();
extern const std::string jade_string;
// The XML form, with text whose quotes are escaped.
extern const std::string jade_xml;
// Without a code table; then as the second message with a table of 2^8 places.
extern const std::string jade_bits, jade_second_bits;

// The bytes of a text such as "fa 10 08 01".
std::string from_hex(std::string_view hex);
// The same in the other direction.
std::string to_hex(std::string_view bytes);

}  // namespace coracle::acl::test
