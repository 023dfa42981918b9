// How values become bytes, without saying in which format. A type of your own takes part with two
// free functions in its namespace: void encode(coracle::Encoder&, const T&) and
// void decode(coracle::Decoder&, T&). Realized for CBOR (RFC 8949) by coracle/src/cbor_*.cpp;
// contract: coracle/tests/cbor_test.cpp.
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

// Arrays and maps may be nested this deep, when encoding as when decoding.
inline constexpr std::size_t max_codec_depth = 32;

// Writes one value, item by item. Every begin is matched by its end, with as many items between
// as it announced; otherwise, and beyond max_codec_depth, Errc::bad_encoding.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // Nothing: the absence of an optional value.
  virtual void null() = 0;
  // A truth value.
  virtual void boolean(bool value) = 0;
  // A signed number.
  virtual void integer(std::int64_t value) = 0;
  // An unsigned number; one below 2^63 reads the same as integer().
  virtual void unsigned_integer(std::uint64_t value) = 0;
  // A number with a fraction, exactly.
  virtual void floating(double value) = 0;
  // Text, UTF-8 by convention: a string that may hold other bytes belongs into bytes().
  virtual void text(std::string_view value) = 0;
  // Bytes without meaning.
  virtual void bytes(std::span<const std::byte> value) = 0;
  // `count` items follow.
  virtual void begin_array(std::size_t count) = 0;
  // Ends the innermost array.
  virtual void end_array() = 0;
  // `count` pairs follow: key, value, key, value …
  virtual void begin_map(std::size_t count) = 0;
  // Ends the innermost map.
  virtual void end_map() = 0;
};

// What the next item is.
enum class Shape : std::uint8_t {
  null,
  boolean,
  integer,  // for integer() or unsigned_integer(), as far as they reach
  floating,
  text,
  bytes,
  array,
  map,
  end,  // no more items here: of the innermost array or map, or at all
};

// Reads what an Encoder wrote, or what a stranger sent. Every function throws Errc::bad_encoding
// when the next item is missing, malformed or of another shape, and never touches memory outside
// the input. Views stay valid until the next call of text() or bytes().
class Decoder {
 public:
  virtual ~Decoder() = default;

  // The shape of the next item, which stays.
  virtual Shape peek() = 0;
  // The absence of a value.
  virtual void null() = 0;
  // A truth value.
  virtual bool boolean() = 0;
  // A number that fits 64 bits with a sign.
  virtual std::int64_t integer() = 0;
  // A number that fits 64 bits without a sign.
  virtual std::uint64_t unsigned_integer() = 0;
  // A number with a fraction; an integer is taken too.
  virtual double floating() = 0;
  // Text; whether it is UTF-8 is not checked.
  virtual std::string_view text() = 0;
  // Bytes; also what a big number's tag is followed by.
  virtual std::span<const std::byte> bytes() = 0;
  // Enters an array; returns how many items it has, which is never more than the input has bytes.
  virtual std::size_t begin_array() = 0;
  // Leaves it, past whatever was not read.
  virtual void end_array() = 0;
  // Enters a map; returns how many pairs of key and value it has.
  virtual std::size_t begin_map() = 0;
  // Leaves it, past whatever was not read.
  virtual void end_map() = 0;
  // Passes over the next item with all that is in it.
  virtual void skip() = 0;
  // Requires that everything was read.
  virtual void finish() = 0;
  // After a failure: where in the value it is, as in [2]["price"]; empty for the value itself.
  // Fields and items count from zero. It is found by reading up to there again, for each level of
  // what is nested; so a large input gives none.
  virtual std::string place() const { return {}; }

  // Says that `bytes` of memory are about to be taken for what is being read; refused when the sum
  // goes over the limit. Call it before resizing a container by a count that came from the input.
  virtual void charge(std::size_t bytes) = 0;
};

// What one decoding may take in memory: this many bytes per byte of input, and some more.
struct DecodeLimits {
  std::size_t bytes_per_input_byte = 4;
  std::size_t extra_bytes = 64 * 1024;
};

// Appends CBOR to `out`, which outlives the encoder: definite lengths, shortest integers, floating
// numbers as doubles.
std::unique_ptr<Encoder> cbor_encoder(std::vector<std::byte>& out);

// Reads CBOR from `input`, which outlives the decoder. Takes indefinite lengths and passes over
// tags; undefined reads as null, other simple values are refused.
std::unique_ptr<Decoder> cbor_decoder(std::span<const std::byte> input, DecodeLimits limits = {});

namespace detail {

// Throws Error(Errc::bad_encoding) with "cannot decode: " + `reason`.
[[noreturn]] void fail_decoding(const std::string& reason);
// Throws `failure` again; if its reason is Errc::bad_encoding, its sentence then names the content
// type and the place that `decoder` has come to.
[[noreturn]] void fail_decoding_at(const Error& failure, std::string_view type,
                                   const Decoder& decoder);

}  // namespace detail

}  // namespace coracle
