/* Remote calls between C agents: values, failures, answers from other threads, and misuse. */
#include "check.h"

#include <pthread.h>

/* [number, number], as CBOR. */
static coracle_writer* two_numbers(int64_t one, int64_t other) {
  coracle_writer* writer = NULL;
  GOOD(coracle_writer_open(&writer));
  GOOD(coracle_write_array(writer, 2));
  GOOD(coracle_write_integer(writer, one));
  GOOD(coracle_write_integer(writer, other));
  GOOD(coracle_write_end(writer));
  return writer;
}

static int64_t number_in(const coracle_result* result) {
  const void* value = NULL;
  size_t size = 0, count = 0;
  GOOD(coracle_result_count(result, &count));
  CHECK(count == 1);
  GOOD(coracle_result_value(result, 0, &value, &size));
  coracle_reader* reader = NULL;
  GOOD(coracle_reader_open(value, size, &reader));
  int64_t number = 0;
  GOOD(coracle_read_integer(reader, &number));
  GOOD(coracle_read_finish(reader));
  coracle_reader_free(reader);
  return number;
}

static void answer_number(coracle_question* question, int64_t number) {
  coracle_writer* writer = NULL;
  GOOD(coracle_writer_open(&writer));
  GOOD(coracle_write_integer(writer, number));
  const void* bytes = NULL;
  size_t size = 0;
  GOOD(coracle_writer_bytes(writer, &bytes, &size));
  GOOD(coracle_answer(question, bytes, size));
  FAILS(CORACLE_BAD_HANDLE, coracle_answer(question, bytes, size));
  FAILS(CORACLE_BAD_HANDLE, coracle_question_fail(question, "too late"));
  coracle_question_free(question);
  coracle_writer_free(writer);
}

static void add(coracle_agent* self, coracle_question* question, const void* arguments, size_t size,
                void* context) {
  (void)self, (void)context;
  coracle_reader* reader = NULL;
  GOOD(coracle_reader_open(arguments, size, &reader));
  size_t count = 0;
  GOOD(coracle_read_array(reader, &count));
  CHECK(count == 2);
  int64_t one = 0, other = 0;
  GOOD(coracle_read_integer(reader, &one));
  GOOD(coracle_read_integer(reader, &other));
  coracle_reader_free(reader);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_text(question, "another kind"));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_question_put(question, "\x01", 1));
  FAILS(CORACLE_BAD_ENCODING, coracle_answer(question, "\x82\x01", 2)); /* an item is missing */
  bool is_open = false;
  GOOD(coracle_question_is_open(question, &is_open));
  CHECK(is_open);
  answer_number(question, one + other);
}

static void refuse(coracle_agent* self, coracle_question* question, const void* arguments,
                   size_t size, void* context) {
  (void)self, (void)arguments, (void)size, (void)context;
  GOOD(coracle_question_refuse(question, "not today"));
}

static void forget(coracle_agent* self, coracle_question* question, const void* arguments,
                   size_t size, void* context) {
  (void)self, (void)arguments, (void)size, (void)context;
  coracle_question_free(question);
}

static void do_nothing(coracle_agent* self, coracle_question* question, const void* arguments,
                       size_t size, void* context) {
  (void)arguments, (void)context;
  CHECK(size == 1);
  const coracle_post post = text_to("ann", "it was done");
  GOOD(coracle_agent_send(self, &post));
  GOOD(coracle_answer_done(question));
}

static void leave(coracle_agent* self, coracle_question* question, const void* arguments,
                  size_t size, void* context) {
  (void)arguments, (void)size, (void)context;
  GOOD(coracle_agent_end(self, NULL));
  GOOD(coracle_answer_done(question));
}

/* Questions that another thread answers. */
struct desk {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  coracle_question* waiting;
  int ended;
};

static void keep(coracle_agent* self, coracle_question* question, const void* arguments,
                 size_t size, void* context) {
  (void)self, (void)arguments, (void)size;
  struct desk* const desk = context;
  pthread_mutex_lock(&desk->mutex);
  desk->waiting = question;
  pthread_cond_broadcast(&desk->changed);
  pthread_mutex_unlock(&desk->mutex);
}

static coracle_question* take(struct desk* desk) {
  pthread_mutex_lock(&desk->mutex);
  while (desk->waiting == NULL) pthread_cond_wait(&desk->changed, &desk->mutex);
  coracle_question* const question = desk->waiting;
  desk->waiting = NULL;
  pthread_mutex_unlock(&desk->mutex);
  return question;
}

static void* answer_later(void* context) {
  answer_number(take(context), 42);
  return NULL;
}

static void on_end(void* context) { ++((struct desk*)context)->ended; }

static void serve(coracle_node* node, const char* name, struct desk* desk) {
  const coracle_function functions[] = {
      {"add", &add, NULL},       {"refuse", &refuse, NULL},
      {"forget", &forget, NULL}, {"nothing", &do_nothing, NULL},
      {"keep", &keep, NULL},     {"leave", &leave, NULL},
  };
  coracle_service service = CORACLE_INIT(coracle_service);
  service.functions = functions;
  service.function_count = sizeof functions / sizeof *functions;
  service.at_once = 2;
  service.end = &on_end;
  service.context = desk;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  GOOD(coracle_service_start(node, &options, &service));
}

static void values_and_failures(coracle_port* ann) {
  coracle_writer* const arguments = two_numbers(40, -2);
  const void* bytes = NULL;
  size_t size = 0;
  GOOD(coracle_writer_bytes(arguments, &bytes, &size));
  coracle_result* result = NULL;
  GOOD(coracle_call(ann, "server", "add", bytes, size, 0, &result, NULL));
  CHECK(number_in(result) == 38);
  const void* value = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_result_value(result, 1, &value, &size));
  coracle_result_free(result);
  FAILS(CORACLE_BAD_HANDLE, coracle_result_count(result, &size));
  coracle_writer_free(arguments);

  coracle_error* const refused = coracle_call(ann, "server", "refuse", NULL, 0, 0, &result, NULL);
  CHECK(coracle_error_code(refused) == CORACLE_REFUSED);
  CHECK(strstr(coracle_error_sentence(refused), "not today") != NULL);
  coracle_error_free(refused);
  FAILS(CORACLE_REFUSED, coracle_call(ann, "server", "forget", NULL, 0, 0, &result, NULL));
  FAILS(CORACLE_NO_SUCH_FUNCTION, coracle_call(ann, "server", "x", NULL, 0, 0, &result, NULL));
  FAILS(CORACLE_BAD_ENCODING, coracle_call(ann, "server", "add", "\x01", 1, 0, &result, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_call(ann, "server", "", NULL, 0, 0, &result, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_call(ann, "server", "add", NULL, 0, 0, NULL, NULL));
  GOOD(coracle_call_blindly(ann, "server", "nothing", NULL, 0, NULL));
  coracle_message* message = NULL;
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  CHECK(has_text(message, "it was done"));
  coracle_message_free(message);
}

static void late_answers(coracle_port* ann, struct desk* desk) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, &answer_later, desk) == 0);
  coracle_result* result = NULL;
  GOOD(coracle_call(ann, "server", "keep", NULL, 0, 0, &result, NULL));
  CHECK(number_in(result) == 42);
  coracle_result_free(result);
  CHECK(pthread_join(thread, NULL) == 0);
  FAILS(CORACLE_EXPIRED, coracle_call(ann, "server", "keep", NULL, 0, 1, &result, NULL));
}

static void misuse(coracle_node* node) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "wrong";
  coracle_service service = CORACLE_INIT(coracle_service);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_service_start(node, &options, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_service_start(node, &options, &service));
  const coracle_function twice[] = {{"a", &add, NULL}, {"a", &add, NULL}}, none = {"a", NULL, NULL};
  service.functions = twice;
  service.function_count = 2;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_service_start(node, &options, &service));
  service.functions = &none;
  service.function_count = 1;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_service_start(node, &options, &service));
  FAILS(CORACLE_BAD_HANDLE, coracle_answer_done(NULL));
}

int main(void) {
  coracle_node* const node = open_node();
  coracle_port* const ann = open_port(node, "ann");
  struct desk desk = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
  serve(node, "server", &desk);
  values_and_failures(ann);
  late_answers(ann, &desk);
  misuse(node);

  /* A question that is open when its node stops: its answer has no effect. */
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin begin = {loop, 1};
  GOOD(coracle_call(ann, "server", "keep", NULL, 0, 0, NULL, &begin));
  coracle_question* const open = take(&desk);
  coracle_port_close(ann);
  GOOD(coracle_node_stop(node, 0, NULL));
  CHECK(desk.ended == 1);
  FAILS(CORACLE_STOPPED, coracle_answer_done(open));
  FAILS(CORACLE_BAD_HANDLE, coracle_answer_done(open));
  coracle_loop_close(loop);
  coracle_node_close(node);
  return 0;
}
