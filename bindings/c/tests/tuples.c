/* Tuple spaces: tuples are stored, found by their form, waited for, and taken once. */
#include "check.h"

static coracle_field text_field(const char* text) {
  return (coracle_field){.kind = CORACLE_TEXT, .data = text, .size = strlen(text)};
}

static coracle_field integer_field(int64_t number) {
  return (coracle_field){.kind = CORACLE_INTEGER, .integer = number};
}

static coracle_field any_field(coracle_kind kind) {
  return (coracle_field){.kind = kind, .any = true};
}

/* The tuple is ("task", number, ...). */
static void is_task(coracle_tuple* tuple, int64_t number) {
  coracle_field field;
  GOOD(coracle_tuple_field(tuple, 0, &field));
  CHECK(field.kind == CORACLE_TEXT && field.size == 4 && memcmp(field.data, "task", 4) == 0);
  GOOD(coracle_tuple_field(tuple, 1, &field));
  CHECK(field.kind == CORACLE_INTEGER && field.integer == number);
  coracle_tuple_free(tuple);
}

static void taken_and_read(coracle_port* ann) {
  const coracle_field task[] = {text_field("task"), integer_field(7)};
  const coracle_field pattern[] = {text_field("task"), any_field(CORACLE_INTEGER)};
  coracle_tuple* tuple = NULL;
  GOOD(coracle_tuple_out(ann, "board", task, 2, 0, NULL));
  GOOD(coracle_tuple_rd(ann, "board", pattern, 2, 0, &tuple, NULL));
  is_task(tuple, 7);
  GOOD(coracle_tuple_rdp(ann, "board", pattern, 2, &tuple, NULL));
  is_task(tuple, 7);
  GOOD(coracle_tuple_inp(ann, "board", pattern, 2, &tuple, NULL));
  is_task(tuple, 7);
  GOOD(coracle_tuple_inp(ann, "board", pattern, 2, &tuple, NULL));
  CHECK(tuple == NULL);
  GOOD(coracle_tuple_rdp(ann, "board", pattern, 2, &tuple, NULL));
  CHECK(tuple == NULL);
  GOOD(coracle_tuple_in(ann, "board", pattern, 2, CORACLE_MILLISECONDS(1), &tuple, NULL));
  CHECK(tuple == NULL);
}

static void all_kinds(coracle_port* ann) {
  const coracle_field all[] = {{.kind = CORACLE_BOOLEAN, .integer = 1},
                               integer_field(INT64_MIN),
                               {.kind = CORACLE_NUMBER, .number = 0.5},
                               text_field(""),
                               {.kind = CORACLE_BYTES, .data = "a\0b", .size = 3}};
  const coracle_field pattern[] = {any_field(CORACLE_BOOLEAN), any_field(CORACLE_INTEGER),
                                   any_field(CORACLE_NUMBER), any_field(CORACLE_TEXT),
                                   any_field(CORACLE_BYTES)};
  coracle_tuple* tuple = NULL;
  GOOD(coracle_tuple_out(ann, "board", all, 5, 0, NULL));
  GOOD(coracle_tuple_in(ann, "board", pattern, 5, 0, &tuple, NULL));
  size_t count = 0;
  GOOD(coracle_tuple_count(tuple, &count));
  CHECK(count == 5);
  coracle_field field;
  GOOD(coracle_tuple_field(tuple, 0, &field));
  CHECK(field.kind == CORACLE_BOOLEAN && field.integer == 1);
  GOOD(coracle_tuple_field(tuple, 1, &field));
  CHECK(field.kind == CORACLE_INTEGER && field.integer == INT64_MIN);
  GOOD(coracle_tuple_field(tuple, 2, &field));
  CHECK(field.kind == CORACLE_NUMBER && field.number == 0.5);
  GOOD(coracle_tuple_field(tuple, 3, &field));
  CHECK(field.kind == CORACLE_TEXT && field.size == 0);
  GOOD(coracle_tuple_field(tuple, 4, &field));
  CHECK(field.kind == CORACLE_BYTES && field.size == 3 && memcmp(field.data, "a\0b", 3) == 0);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_field(tuple, 5, &field));
  coracle_tuple_free(tuple);
  FAILS(CORACLE_BAD_HANDLE, coracle_tuple_field(tuple, 0, &field));
}

static void waits_as_an_event(coracle_node* node, coracle_port* ann) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin begin = {loop, 3};
  const coracle_field pattern[] = {text_field("task"), any_field(CORACLE_INTEGER)};
  GOOD(coracle_tuple_in(ann, "board", pattern, 2, 0, NULL, &begin));
  coracle_port* const bob = open_port(node, "bob");
  const coracle_field task[] = {text_field("task"), integer_field(8)};
  GOOD(coracle_tuple_out(bob, "board", task, 2, CORACLE_SECONDS(60), NULL));
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(count == 1 && event.key == 3 && event.error == NULL);
  is_task(event.tuple, 8);
  coracle_port_close(bob);
  coracle_loop_close(loop);
}

/* A wait that is cancelled ends early, and takes nothing. */
static void cancelled(coracle_port* ann) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_field task[] = {text_field("task"), integer_field(9)};
  for (uint64_t key = 1; key <= 3; ++key) {
    const coracle_begin begin = {loop, key};
    if (key == 1) GOOD(coracle_tuple_in(ann, "board", task, 2, 0, NULL, &begin));
    if (key == 2) GOOD(coracle_tuple_rd(ann, "board", task, 2, CORACLE_SECONDS(60), NULL, &begin));
    if (key == 3) GOOD(coracle_tuple_out(ann, "nobody", task, 2, 0, &begin));
    coracle_tuple* none = NULL;
    GOOD(coracle_tuple_rdp(ann, "board", task, 2, &none, NULL)); /* so the other one has begun */
    GOOD(coracle_cancel(loop, key));
    coracle_event event;
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
    CHECK(count == 1 && coracle_error_code(event.error) == CORACLE_CANCELLED);
    coracle_error_free(event.error);
  }
  coracle_loop_close(loop);
  coracle_tuple* tuple = NULL;
  GOOD(coracle_tuple_out(ann, "board", task, 2, 0, NULL));
  GOOD(coracle_tuple_in(ann, "board", task, 2, CORACLE_SECONDS(20), &tuple, NULL));
  is_task(tuple, 9);
}

static void wrong_arguments(coracle_port* ann) {
  coracle_tuple* tuple = NULL;
  coracle_field many[17];
  for (int each = 0; each < 17; ++each) many[each] = integer_field(each);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_out(ann, "board", many, 17, 0, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_out(ann, "board", NULL, 2, 0, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_out(ann, "board", many, 0, 0, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_out(ann, "board", many, 2, -1, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_in(ann, "board", many, 2, 0, NULL, NULL));
  many[0].any = true;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_out(ann, "board", many, 1, 0, NULL));
  many[0].kind = (coracle_kind)99;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_tuple_in(ann, "board", many, 1, 0, &tuple, NULL));
  const coracle_field nobodys[] = {integer_field(2)};
  FAILS(CORACLE_REFUSED, coracle_tuple_eval(ann, "board", "double", nobodys, 1, NULL));
}

int main(void) {
  coracle_node* const node = open_node();
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "board";
  GOOD(coracle_space_start(node, &options));
  coracle_port* const ann = open_port(node, "ann");
  taken_and_read(ann);
  all_kinds(ann);
  waits_as_an_event(node, ann);
  cancelled(ann);
  wrong_arguments(ann);
  coracle_port_close(ann);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
  return 0;
}
