/* Typed content: values as CBOR bytes. Part of <coracle.h>. A message with such a content has the
 * type of the C++ value that it stands for; the receiver's program knows what that type consists
 * of. */
#ifndef CORACLE_C_VALUES_H
#define CORACLE_C_VALUES_H

#include "coracle/c/errors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes one value, item by item. An array and a map have as many items as their beginning says; a
 * map has a key and a value for each. */
CORACLE_API coracle_error* coracle_writer_open(coracle_writer** out);
CORACLE_API coracle_error* coracle_write_null(coracle_writer* writer);
CORACLE_API coracle_error* coracle_write_boolean(coracle_writer* writer, bool value);
CORACLE_API coracle_error* coracle_write_integer(coracle_writer* writer, int64_t value);
CORACLE_API coracle_error* coracle_write_unsigned(coracle_writer* writer, uint64_t value);
CORACLE_API coracle_error* coracle_write_number(coracle_writer* writer, double value);
CORACLE_API coracle_error* coracle_write_text(coracle_writer* writer, const char* text,
                                              size_t size);
CORACLE_API coracle_error* coracle_write_bytes(coracle_writer* writer, const void* bytes,
                                               size_t size);
CORACLE_API coracle_error* coracle_write_array(coracle_writer* writer, size_t count);
CORACLE_API coracle_error* coracle_write_map(coracle_writer* writer, size_t count);
/* Ends the innermost array or map. */
CORACLE_API coracle_error* coracle_write_end(coracle_writer* writer);
/* The bytes so far; valid until the next call with this writer. */
CORACLE_API coracle_error* coracle_writer_bytes(coracle_writer* writer, const void** bytes,
                                                size_t* size);
CORACLE_API void coracle_writer_free(coracle_writer* writer);

typedef enum coracle_shape {
  CORACLE_SHAPE_NULL = 0,
  CORACLE_SHAPE_BOOLEAN = 1,
  CORACLE_SHAPE_INTEGER = 2,
  CORACLE_SHAPE_NUMBER = 3,
  CORACLE_SHAPE_TEXT = 4,
  CORACLE_SHAPE_BYTES = 5,
  CORACLE_SHAPE_ARRAY = 6,
  CORACLE_SHAPE_MAP = 7,
  CORACLE_SHAPE_END = 8 /* of the innermost array or map, or of the input */
} coracle_shape;

/* Reads a copy of these bytes, which may come from a stranger. Each function fails with
 * CORACLE_BAD_ENCODING when the next item is missing, malformed or of another kind. */
CORACLE_API coracle_error* coracle_reader_open(const void* bytes, size_t size,
                                               coracle_reader** out);
/* The kind of the next item, which is not read yet. */
CORACLE_API coracle_error* coracle_read_shape(coracle_reader* reader, coracle_shape* out);
CORACLE_API coracle_error* coracle_read_null(coracle_reader* reader);
CORACLE_API coracle_error* coracle_read_boolean(coracle_reader* reader, bool* out);
CORACLE_API coracle_error* coracle_read_integer(coracle_reader* reader, int64_t* out);
CORACLE_API coracle_error* coracle_read_unsigned(coracle_reader* reader, uint64_t* out);
/* An integer is accepted, too. */
CORACLE_API coracle_error* coracle_read_number(coracle_reader* reader, double* out);
/* Valid until the next text or bytes are read. The text does not end with a zero byte. */
CORACLE_API coracle_error* coracle_read_text(coracle_reader* reader, const char** text,
                                             size_t* size);
CORACLE_API coracle_error* coracle_read_bytes(coracle_reader* reader, const void** bytes,
                                              size_t* size);
/* Enters an array or a map; `*count` is the number of its items, or of its pairs. */
CORACLE_API coracle_error* coracle_read_array(coracle_reader* reader, size_t* count);
CORACLE_API coracle_error* coracle_read_map(coracle_reader* reader, size_t* count);
/* Leaves the innermost array or map, and passes over what was not read of it. */
CORACLE_API coracle_error* coracle_read_end(coracle_reader* reader);
/* Passes over the next item with everything in it. */
CORACLE_API coracle_error* coracle_read_skip(coracle_reader* reader);
/* Fails if something is left. */
CORACLE_API coracle_error* coracle_read_finish(coracle_reader* reader);
CORACLE_API void coracle_reader_free(coracle_reader* reader);

#ifdef __cplusplus
}
#endif

#endif
