/* A pipeline: a source of lines, four agents that look for errors, and a sink that counts them. */
#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  exit(1);
}

/* Puts one line of a log; without a line, the stream ends. */
static void produce(coracle_agent* self, coracle_question* question, uint64_t number,
                    void* context) {
  (void)self, (void)context;
  if (number < 1000) {
    char line[32];
    snprintf(line, sizeof line, "GET /maps %d", number % 9 == 0 ? 404 : 200);
    coracle_writer* writer = NULL;
    const void* bytes = NULL;
    size_t size = 0;
    check(coracle_writer_open(&writer));
    check(coracle_write_text(writer, line, strlen(line)));
    check(coracle_writer_bytes(writer, &bytes, &size));
    check(coracle_question_put(question, bytes, size));
    coracle_writer_free(writer);
  }
  check(coracle_answer_done(question));
}

/* Passes on the lines that end with 404. */
static void process(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                    void* context) {
  (void)self, (void)context;
  coracle_reader* reader = NULL;
  const char* line = NULL;
  size_t length = 0;
  check(coracle_reader_open(item, size, &reader));
  check(coracle_read_text(reader, &line, &length));
  const bool is_error = length >= 3 && memcmp(line + length - 3, "404", 3) == 0;
  if (is_error) check(coracle_question_put(question, item, size));
  coracle_reader_free(reader);
  check(coracle_answer_done(question));
}

static void consume(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                    void* context) {
  (void)self, (void)item, (void)size;
  ++*(int*)context;
  check(coracle_answer_done(question));
}

static void finish(coracle_agent* self, const char* error, void* context) {
  if (error == NULL) printf("%d errors\n", *(int*)context);
  coracle_post post = CORACLE_INIT(coracle_post);
  post.to = "main";
  check(coracle_agent_send(self, &post));
}

int main(void) {
  coracle_node* node = NULL;
  check(coracle_node_open(NULL, &node));
  coracle_port* port = NULL;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "main";
  check(coracle_port_open(node, &options, &port, NULL));

  int errors = 0;
  coracle_source lines = CORACLE_INIT(coracle_source);
  lines.gives = "text/plain";
  lines.produce = &produce;
  coracle_filter find = CORACLE_INIT(coracle_filter);
  find.takes = find.gives = "text/plain";
  find.process = &process;
  coracle_sink count = CORACLE_INIT(coracle_sink);
  count.takes = "text/plain";
  count.consume = &consume;
  count.finish = &finish;
  count.context = &errors;
  const coracle_part kinds[] = {{.kind = "Lines", .source = &lines},
                                {.kind = "Find", .filter = &find},
                                {.kind = "Count", .sink = &count}};
  coracle_pipeline pipeline = CORACLE_INIT(coracle_pipeline);
  pipeline.name = "log";
  pipeline.text = "lines: Lines; find: Find * 4; count: Count; lines -> find -> count";
  pipeline.kinds = kinds;
  pipeline.kind_count = 3;
  options.name = "keeper";
  check(coracle_pipeline_start(node, &options, &pipeline));

  coracle_message* over = NULL;
  check(coracle_receive(port, NULL, &over, NULL));
  coracle_message_free(over);
  coracle_port_close(port);
  coracle_node_close(node);
  return 0;
}
