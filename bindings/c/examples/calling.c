/* A function that another agent calls by its name; it answers when it can. */
#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  exit(1);
}

/* The length of a way in nautical miles, given in metres. */
static void miles(coracle_agent* self, coracle_question* question, const void* arguments,
                  size_t size, void* context) {
  (void)self, (void)context;
  coracle_reader* reader = NULL;
  size_t count = 0;
  int64_t metres = 0;
  check(coracle_reader_open(arguments, size, &reader));
  check(coracle_read_array(reader, &count));
  coracle_error* const wrong = coracle_read_integer(reader, &metres);
  coracle_reader_free(reader);
  if (wrong != NULL) {
    check(coracle_question_refuse(question, coracle_error_sentence(wrong)));
    coracle_error_free(wrong);
    return;
  }
  coracle_writer* writer = NULL;
  const void* bytes = NULL;
  check(coracle_writer_open(&writer));
  check(coracle_write_integer(writer, metres / 1852));
  check(coracle_writer_bytes(writer, &bytes, &size));
  check(coracle_answer(question, bytes, size));
  coracle_writer_free(writer);
}

int main(void) {
  coracle_node* node = NULL;
  check(coracle_node_open(NULL, &node));
  const coracle_function functions[] = {{"miles", &miles, NULL}};
  coracle_service service = CORACLE_INIT(coracle_service);
  service.functions = functions;
  service.function_count = 1;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "navigator";
  check(coracle_service_start(node, &options, &service));

  coracle_port* captain = NULL;
  options.name = "captain";
  check(coracle_port_open(node, &options, &captain, NULL));
  coracle_writer* arguments = NULL;
  const void* bytes = NULL;
  size_t size = 0;
  check(coracle_writer_open(&arguments));
  check(coracle_write_array(arguments, 1));
  check(coracle_write_integer(arguments, 463000));
  check(coracle_write_end(arguments));
  check(coracle_writer_bytes(arguments, &bytes, &size));
  coracle_result* result = NULL;
  check(
      coracle_call(captain, "navigator", "miles", bytes, size, CORACLE_SECONDS(10), &result, NULL));
  coracle_writer_free(arguments);
  coracle_reader* reader = NULL;
  int64_t way = 0;
  check(coracle_result_value(result, 0, &bytes, &size));
  check(coracle_reader_open(bytes, size, &reader));
  check(coracle_read_integer(reader, &way));
  printf("it is %d miles to the island\n", (int)way);
  coracle_reader_free(reader);
  coracle_result_free(result);
  coracle_port_close(captain);
  coracle_node_close(node);
  return 0;
}
