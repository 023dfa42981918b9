// The codes of the bit-efficient form of envelopes (FIPA00088).
#pragma once

#include "codecs/bits/bits.hpp"

#include "coracle/acl/envelope.hpp"

#include <array>

namespace coracle::acl::envelope_code {

inline constexpr std::uint8_t external = 0xfd, base = 0xfe;

// The fields of an envelope.
inline constexpr std::uint8_t user = 0x00, to = 0x02, from = 0x03, representation = 0x04,
                              comments = 0x05, payload_length = 0x06, payload_encoding = 0x07,
                              intended_receiver = 0x09, received = 0x0a, transport_behaviour = 0x0b;

// The parts of an agent. JADE writes a user parameter as two texts, FIPA00088 as a text and a value
// of any kind.
inline constexpr std::uint8_t name = 0x02, addresses = 0x02, resolvers = 0x03, slot_of_jade = 0x04,
                              slot = 0x05;

// The parts of a stamp.
inline constexpr std::uint8_t stamp_from = 0x02, stamp_id = 0x03, stamp_via = 0x04;

// The representations that have codes; the name of another one follows the code zero.
inline constexpr std::uint8_t other_representation = 0x00, first_representation = 0x10;
inline constexpr std::array<std::string_view, 3> representations = {
    bit_efficient_representation, string_representation, xml_representation};

}  // namespace coracle::acl::envelope_code
