// The forms in which a message travels, and the names that FIPA gives them. A program that knows
// which form it needs calls the codec itself; one that learns it from an envelope uses this header.
// Tests: acl/tests/codecs/representation_test.cpp.
#pragma once

#include "coracle/acl/limits.hpp"
#include "coracle/acl/message.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::acl {

// The names of the forms, for Envelope::representation.
inline constexpr std::string_view string_representation = "fipa.acl.rep.string.std";
inline constexpr std::string_view bit_efficient_representation = "fipa.acl.rep.bitefficient.std";
inline constexpr std::string_view xml_representation = "fipa.acl.rep.xml.std";

// The form of a message.
enum class Representation : std::uint8_t { string, bit_efficient, xml };

// The name of the form: "fipa.acl.rep.string.std".
std::string_view to_text(Representation representation) noexcept;
// The form of that name, in any case of its letters; empty if there is none.
std::optional<Representation> representation_of(std::string_view name) noexcept;

// Writes the message in that form. Fails as the function of the form does: write_string(),
// write_bit_efficient(), write_xml().
std::string write_message(Representation representation, const Message& message);
// Reads a message in that form. Fails as the function of the form does.
Message read_message(Representation representation, std::string_view bytes,
                     const Limits& limits = {});

}  // namespace coracle::acl
