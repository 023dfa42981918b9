#include "coracle/codec.hpp"
#include "coracle/errors.hpp"

#include <cbor/encoding.h>

#include <array>
#include <limits>

namespace coracle {

namespace {

class CborEncoder final : public Encoder {
 public:
  explicit CborEncoder(std::vector<std::byte>& out) : out_(out) {}

  void null() override {
    item();
    put(cbor_encode_null);
  }
  void boolean(bool value) override {
    item();
    put(cbor_encode_bool, value);
  }
  void integer(std::int64_t value) override {
    item();
    // For a negative value, CBOR stores n of -1 - n, which is the complement of the value.
    if (value < 0) put(cbor_encode_negint, ~static_cast<std::uint64_t>(value));
    else put(cbor_encode_uint, static_cast<std::uint64_t>(value));
  }
  void unsigned_integer(std::uint64_t value) override {
    item();
    put(cbor_encode_uint, value);
  }
  void floating(double value) override {
    item();
    put(cbor_encode_double, value);
  }
  void text(std::string_view value) override {
    item();
    put(cbor_encode_string_start, value.size());
    append(std::as_bytes(std::span(value)));
  }
  void bytes(std::span<const std::byte> value) override {
    item();
    put(cbor_encode_bytestring_start, value.size());
    append(value);
  }
  void begin_array(std::size_t count) override {
    enter(count, false);
    put(cbor_encode_array_start, count);
  }
  void end_array() override { leave(false); }
  void begin_map(std::size_t count) override {
    if (count > std::numeric_limits<std::size_t>::max() / 2)
      fail("a map announces 2^63 pairs or more; correct encode() of its type");
    enter(2 * count, true);
    put(cbor_encode_map_start, count);
  }
  void end_map() override { leave(true); }

 private:
  struct Open {
    std::size_t left;
    bool map;
  };

  [[noreturn]] static void fail(const std::string& reason) {
    throw Error(Errc::bad_encoding, "cannot encode: " + reason);
  }

  // Counts one item of the innermost array or map.
  void item() {
    if (depth_ == 0) return;
    if (open_[depth_ - 1].left == 0)
      fail("an array or map gets more items than it announced; correct encode() of its type");
    --open_[depth_ - 1].left;
  }

  void enter(std::size_t items, bool map) {
    item();
    if (depth_ == max_codec_depth)
      fail("arrays and maps are nested deeper than 32; make the value flatter");
    open_[depth_++] = {items, map};
  }

  void leave(bool map) {
    if (depth_ == 0 || open_[depth_ - 1].map != map)
      fail("an end does not match its begin; correct encode() of its type");
    if (open_[depth_ - 1].left != 0)
      fail("an array or map gets fewer items than it announced; correct encode() of its type");
    --depth_;
  }

  template <class Function, class... Arguments>
  void put(Function function, Arguments... arguments) {
    std::array<unsigned char, 9> head;
    const std::size_t size = function(arguments..., head.data(), head.size());
    append(std::as_bytes(std::span(head).first(size)));
  }

  void append(std::span<const std::byte> data) {
    out_.insert(out_.end(), data.begin(), data.end());
  }

  std::vector<std::byte>& out_;
  std::array<Open, max_codec_depth> open_;
  std::size_t depth_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> cbor_encoder(std::vector<std::byte>& out) {
  return std::make_unique<CborEncoder>(out);
}

}  // namespace coracle
