/* Help for the tests of roles: numbers and texts as CBOR, and a node of either kind. */
#ifndef ROLES_H
#define ROLES_H

#include "check.h"

/* Bytes of CBOR, for as long as the block lives. */
struct bytes {
  unsigned char data[64];
  size_t size;
};

static inline struct bytes bytes_of(coracle_writer* writer) {
  const void* data = NULL;
  struct bytes bytes = {{0}, 0};
  GOOD(coracle_writer_bytes(writer, &data, &bytes.size));
  CHECK(bytes.size <= sizeof bytes.data);
  memcpy(bytes.data, data, bytes.size);
  coracle_writer_free(writer);
  return bytes;
}

static inline struct bytes number_bytes(int64_t number) {
  coracle_writer* writer = NULL;
  GOOD(coracle_writer_open(&writer));
  GOOD(coracle_write_integer(writer, number));
  return bytes_of(writer);
}

static inline struct bytes text_bytes(const char* text) {
  coracle_writer* writer = NULL;
  GOOD(coracle_writer_open(&writer));
  GOOD(coracle_write_text(writer, text, strlen(text)));
  return bytes_of(writer);
}

static inline int64_t number_in(const void* value, size_t size) {
  coracle_reader* reader = NULL;
  GOOD(coracle_reader_open(value, size, &reader));
  int64_t number = 0;
  GOOD(coracle_read_integer(reader, &number));
  GOOD(coracle_read_finish(reader));
  coracle_reader_free(reader);
  return number;
}

static inline bool is_text(const void* value, size_t size, const char* text) {
  const struct bytes wanted = text_bytes(text);
  return wanted.size == size && memcmp(wanted.data, value, size) == 0;
}

static inline void answer_number(coracle_question* question, int64_t number) {
  const struct bytes value = number_bytes(number);
  GOOD(coracle_answer(question, value.data, value.size));
}

static inline coracle_agent_options named(const char* name) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  return options;
}

/* Runs a test on a node with threads, and on one that a loop runs. */
static inline void on_both_nodes(void (*test)(coracle_node* node)) {
  for (int by_loop = 0; by_loop < 2; ++by_loop) {
    coracle_loop* loop = NULL;
    GOOD(coracle_loop_open(&loop));
    coracle_node_options options = CORACLE_INIT(coracle_node_options);
    options.realization = "local:";
    if (by_loop) options.loop = loop;
    coracle_node* node = NULL;
    GOOD(coracle_node_open(&options, &node));
    test(node);
    GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
    coracle_node_close(node);
    coracle_loop_close(loop);
  }
}

#endif
