/* Notices of tuples, and evaluations in C. */
#include "check.h"

static coracle_field text_field(const char* text) {
  const coracle_field field = {CORACLE_TEXT, false, 0, 0, text, strlen(text)};
  return field;
}

static coracle_field integer_field(int64_t value) {
  const coracle_field field = {CORACLE_INTEGER, false, value, 0, NULL, 0};
  return field;
}

static coracle_field any_field(coracle_kind kind) {
  const coracle_field field = {kind, true, 0, 0, NULL, 0};
  return field;
}

static int64_t integer_in(const coracle_tuple* tuple, size_t number) {
  coracle_field field;
  GOOD(coracle_tuple_field(tuple, number, &field));
  CHECK(field.kind == CORACLE_INTEGER);
  return field.integer;
}

static void notices(coracle_port* ann, coracle_port* bob) {
  const coracle_field pattern[] = {text_field("news"), any_field(CORACLE_INTEGER)};
  uint64_t number = 0, missed = 1;
  GOOD(coracle_tuple_notify(ann, "board", pattern, 2, 0, &number, NULL));
  for (int64_t day = 1; day <= 3; ++day) {
    const coracle_field news[] = {text_field("news"), integer_field(day)};
    const coracle_field other[] = {text_field("other"), integer_field(day)};
    GOOD(coracle_tuple_out(bob, "board", other, 2, 0, NULL));
    GOOD(coracle_tuple_out(bob, "board", news, 2, 0, NULL));
  }
  coracle_tuple* tuple = NULL;
  for (int64_t day = 1; day <= 2; ++day) {
    GOOD(coracle_tuple_next(ann, number, 0, &tuple, NULL));
    CHECK(integer_in(tuple, 1) == day);
    coracle_tuple_free(tuple);
  }
  GOOD(coracle_tuple_missed(ann, number, &missed, NULL));
  CHECK(missed == 0);
  GOOD(coracle_tuple_unnotify(ann, number, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_next(ann, number, 0, &tuple, NULL));
  coracle_message* message = NULL;
  GOOD(coracle_try_receive(ann, NULL, &message));
  CHECK(message == NULL);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_notify(ann, "board", pattern, 2, -1, &number, NULL));
}

/* A wait for a notice can be cancelled. */
static void cancelling(coracle_port* ann) {
  const coracle_field pattern[] = {text_field("news"), any_field(CORACLE_INTEGER)};
  uint64_t number = 0;
  GOOD(coracle_tuple_notify(ann, "board", pattern, 2, 0, &number, NULL));
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin begin = {loop, 1};
  GOOD(coracle_tuple_next(ann, number, 0, NULL, &begin));
  GOOD(coracle_cancel(loop, 1));
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(count == 1 && coracle_error_code(event.error) == CORACLE_CANCELLED);
  coracle_error_free(event.error);
  coracle_loop_close(loop);
  coracle_tuple* tuple = NULL;
  GOOD(coracle_tuple_next(ann, number, 1, &tuple, NULL));
  CHECK(tuple == NULL);
  GOOD(coracle_tuple_unnotify(ann, number, NULL));
}

static void square(coracle_agent* self, coracle_question* question, const coracle_field* arguments,
                   size_t count, void* context) {
  (void)self;
  CHECK(count == 1 && arguments[0].kind == CORACLE_INTEGER);
  ++*(int*)context;
  const coracle_field result[] = {text_field("square"), arguments[0],
                                  integer_field(arguments[0].integer * arguments[0].integer)};
  const coracle_field open = any_field(CORACLE_INTEGER);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_tuple(question, &open, 1));
  GOOD(coracle_answer_tuple(question, result, 3));
}

static void fail(coracle_agent* self, coracle_question* question, const coracle_field* arguments,
                 size_t count, void* context) {
  (void)self, (void)arguments, (void)count, (void)context;
  GOOD(coracle_question_fail(question, "no idea"));
}

static void evaluations(coracle_node* node, coracle_port* ann) {
  int squared = 0;
  const coracle_evaluation functions[] = {{"square", &square, NULL}, {"fail", &fail, NULL}};
  coracle_evaluator evaluator = CORACLE_INIT(coracle_evaluator);
  evaluator.space = "board";
  evaluator.evaluations = functions;
  evaluator.evaluation_count = 2;
  evaluator.context = &squared;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "clerk";
  GOOD(coracle_evaluator_start(node, &options, &evaluator));
  const coracle_field seven = integer_field(7);
  GOOD(coracle_tuple_eval(ann, "board", "square", &seven, 1, NULL));
  const coracle_field pattern[] = {text_field("square"), seven, any_field(CORACLE_INTEGER)};
  coracle_tuple* tuple = NULL;
  GOOD(coracle_tuple_in(ann, "board", pattern, 3, 0, &tuple, NULL));
  CHECK(integer_in(tuple, 2) == 49 && squared == 1);
  coracle_tuple_free(tuple);
  GOOD(coracle_tuple_eval(ann, "board", "fail", NULL, 0, NULL));
  const coracle_field failed[] = {text_field("eval failed"), text_field("fail"),
                                  text_field("no idea")};
  GOOD(coracle_tuple_in(ann, "board", failed, 3, 0, &tuple, NULL));
  coracle_tuple_free(tuple);

  evaluator.evaluation_count = 0;
  options.name = "wrong";
  FAILS(CORACLE_BAD_ARGUMENT, coracle_evaluator_start(node, &options, &evaluator));
  evaluator.space = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_evaluator_start(node, &options, &evaluator));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_evaluator_start(node, &options, NULL));
}

int main(void) {
  coracle_node* const node = open_node();
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "board";
  GOOD(coracle_space_start(node, &options));
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  notices(ann, bob);
  cancelling(ann);
  evaluations(node, ann);
  coracle_port_close(ann);
  coracle_port_close(bob);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
  return 0;
}
