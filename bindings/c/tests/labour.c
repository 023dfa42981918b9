/* Masters and slaves in C. */
#include "roles.h"

struct boss {
  uint64_t reported, done;
  int ended;
  bool counts;
};

static void square(coracle_agent* self, coracle_question* question, const void* task, size_t size,
                   void* context) {
  (void)self, (void)context;
  const int64_t number = number_in(task, size);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_question_end(question)); /* its master or its node ends it */
  answer_number(question, number * number);
}

/* Dies over its first task. */
static void die(coracle_agent* self, coracle_question* question, const void* task, size_t size,
                void* context) {
  (void)self, (void)task, (void)size;
  ++*(int*)context;
  coracle_question_free(question);
}

static void on_result(coracle_agent* self, uint64_t task, const void* value, size_t size,
                      void* context) {
  (void)self;
  struct boss* const boss = context;
  if (!boss->counts) return;
  CHECK(task == boss->reported++); /* in order */
  CHECK(number_in(value, size) == (int64_t)(task * task));
}

static void on_progress(coracle_agent* self, uint64_t done, uint64_t all, void* context) {
  (void)self;
  ((struct boss*)context)->done = done;
  CHECK(done <= all);
}

static void on_end(void* context) { ++((struct boss*)context)->ended; }

enum { tasks = 200 };

static const char* const names[] = {"s1", "s2", "s3"};

/* Two that work, and one that dies. */
static void start_slaves(coracle_node* node, int* deaths) {
  coracle_slave slave = CORACLE_INIT(coracle_slave);
  slave.takes = slave.gives = "integer";
  slave.context = deaths;
  for (int number = 0; number < 3; ++number) {
    const coracle_agent_options name = named(names[number]);
    slave.work = NULL;
    FAILS(CORACLE_BAD_ARGUMENT, coracle_slave_start(node, &name, &slave));
    slave.work = number == 2 ? &die : &square;
    GOOD(coracle_slave_start(node, &name, &slave));
  }
}

static coracle_role* start_master(coracle_node* node, struct boss* boss) {
  coracle_master master = CORACLE_INIT(coracle_master);
  master.task_type = master.result_type = "integer";
  master.slaves.texts = names;
  master.slaves.count = 3;
  master.result = &on_result;
  master.progress = &on_progress;
  master.end = &on_end;
  master.context = boss;
  coracle_role* role = NULL;
  const coracle_agent_options name = named("master");
  GOOD(coracle_master_start(node, &name, &master, &role));
  return role;
}

static void divide(coracle_role* role, const coracle_value* list) {
  coracle_division division = CORACLE_INIT(coracle_division);
  division.tasks = list;
  division.task_count = tasks;
  division.shares = CORACLE_FIXED;
  division.ordered = true;
  coracle_result* result = NULL;
  GOOD(coracle_master_divide(role, &division, &result, NULL));
  size_t count = 0;
  GOOD(coracle_result_count(result, &count));
  CHECK(count == tasks);
  for (size_t task = 0; task < count; ++task) {
    const void* value = NULL;
    size_t size = 0;
    GOOD(coracle_result_value(result, task, &value, &size));
    CHECK(number_in(value, size) == (int64_t)(task * task));
  }
  coracle_result_free(result);
}

/* Two divisions that begin together are done one after the other, by one slave. */
static void command(coracle_node* node, coracle_role* role, const coracle_value* list) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  coracle_division division = CORACLE_INIT(coracle_division);
  division.tasks = list;
  division.task_count = 1;
  division.slave = "s2";
  for (uint64_t key = 1; key <= 2; ++key) {
    const coracle_begin begin = {loop, key};
    GOOD(coracle_master_divide(role, &division, NULL, &begin));
  }
  for (int ended = 0; ended < 2;) {
    coracle_event event;
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_MILLISECONDS(1), &event, 1, &count));
    if (count == 0) {
      coracle_port* const turn = open_port(node, "turn"); /* takes turns where no thread does */
      coracle_port_close(turn);
      continue;
    }
    CHECK(event.error == NULL && event.result != NULL);
    coracle_result_free(event.result);
    ++ended;
  }
  coracle_loop_close(loop);
}

static void misuse(coracle_role* role, const coracle_value* list) {
  const coracle_value broken = {"\x82\x01", 2};
  coracle_division division = CORACLE_INIT(coracle_division);
  division.tasks = &broken;
  division.task_count = 1;
  coracle_result* result = NULL;
  FAILS(CORACLE_BAD_ENCODING, coracle_master_divide(role, &division, &result, NULL));
  division.tasks = list;
  division.slave = "stranger";
  FAILS(CORACLE_BAD_OPTIONS, coracle_master_divide(role, &division, &result, NULL));
  division.slave = "s1";
  division.task_count = 2;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_master_divide(role, &division, &result, NULL));
}

static void test(coracle_node* node) {
  int deaths = 0;
  struct boss boss = {0, 0, 0, true};
  struct bytes values[tasks];
  coracle_value list[tasks];
  for (int task = 0; task < tasks; ++task) {
    values[task] = number_bytes(task);
    list[task].value = values[task].data;
    list[task].size = values[task].size;
  }
  start_slaves(node, &deaths);
  coracle_role* const role = start_master(node, &boss);
  divide(role, list);
  CHECK(boss.reported == tasks && boss.done == tasks && deaths == 1);
  boss.counts = false;
  command(node, role, list);
  misuse(role, list);
  coracle_role_free(role);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  CHECK(boss.ended == 1);
}

int main(void) {
  on_both_nodes(&test);
  return 0;
}
