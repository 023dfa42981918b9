// Values whose types only the program knows: complete items of CBOR. They stand where C++ has a
// type, in the messages of calls and of roles.
#pragma once

#include "coracle/codec.hpp"
#include "coracle/content.hpp"
#include "coracle/typed.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace coracle::c {

// One item. Its encoding is the bytes themselves, wherever it stands.
struct Cbor {
  static constexpr std::string_view content_type = "application/cbor";

  std::vector<std::byte> bytes;
};
void encode(Encoder& encoder, const Cbor& value);
void decode(Decoder& decoder, Cbor& value);

// The item that C gave; fails with Errc::bad_encoding unless it is one complete item. `what` names
// it.
Cbor cbor_of(const void* bytes, std::size_t size, const char* what);
// A content as an item: text and plain bytes are not CBOR by themselves, and become an item.
Cbor cbor_in(const Content& content);
// The content of that type that the item stands for.
Content content_of(const Cbor& value, std::string_view type);

}  // namespace coracle::c
