/* Log lines that wait for the program. */
#include "check.h"

#include <poll.h>

static void fall(coracle_agent* self, const coracle_message* message, void* context) {
  (void)message, (void)context;
  GOOD(coracle_agent_end(self, "it fell\n"));
}

/* Each of them causes one line. */
static void crash(coracle_node* node, coracle_port* port) {
  coracle_behaviour behaviour = CORACLE_INIT(coracle_behaviour);
  behaviour.message = &fall;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "robot";
  GOOD(coracle_agent_start(node, &options, &behaviour));
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin watch = {loop, 0};
  GOOD(coracle_watch(port, "robot", NULL, &watch));
  const coracle_post post = text_to("robot", "jump");
  GOOD(coracle_send(port, &post, NULL));
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(event.error == NULL && event.number == CORACLE_ENDED_CRASHED);
  coracle_loop_close(loop);
}

static bool has_lines(int descriptor) {
  struct pollfd one = {.fd = descriptor, .events = POLLIN};
  return poll(&one, 1, 0) == 1;
}

static bool take(coracle_log_line* line) {
  bool is_there = false;
  GOOD(coracle_log_next(line, &is_there));
  return is_there;
}

int main(void) {
  coracle_log_line line = CORACLE_INIT(coracle_log_line), no_line = {0};
  bool is_there = false;
  int descriptor = -1, other = -1;
  FAILS(CORACLE_BAD_HANDLE, coracle_log_next(&line, &is_there));
  GOOD(coracle_log_open(&descriptor));
  FAILS(CORACLE_LIMIT_REACHED, coracle_log_open(&other));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_log_next(&no_line, &is_there));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_log_set(NULL));
  FAILS(CORACLE_BAD_OPTIONS, coracle_log_set("loud"));
  GOOD(coracle_log_set("warning"));

  coracle_node* const node = open_node();
  coracle_port* const ann = open_port(node, "ann");
  CHECK(!has_lines(descriptor) && !take(&line));
  crash(node, ann);
  CHECK(has_lines(descriptor) && take(&line));
  CHECK(line.level == CORACLE_LOG_WARNING && strstr(line.text, "it fell\\n") != NULL);
  CHECK(strcmp(line.part, "node") == 0);
  CHECK(!has_lines(descriptor) && !take(&line));

  for (int number = 0; number < 1003; ++number) crash(node, ann);
  for (int number = 0; number < 1000; ++number) CHECK(has_lines(descriptor) && take(&line));
  CHECK(has_lines(descriptor) && take(&line));
  CHECK(strcmp(line.text, "3 lines of the log were lost") == 0);
  CHECK(!has_lines(descriptor) && !take(&line));

  GOOD(coracle_log_set("off"));
  crash(node, ann);
  CHECK(!take(&line));
  coracle_log_close();
  GOOD(coracle_log_open(&descriptor));
  coracle_log_close();
  coracle_log_close();
  coracle_port_close(ann);
  coracle_node_close(node);
  return 0;
}
