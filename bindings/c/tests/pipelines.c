/* A pipeline in C: its order, its end, and its mistakes. */
#include "roles.h"

#include <pthread.h>

struct line {
  int64_t last; /* of the source's items */
  int64_t sum, taken;
  int fails_at;
  bool ends_early;
  bool source_ends;
  int ends_at;      /* the item behind which the filter ends the stream */
  int sink_ends_at; /* the same for the sink */
  int filter_finished;
  bool is_finished;
  char error[64];
  int ended;              /* sinks */
  int whole_ended;        /* pipelines */
  coracle_question* kept; /* that another thread answers */
  pthread_t thread;
  bool has_thread;
};

static void produce(coracle_agent* self, coracle_question* question, uint64_t number,
                    void* context) {
  (void)self;
  const struct line* const line = context;
  for (int64_t item = (int64_t)number; item < line->last && item < (int64_t)number + 10; ++item) {
    const struct bytes value = number_bytes(item);
    GOOD(coracle_question_put(question, value.data, value.size));
  }
  if (line->source_ends) GOOD(coracle_question_end(question));
  GOOD(coracle_answer_done(question));
}

static void* double_later(void* context) {
  struct line* const line = context;
  if (line->ends_early) GOOD(coracle_question_end(line->kept));
  GOOD(coracle_answer_done(line->kept));
  return NULL;
}

/* Gives each number twice, and answers the first from another thread. */
static void process(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                    void* context) {
  struct line* const line = context;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer(question, item, size));
  FAILS(CORACLE_BAD_ENCODING, coracle_question_put(question, "", 0));
  GOOD(coracle_question_put(question, item, size));
  GOOD(coracle_question_put(question, item, size));
  if (line->fails_at != 0 && number_in(item, size) == line->fails_at) {
    GOOD(coracle_question_refuse(question, "no further"));
    return;
  }
  if (line->ends_at != 0 && number_in(item, size) == line->ends_at)
    GOOD(coracle_agent_end(self, NULL));
  if (number_in(item, size) != 0) {
    GOOD(coracle_answer_done(question));
    return;
  }
  line->kept = question;
  line->has_thread = true;
  CHECK(pthread_create(&line->thread, NULL, &double_later, line) == 0);
}

static void add_last(coracle_agent* self, coracle_question* question, const char* error,
                     void* context) {
  (void)self;
  ++((struct line*)context)->filter_finished;
  if (error != NULL) return;
  const struct bytes value = number_bytes(1000000);
  GOOD(coracle_question_put(question, value.data, value.size));
}

static void consume(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                    void* context) {
  struct line* const line = context;
  const int64_t number = number_in(item, size);
  if (number != 1000000) CHECK(number == line->taken / 2); /* in order, each twice */
  FAILS(CORACLE_BAD_ARGUMENT, coracle_question_put(question, item, size));
  ++line->taken;
  line->sum += number;
  if (line->sink_ends_at != 0 && number == line->sink_ends_at) GOOD(coracle_agent_end(self, NULL));
  GOOD(coracle_answer_done(question));
}

static void finish(coracle_agent* self, const char* error, void* context) {
  struct line* const line = context;
  line->is_finished = true;
  if (error != NULL) snprintf(line->error, sizeof line->error, "%s", error);
  const coracle_post post = text_to("watcher", "over");
  GOOD(coracle_agent_send(self, &post));
}

static void on_end(void* context) { ++((struct line*)context)->ended; }

/* The last call of all. */
static void on_whole_end(void* context) {
  struct line* const line = context;
  CHECK(line->ended == 1);
  ++line->whole_ended;
}

static void run(coracle_node* node, struct line* line, const char* text) {
  coracle_source source = CORACLE_INIT(coracle_source);
  source.gives = "integer";
  source.produce = &produce;
  source.context = line;
  coracle_filter filter = CORACLE_INIT(coracle_filter);
  filter.takes = filter.gives = "integer";
  filter.process = &process;
  filter.finish = &add_last;
  filter.context = line;
  coracle_sink sink = CORACLE_INIT(coracle_sink);
  sink.takes = "integer";
  sink.consume = &consume;
  sink.finish = &finish;
  sink.end = &on_end;
  sink.context = line;
  const coracle_part kinds[] = {{.kind = "Numbers", .source = &source},
                                {.kind = "Twice", .filter = &filter},
                                {.kind = "Sum", .sink = &sink}};
  coracle_pipeline pipeline = CORACLE_INIT(coracle_pipeline);
  pipeline.name = "line";
  pipeline.text = text;
  pipeline.kinds = kinds;
  pipeline.kind_count = 3;
  pipeline.window = 64;
  pipeline.end = &on_whole_end;
  pipeline.context = line;
  coracle_port* const watcher = open_port(node, "watcher");
  const coracle_agent_options keeper = named("keeper");
  GOOD(coracle_pipeline_start(node, &keeper, &pipeline));
  if (line->sink_ends_at == 0) {
    coracle_message* message = NULL;
    GOOD(coracle_receive(watcher, NULL, &message, NULL));
    coracle_message_free(message);
  } else {
    coracle_end_reason reason;
    coracle_error* const gone = coracle_watch(watcher, "keeper", &reason, NULL);
    CHECK(gone == NULL || coracle_error_code(gone) == CORACLE_NO_SUCH_AGENT); /* ended before */
    coracle_error_free(gone);
  }
  CHECK(line->is_finished == (line->sink_ends_at == 0));
  coracle_port_close(watcher);
  if (line->has_thread) CHECK(pthread_join(line->thread, NULL) == 0);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  CHECK(line->whole_ended == 1);
}

static const char* const plain =
    "numbers: Numbers; twice: Twice; sum: Sum\nnumbers -> twice -> sum";

static void whole(coracle_node* node) {
  struct line line = {.last = 1000};
  run(node, &line, plain);
  CHECK(line.taken == 2001 && line.sum == 1000 * 999 + 1000000 && line.error[0] == '\0');
  CHECK(line.filter_finished == 1);
}

/* A refusal ends the stream at that item. */
static void failing(coracle_node* node) {
  struct line line = {.last = 1000, .fails_at = 100};
  run(node, &line, plain);
  CHECK(line.taken == 200 && strstr(line.error, "no further") != NULL);
  CHECK(line.filter_finished == 0);
}

/* A stage that ends the stream itself is not told that it is over; the others are. */
static void ending(coracle_node* node) {
  struct line line = {.last = 1000, .ends_at = 100};
  run(node, &line, plain);
  CHECK(line.taken == 202 && line.error[0] == '\0' && line.filter_finished == 0);
}

static void ending_at_the_sink(coracle_node* node) {
  struct line line = {.last = 1000000, .sink_ends_at = 100};
  run(node, &line, plain);
  CHECK(line.taken == 201 && line.filter_finished == 0);
}

/* The thread that answers the first item ends the stage behind it. */
static void ending_later(coracle_node* node) {
  struct line line = {.last = 1000, .ends_early = true};
  run(node, &line, plain);
  CHECK(line.taken == 2 && line.sum == 0);
}

/* The items of the last answer come, too. */
static void ending_at_the_source(coracle_node* node) {
  struct line line = {.last = 1000, .source_ends = true};
  run(node, &line, plain);
  CHECK(line.taken == 21 && line.error[0] == '\0' && line.filter_finished == 1);
}

static void wrong(coracle_node* node) {
  coracle_sink sink = CORACLE_INIT(coracle_sink);
  sink.takes = "text/plain";
  coracle_part kinds[] = {{.kind = "Numbers", .gives = "integer"},
                          {.kind = "Print", .sink = &sink}};
  struct line line = {0};
  coracle_pipeline pipeline = CORACLE_INIT(coracle_pipeline);
  pipeline.end = &on_whole_end;
  pipeline.context = &line;
  const coracle_agent_options keeper = named("keeper");
  FAILS(CORACLE_BAD_ARGUMENT, coracle_pipeline_start(node, &keeper, NULL));
  pipeline.name = "wrong";
  pipeline.kinds = kinds;
  pipeline.kind_count = 2;
  pipeline.text = "a: Numbers; b: Print; a -> b";
  FAILS(CORACLE_BAD_ARGUMENT, coracle_pipeline_start(node, &keeper, &pipeline)); /* no consume */
  sink.consume = &consume;
  FAILS(CORACLE_WRONG_TYPE, coracle_pipeline_start(node, &keeper, &pipeline));
  sink.takes = "integer";
  pipeline.text = "a: Nothing";
  FAILS(CORACLE_BAD_OPTIONS, coracle_pipeline_start(node, &keeper, &pipeline));
  kinds[0].gives = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_pipeline_start(node, &keeper, &pipeline));
  CHECK(line.whole_ended == 0); /* nothing had begun */
}

int main(void) {
  on_both_nodes(&whole);
  on_both_nodes(&failing);
  on_both_nodes(&ending);
  on_both_nodes(&ending_later);
  on_both_nodes(&ending_at_the_source);
  on_both_nodes(&ending_at_the_sink);
  on_both_nodes(&wrong);
  return 0;
}
