#include "cbor.hpp"

#include "handles.hpp"

#include "coracle/errors.hpp"

#include <string>

namespace coracle::c {

namespace {

constexpr std::string_view plain_text = "text/plain", plain_bytes = "application/octet-stream";

void copy_integer(Decoder& from, Encoder& to) {
  try {
    return to.unsigned_integer(from.unsigned_integer());
  } catch (const Error&) {  // it is negative, and was not read
  }
  to.integer(from.integer());
}

// Copies one item. The reader's limit of depth ends it.
void copy_item(Decoder& from, Encoder& to) {
  switch (from.peek()) {
    case Shape::null:
      from.null();
      return to.null();
    case Shape::boolean:
      return to.boolean(from.boolean());
    case Shape::integer:
      return copy_integer(from, to);
    case Shape::floating:
      return to.floating(from.floating());
    case Shape::text:
      return to.text(from.text());
    case Shape::bytes:
      return to.bytes(from.bytes());
    case Shape::array: {
      const std::size_t count = from.begin_array();
      to.begin_array(count);
      for (std::size_t number = 0; number < count; ++number) copy_item(from, to);
      from.end_array();
      return to.end_array();
    }
    case Shape::map: {
      const std::size_t count = from.begin_map();
      to.begin_map(count);
      for (std::size_t number = 0; number < 2 * count; ++number) copy_item(from, to);
      from.end_map();
      return to.end_map();
    }
    case Shape::end:
      break;
  }
  from.skip();  // fails: an item is missing
}

}  // namespace

void encode(Encoder& encoder, const Cbor& value) { copy_item(*cbor_decoder(value.bytes), encoder); }

void decode(Decoder& decoder, Cbor& value) {
  value.bytes.clear();
  copy_item(decoder, *cbor_encoder(value.bytes));  // at most three times as long as its input
}

Cbor cbor_of(const void* bytes, std::size_t size, const char* what) {
  if (bytes == nullptr && size != 0)
    fail_argument((std::string(what) + " is NULL, but its size is not 0").c_str());
  const std::span all(static_cast<const std::byte*>(bytes), size);
  const auto decoder = cbor_decoder(all);
  try {
    decoder->skip();
    decoder->finish();
  } catch (const Error& error) {
    throw Error(Errc::bad_encoding,
                std::string(what) + " is not one complete item of CBOR: " + error.sentence());
  }
  return {{all.begin(), all.end()}};
}

Cbor cbor_in(const Content& content) {
  Cbor value;
  if (content.type() == plain_text) {
    cbor_encoder(value.bytes)->text(content.text());
  } else if (content.type() == plain_bytes) {
    cbor_encoder(value.bytes)->bytes(content.bytes());
  } else {
    const auto bytes = content.bytes();
    value = cbor_of(bytes.data(), bytes.size(), "the content");
  }
  return value;
}

Content content_of(const Cbor& value, std::string_view type) {
  if (type == plain_text) return Content(cbor_decoder(value.bytes)->text());
  if (type == plain_bytes) return Content::bytes(cbor_decoder(value.bytes)->bytes());
  return Content::bytes(value.bytes, type);
}

}  // namespace coracle::c
