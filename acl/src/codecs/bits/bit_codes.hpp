// The codes of the bit-efficient form of messages (FIPA00069).
#pragma once

#include "codecs/bits/bits.hpp"

#include "coracle/acl/performative.hpp"

#include <array>

namespace coracle::acl::code {

// The first byte: no code table; a table that this message extends; a table that it only uses.
inline constexpr std::uint8_t without_table = 0xfa, learning = 0xfb, using_table = 0xfc;
inline constexpr std::uint8_t version = 0x10;

// The parameters of a message.
inline constexpr std::uint8_t user = 0x00, sender = 0x02, receiver = 0x03, content = 0x04,
                              reply_with = 0x05, reply_by = 0x06, in_reply_to = 0x07,
                              reply_to = 0x08, language = 0x09, encoding = 0x0a, ontology = 0x0b,
                              protocol = 0x0c, conversation_id = 0x0d;
// The parts of an agent.
inline constexpr std::uint8_t name = 0x02, addresses = 0x02, resolvers = 0x03, slot = 0x04;

// In expressions, these are added to the code of an element behind "(" or ")".
inline constexpr std::uint8_t opens = 0x60, closes = 0x40;
// A string instead of an expression.
inline constexpr std::uint8_t string_instead = 0xff;

// The codes of the performatives, by their numbers.
inline constexpr std::array<std::uint8_t, performatives> performative = {
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
    0x0d, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x0e, 0x0c};
// Another performative, whose name follows as a word.
inline constexpr std::uint8_t other_performative = 0x00;

}  // namespace coracle::acl::code
