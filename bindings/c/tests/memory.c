/* Two agents exchange a million messages, and the program does not grow. */
#include "check.h"

#include <stdatomic.h>
#include <unistd.h>

enum { all = 1000000, warm = 200000 };

static atomic_long passed;
static coracle_post ball; /* is not changed while the agents play */

static void pass(coracle_agent* self, const coracle_message* message, void* context) {
  const long number = ++passed;
  coracle_post post = ball;
  post.to = number == 1 || number == warm + 1 ? context : "main";
  if (number != 1 && number != warm && number != warm + 1 && number != all) {
    post.to = NULL;
    post.to_sender_of = message;
  }
  GOOD(coracle_agent_send(self, &post));
}

static void start(coracle_node* node, const char* name, char* other) {
  coracle_behaviour behaviour = CORACLE_INIT(coracle_behaviour);
  behaviour.message = &pass;
  behaviour.context = other;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  GOOD(coracle_agent_start(node, &options, &behaviour));
}

static long resident_bytes(void) {
  FILE* const file = fopen("/proc/self/statm", "r");
  long size = 0, resident = 0;
  CHECK(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2);
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

int main(void) {
  coracle_node* const node = open_node();
  coracle_port* const port = open_port(node, "main");
  char ping[] = "ping", pong[] = "pong";
  start(node, ping, pong);
  start(node, pong, ping);
  ball = text_to("ping", "the ball");
  long before = 0;
  for (int half = 0; half < 2; ++half) {
    GOOD(coracle_send(port, &ball, NULL));
    coracle_message* message = NULL;
    GOOD(coracle_receive(port, NULL, &message, NULL));
    coracle_message_free(message);
    if (half == 0) before = resident_bytes();
  }
  CHECK(passed == all);
  CHECK(resident_bytes() - before < 1 << 20);
  coracle_port_close(port);
  coracle_node_close(node);
  return 0;
}
