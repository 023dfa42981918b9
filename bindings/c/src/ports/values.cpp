// Writers and readers of CBOR.
#include "base/failure.hpp"
#include "base/handles.hpp"

#include "coracle/codec.hpp"

#include <memory>
#include <span>
#include <vector>

namespace coracle::c {

namespace {

// The arrays and maps that have begun and not ended: whether each is a map.
class Nesting {
 public:
  void begin(bool is_map) { maps_.push_back(is_map); }
  // Returns whether the innermost is a map; it has ended.
  bool end() {
    if (maps_.empty()) fail_argument("no array and no map has begun that could end here");
    const bool is_map = maps_.back();
    maps_.pop_back();
    return is_map;
  }

 private:
  std::vector<bool> maps_;
};

class ValueWriter final : public Named {
 public:
  using C = coracle_writer;
  static constexpr Kind kind = Kind::writer;
  static constexpr const char* words = "writer";

  std::vector<std::byte> bytes;
  const std::unique_ptr<Encoder> encoder = cbor_encoder(bytes);
  Nesting nesting;
};

class ValueReader final : public Named {
 public:
  using C = coracle_reader;
  static constexpr Kind kind = Kind::reader;
  static constexpr const char* words = "reader";

  explicit ValueReader(std::span<const std::byte> input) : bytes(input.begin(), input.end()) {}

  const std::vector<std::byte> bytes;
  const std::unique_ptr<Decoder> decoder = cbor_decoder(bytes);
  Nesting nesting;
};

std::span<const std::byte> span_of(const void* bytes, std::size_t size) {
  if (bytes == nullptr && size != 0)
    fail_argument("the pointer to the bytes is NULL, but their size is not 0");
  return {static_cast<const std::byte*>(bytes), size};
}

// Writes one item.
template <class Write>
coracle_error* write(coracle_writer* writer, Write item) noexcept {
  return guarded([&] { item(*object_of<ValueWriter>(writer)); });
}

// Reads one item into `out`.
template <class Place, class Read>
coracle_error* read(coracle_reader* reader, Place* out, Read item) noexcept {
  return guarded([&] {
    if (out == nullptr) fail_argument("the pointer for the value is NULL");
    *out = item(*object_of<ValueReader>(reader));
  });
}

}  // namespace

}  // namespace coracle::c

using namespace coracle;
using namespace coracle::c;

coracle_error* coracle_writer_open(coracle_writer** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_writer_open: `out` is NULL");
    *out = new_handle(std::make_shared<ValueWriter>());
  });
}

coracle_error* coracle_write_null(coracle_writer* writer) {
  return write(writer, [](ValueWriter& to) { to.encoder->null(); });
}

coracle_error* coracle_write_boolean(coracle_writer* writer, bool value) {
  return write(writer, [value](ValueWriter& to) { to.encoder->boolean(value); });
}

coracle_error* coracle_write_integer(coracle_writer* writer, int64_t value) {
  return write(writer, [value](ValueWriter& to) { to.encoder->integer(value); });
}

coracle_error* coracle_write_unsigned(coracle_writer* writer, uint64_t value) {
  return write(writer, [value](ValueWriter& to) { to.encoder->unsigned_integer(value); });
}

coracle_error* coracle_write_number(coracle_writer* writer, double value) {
  return write(writer, [value](ValueWriter& to) { to.encoder->floating(value); });
}

coracle_error* coracle_write_text(coracle_writer* writer, const char* text, size_t size) {
  return write(writer, [&](ValueWriter& to) {
    const auto bytes = span_of(text, size);
    to.encoder->text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
}

coracle_error* coracle_write_bytes(coracle_writer* writer, const void* bytes, size_t size) {
  return write(writer, [&](ValueWriter& to) { to.encoder->bytes(span_of(bytes, size)); });
}

coracle_error* coracle_write_array(coracle_writer* writer, size_t count) {
  return write(writer, [count](ValueWriter& to) {
    to.encoder->begin_array(count);
    to.nesting.begin(false);
  });
}

coracle_error* coracle_write_map(coracle_writer* writer, size_t count) {
  return write(writer, [count](ValueWriter& to) {
    to.encoder->begin_map(count);
    to.nesting.begin(true);
  });
}

coracle_error* coracle_write_end(coracle_writer* writer) {
  return write(writer, [](ValueWriter& to) {
    if (to.nesting.end()) to.encoder->end_map();
    else to.encoder->end_array();
  });
}

coracle_error* coracle_writer_bytes(coracle_writer* writer, const void** bytes, size_t* size) {
  return guarded([&] {
    if (bytes == nullptr || size == nullptr)
      fail_argument("coracle_writer_bytes: `bytes` or `size` is NULL");
    const auto object = object_of<ValueWriter>(writer);
    *bytes = object->bytes.data();
    *size = object->bytes.size();
  });
}

void coracle_writer_free(coracle_writer* writer) {
  coracle_error_free(guarded([&] { (void)remove_handle<ValueWriter>(writer); }));
}

coracle_error* coracle_reader_open(const void* bytes, size_t size, coracle_reader** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_reader_open: `out` is NULL");
    *out = new_handle(std::make_shared<ValueReader>(span_of(bytes, size)));
  });
}

coracle_error* coracle_read_shape(coracle_reader* reader, coracle_shape* out) {
  return read(reader, out,
              [](ValueReader& from) { return static_cast<coracle_shape>(from.decoder->peek()); });
}

coracle_error* coracle_read_null(coracle_reader* reader) {
  return guarded([&] { object_of<ValueReader>(reader)->decoder->null(); });
}

coracle_error* coracle_read_boolean(coracle_reader* reader, bool* out) {
  return read(reader, out, [](ValueReader& from) { return from.decoder->boolean(); });
}

coracle_error* coracle_read_integer(coracle_reader* reader, int64_t* out) {
  return read(reader, out, [](ValueReader& from) { return from.decoder->integer(); });
}

coracle_error* coracle_read_unsigned(coracle_reader* reader, uint64_t* out) {
  return read(reader, out, [](ValueReader& from) { return from.decoder->unsigned_integer(); });
}

coracle_error* coracle_read_number(coracle_reader* reader, double* out) {
  return read(reader, out, [](ValueReader& from) { return from.decoder->floating(); });
}

coracle_error* coracle_read_text(coracle_reader* reader, const char** text, size_t* size) {
  return read(reader, text, [size](ValueReader& from) {
    if (size == nullptr) fail_argument("coracle_read_text: `size` is NULL");
    const std::string_view found = from.decoder->text();
    *size = found.size();
    return found.data();
  });
}

coracle_error* coracle_read_bytes(coracle_reader* reader, const void** bytes, size_t* size) {
  return read(reader, bytes, [size](ValueReader& from) -> const void* {
    if (size == nullptr) fail_argument("coracle_read_bytes: `size` is NULL");
    const auto found = from.decoder->bytes();
    *size = found.size();
    return found.data();
  });
}

coracle_error* coracle_read_array(coracle_reader* reader, size_t* count) {
  return read(reader, count, [](ValueReader& from) {
    const std::size_t items = from.decoder->begin_array();
    from.nesting.begin(false);
    return items;
  });
}

coracle_error* coracle_read_map(coracle_reader* reader, size_t* count) {
  return read(reader, count, [](ValueReader& from) {
    const std::size_t pairs = from.decoder->begin_map();
    from.nesting.begin(true);
    return pairs;
  });
}

coracle_error* coracle_read_end(coracle_reader* reader) {
  return guarded([&] {
    const auto object = object_of<ValueReader>(reader);
    if (object->nesting.end()) object->decoder->end_map();
    else object->decoder->end_array();
  });
}

coracle_error* coracle_read_skip(coracle_reader* reader) {
  return guarded([&] { object_of<ValueReader>(reader)->decoder->skip(); });
}

coracle_error* coracle_read_finish(coracle_reader* reader) {
  return guarded([&] { object_of<ValueReader>(reader)->decoder->finish(); });
}

void coracle_reader_free(coracle_reader* reader) {
  coracle_error_free(guarded([&] { (void)remove_handle<ValueReader>(reader); }));
}
