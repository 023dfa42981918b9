/* Allocations that fail: each call of the interface says so, and the next call works. Only those of
 * the calling thread fail. */
#include "check.h"

#include <errno.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

/* The number of allocations until one fails; 0: none fails. */
static _Thread_local unsigned left;

static bool fails(void) { return left != 0 && --left == 0; }

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = fails() ? NULL : __libc_memalign(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}

enum { most = 100 }; /* allocations of one call */

/* Calls again and again: first the first allocation fails, then the second, until none does. */
#define SURVIVES(call)                                                         \
  do {                                                                         \
    unsigned refused_ = 0;                                                     \
    for (unsigned number_ = 1;; ++number_) {                                   \
      CHECK(number_ < most);                                                   \
      left = number_;                                                          \
      coracle_error* const error_ = (call);                                    \
      const bool is_used_up_ = left == 0;                                      \
      left = 0;                                                                \
      if (error_ == NULL && !is_used_up_) break;                               \
      if (error_ == NULL) continue; /* it did without that memory */           \
      if (coracle_error_code(error_) != CORACLE_NO_MEMORY) {                   \
        fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,          \
                coracle_error_sentence(error_));                               \
        exit(1);                                                               \
      }                                                                        \
      coracle_error_free(error_);                                              \
      ++refused_;                                                              \
    }                                                                          \
    printf("%-24.*s %u refused\n", (int)strcspn(#call, "("), #call, refused_); \
  } while (0)

static void values(void) {
  coracle_writer* writer = NULL;
  SURVIVES(coracle_writer_open(&writer));
  static char long_text[10000];
  SURVIVES(coracle_write_text(writer, long_text, sizeof long_text));
  const void* bytes = NULL;
  size_t size = 0;
  GOOD(coracle_writer_bytes(writer, &bytes, &size));
  coracle_reader* reader = NULL;
  SURVIVES(coracle_reader_open(bytes, size, &reader));
  const char* text = NULL;
  SURVIVES(coracle_read_text(reader, &text, &size));
  coracle_reader_free(reader);
  coracle_writer_free(writer);
}

static coracle_error* join(coracle_node* node, const char* name, coracle_port** out) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  coracle_error* const error = coracle_port_open(node, &options, out, NULL);
  if (error == NULL || coracle_error_code(error) != CORACLE_NAME_TAKEN) return error;
  coracle_error_free(error);
  return NULL; /* the call before had joined, but had no memory for the handle */
}

int main(void) {
  values();
  coracle_loop* loop = NULL;
  SURVIVES(coracle_loop_open(&loop));
  coracle_node* node = open_node();
  coracle_port *ann = NULL, *bob = NULL;
  SURVIVES(join(node, "ann", &ann));
  bob = open_port(node, "bob");
  if (ann == NULL) ann = open_port(node, "anna");

  const char* const many[] = {"bob"};
  coracle_header header = {"key", "a value that does not fit into a short string"};
  coracle_post post = text_to(NULL, "a content that does not fit into a short string");
  post.many = many;
  post.many_count = 1;
  post.headers = &header;
  post.header_count = 1;
  SURVIVES(coracle_send(ann, &post, NULL));
  coracle_receipt* receipt = NULL;
  SURVIVES(coracle_track(ann, &post, &receipt, NULL));
  coracle_message* message = NULL;
  SURVIVES(coracle_receive(bob, NULL, &message, NULL));
  const char* value = NULL;
  SURVIVES(coracle_message_header(message, "key", &value));
  CHECK(strcmp(value, header.value) == 0);
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  SURVIVES(coracle_message_read(message, &info));
  left = 1;
  GOOD(coracle_message_give_back(message)); /* it waits for memory, because it must not fail */
  left = 0;
  coracle_match match = CORACLE_INIT(coracle_match);
  match.from = "an_agent_with_a_name_that_is_long";
  SURVIVES(coracle_try_receive(bob, &match, &message));
  CHECK(message == NULL);
  coracle_messages* messages = NULL;
  SURVIVES(coracle_receive_many(bob, NULL, 1, &messages, NULL));
  SURVIVES(coracle_messages_next(messages, &message));
  coracle_message_free(message);
  coracle_messages_free(messages);
  bool reached = false;
  SURVIVES(coracle_receipt_reached(receipt, CORACLE_DELIVERED, 0, &reached, NULL));
  coracle_receipt_free(receipt);

  SURVIVES(coracle_join(ann, "a_group_with_a_name_that_is_long", 0, NULL));
  coracle_entries* members = NULL;
  SURVIVES(coracle_members(ann, "a_group_with_a_name_that_is_long", &members, NULL));
  coracle_entries_free(members);
  const coracle_property property = {.key = "a_property_with_a_long_name", .kind = CORACLE_INTEGER};
  SURVIVES(coracle_describe(ann, &property, 1, NULL));
  coracle_entries* entries = NULL;
  SURVIVES(coracle_search(ann, NULL, &entries, NULL));
  coracle_entries_free(entries);
  const coracle_begin begin = {loop, 1};
  coracle_stream* stream = NULL;
  match.from = "ann";
  SURVIVES(coracle_stream_open(bob, &match, &begin, &stream));
  SURVIVES(coracle_stream_next(stream));
  coracle_stream_free(stream);
  SURVIVES(coracle_receive(bob, &match, NULL, &begin));
  coracle_loop_close(loop);
  coracle_port_close(ann);
  coracle_port_close(bob);
  coracle_stop_report report = CORACLE_INIT(coracle_stop_report);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), &report));
  coracle_node_close(node);
  return 0;
}
