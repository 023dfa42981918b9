/* The checks of the tests in C: the first that fails ends the program and says where. */
#ifndef CHECK_H
#define CHECK_H

#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/* The call succeeds. */
#define GOOD(call)                                                              \
  do {                                                                          \
    coracle_error* const error_ = (call);                                       \
    if (error_ != NULL) {                                                       \
      fprintf(stderr, "%s:%d: %s: error %d: %s\n", __FILE__, __LINE__, #call,   \
              (int)coracle_error_code(error_), coracle_error_sentence(error_)); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/* The call fails with that code, and a sentence. */
#define FAILS(expected, call)                                                                      \
  do {                                                                                             \
    coracle_error* const error_ = (call);                                                          \
    if (coracle_error_code(error_) != (expected) || strlen(coracle_error_sentence(error_)) == 0) { \
      fprintf(stderr, "%s:%d: %s: error %d, not %d: %s\n", __FILE__, __LINE__, #call,              \
              (int)coracle_error_code(error_), (int)(expected), coracle_error_sentence(error_));   \
      exit(1);                                                                                     \
    }                                                                                              \
    coracle_error_free(error_);                                                                    \
  } while (0)

static inline coracle_node* open_node(void) {
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = "local:";
  coracle_node* node = NULL;
  GOOD(coracle_node_open(&options, &node));
  return node;
}

static inline coracle_port* open_port(coracle_node* node, const char* name) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  coracle_port* port = NULL;
  GOOD(coracle_port_open(node, &options, &port, NULL));
  return port;
}

static inline coracle_post text_to(const char* target, const char* text) {
  coracle_post post = CORACLE_INIT(coracle_post);
  post.to = target;
  post.content = text;
  post.content_size = strlen(text);
  return post;
}

static inline coracle_message_info info_of(const coracle_message* message) {
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  GOOD(coracle_message_read(message, &info));
  return info;
}

static inline bool has_text(const coracle_message* message, const char* text) {
  const coracle_message_info info = info_of(message);
  return info.content_size == strlen(text) && memcmp(info.content, text, info.content_size) == 0;
}

#endif
