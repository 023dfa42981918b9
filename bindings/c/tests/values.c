/* Values as CBOR: written, read, sent to a C++ type's name; bytes of a stranger. */
#include "check.h"

static void round_trip(void) {
  coracle_writer* writer = NULL;
  GOOD(coracle_writer_open(&writer));
  GOOD(coracle_write_map(writer, 3));
  GOOD(coracle_write_text(writer, "price", 5));
  GOOD(coracle_write_number(writer, 2.5));
  GOOD(coracle_write_text(writer, "items", 5));
  GOOD(coracle_write_array(writer, 4));
  GOOD(coracle_write_integer(writer, -7));
  GOOD(coracle_write_unsigned(writer, UINT64_MAX));
  GOOD(coracle_write_boolean(writer, true));
  GOOD(coracle_write_null(writer));
  GOOD(coracle_write_end(writer));
  GOOD(coracle_write_text(writer, "raw", 3));
  GOOD(coracle_write_bytes(writer, "\0\1", 2));
  GOOD(coracle_write_end(writer));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_write_end(writer));
  const void* bytes = NULL;
  size_t size = 0;
  GOOD(coracle_writer_bytes(writer, &bytes, &size));

  coracle_reader* reader = NULL;
  GOOD(coracle_reader_open(bytes, size, &reader));
  coracle_writer_free(writer);
  coracle_shape shape = CORACLE_SHAPE_NULL;
  GOOD(coracle_read_shape(reader, &shape));
  CHECK(shape == CORACLE_SHAPE_MAP);
  size_t count = 0;
  GOOD(coracle_read_map(reader, &count));
  CHECK(count == 3);
  const char* text = NULL;
  GOOD(coracle_read_text(reader, &text, &size));
  CHECK(size == 5 && memcmp(text, "price", 5) == 0);
  int64_t integer = 0;
  FAILS(CORACLE_BAD_ENCODING, coracle_read_integer(reader, &integer));
  double number = 0;
  GOOD(coracle_read_number(reader, &number));
  CHECK(number == 2.5);
  GOOD(coracle_read_skip(reader));
  GOOD(coracle_read_array(reader, &count));
  CHECK(count == 4);
  GOOD(coracle_read_integer(reader, &integer));
  CHECK(integer == -7);
  uint64_t natural = 0;
  FAILS(CORACLE_BAD_ENCODING, coracle_read_integer(reader, &integer)); /* and it stays */
  GOOD(coracle_read_unsigned(reader, &natural));
  CHECK(natural == UINT64_MAX);
  bool truth = false;
  GOOD(coracle_read_boolean(reader, &truth));
  CHECK(truth);
  GOOD(coracle_read_end(reader)); /* passes over the null */
  GOOD(coracle_read_skip(reader));
  GOOD(coracle_read_bytes(reader, &bytes, &size));
  CHECK(size == 2 && memcmp(bytes, "\0\1", 2) == 0);
  GOOD(coracle_read_end(reader));
  GOOD(coracle_read_shape(reader, &shape));
  CHECK(shape == CORACLE_SHAPE_END);
  GOOD(coracle_read_finish(reader));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_read_end(reader));
  coracle_reader_free(reader);
}

/* Every sequence of two bytes: whatever it is, the end comes. */
static void strangers(void) {
  for (unsigned value = 0; value < 65536; ++value) {
    const unsigned char bytes[] = {(unsigned char)(value >> 8), (unsigned char)value};
    coracle_reader* reader = NULL;
    GOOD(coracle_reader_open(bytes, sizeof bytes, &reader));
    coracle_error* error = NULL;
    for (int items = 0; items < 3 && error == NULL; ++items) error = coracle_read_skip(reader);
    CHECK(coracle_error_code(error) == CORACLE_BAD_ENCODING);
    coracle_error_free(error);
    coracle_reader_free(reader);
  }
}

static void too_deep(void) {
  coracle_writer* writer = NULL;
  GOOD(coracle_writer_open(&writer));
  coracle_error* error = NULL;
  for (int depth = 0; depth < 100 && error == NULL; ++depth) error = coracle_write_array(writer, 1);
  CHECK(coracle_error_code(error) == CORACLE_BAD_ENCODING);
  coracle_error_free(error);
  coracle_writer_free(writer);
}

int main(void) {
  round_trip();
  strangers();
  too_deep();
  return 0;
}
