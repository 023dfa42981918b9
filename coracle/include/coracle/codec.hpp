// The interface between C++ values and bytes, independent of the format. A type of your own takes
// part with two free functions in its namespace: void encode(coracle::Encoder&, const T&) and void
// decode(coracle::Decoder&, T&). Realization: CBOR (RFC 8949), in coracle/src/content/cbor_*.cpp.
// Tests: coracle/tests/content/cbor_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

class Error;

// The deepest nesting of arrays and maps, when encoding and when decoding.
inline constexpr std::size_t max_codec_depth = 32;

// Writes one value, item by item. Every begin is matched by its end, with as many items between
// them as the begin announced. Otherwise, and beyond max_codec_depth, fails with
// Errc::bad_encoding.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // A null: the absence of an optional value.
  virtual void null() = 0;
  // A truth value.
  virtual void boolean(bool value) = 0;
  // A signed number.
  virtual void integer(std::int64_t value) = 0;
  // An unsigned number; a number below 2^63 is written as integer() writes it.
  virtual void unsigned_integer(std::uint64_t value) = 0;
  // A number with a fraction, written exactly.
  virtual void floating(double value) = 0;
  // Text, UTF-8 by convention; write a string that may hold other bytes with bytes().
  virtual void text(std::string_view value) = 0;
  // Bytes without meaning.
  virtual void bytes(std::span<const std::byte> value) = 0;
  // Begins an array of `count` items, which follow.
  virtual void begin_array(std::size_t count) = 0;
  // Ends the innermost array.
  virtual void end_array() = 0;
  // Begins a map of `count` pairs, which follow: key, value, key, value …
  virtual void begin_map(std::size_t count) = 0;
  // Ends the innermost map.
  virtual void end_map() = 0;
};

// The kind of the next item.
enum class Shape : std::uint8_t {
  null,
  boolean,
  integer,  // for integer() or unsigned_integer(), within their ranges
  floating,
  text,
  bytes,
  array,
  map,
  end,  // no more items: in the innermost array or map, or in the input
};

// Reads the output of an Encoder, or bytes from a stranger. Every function throws
// Errc::bad_encoding when the next item is missing, malformed or of another kind, and never touches
// memory outside the input. Views stay valid until the next call of text() or bytes().
class Decoder {
 public:
  virtual ~Decoder() = default;

  // The kind of the next item, which is not consumed.
  virtual Shape peek() = 0;
  // A null.
  virtual void null() = 0;
  // A truth value.
  virtual bool boolean() = 0;
  // A number that fits 64 bits with a sign.
  virtual std::int64_t integer() = 0;
  // A number that fits 64 bits without a sign.
  virtual std::uint64_t unsigned_integer() = 0;
  // A number with a fraction; an integer is accepted, too.
  virtual double floating() = 0;
  // Text; the function does not check that it is UTF-8.
  virtual std::string_view text() = 0;
  // Bytes; also the bytes that follow the tag of a big number.
  virtual std::span<const std::byte> bytes() = 0;
  // Enters an array; returns the number of its items, which is never more than the input has bytes.
  virtual std::size_t begin_array() = 0;
  // Leaves the array, and passes over the items that were not read.
  virtual void end_array() = 0;
  // Enters a map; returns the number of its pairs of key and value.
  virtual std::size_t begin_map() = 0;
  // Leaves the map, and passes over the pairs that were not read.
  virtual void end_map() = 0;
  // Passes over the next item with everything in it.
  virtual void skip() = 0;
  // Requires that the whole input was read.
  virtual void finish() = 0;
  // After a failure: the place of the failure in the value, as in [2]["price"]; empty for the value
  // itself. Fields and items count from zero. The place is found by reading the input up to there
  // again, once for each level of nesting; so a large input gives no place.
  virtual std::string place() const { return {}; }

  // Announces that the reader is about to take `bytes` of memory for the value. Fails with
  // Errc::bad_encoding when the sum exceeds the limit. Call it before you resize a container by a
  // count from the input.
  virtual void charge(std::size_t bytes) = 0;
};

// The memory that one decoding may take: this many bytes per byte of input, and some more.
struct DecodeLimits {
  std::size_t bytes_per_input_byte = 4;
  std::size_t extra_bytes = 64 * 1024;
};

// Appends CBOR to `out`, which must outlive the encoder: definite lengths, shortest integers,
// floating numbers as doubles.
std::unique_ptr<Encoder> cbor_encoder(std::vector<std::byte>& out);

// Reads CBOR from `input`, which must outlive the decoder. It accepts indefinite lengths and passes
// over tags; it reads undefined as null and refuses other simple values.
std::unique_ptr<Decoder> cbor_decoder(std::span<const std::byte> input, DecodeLimits limits = {});

namespace detail {

// Throws Error(Errc::bad_encoding) with "cannot decode: " + `reason`.
[[noreturn]] void fail_decoding(const std::string& reason);
// Throws `failure` again. If its reason is Errc::bad_encoding, its sentence then names the content
// type and the place that `decoder` has reached.
[[noreturn]] void fail_decoding_at(const Error& failure, std::string_view type,
                                   const Decoder& decoder);

}  // namespace detail

}  // namespace coracle
