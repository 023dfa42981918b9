/* One thread waits for messages of two agents, and for whatever else has a descriptor. */
#include <coracle.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  coracle_error_free(error);
  exit(1);
}

enum { members = 2 };
static const char* const names[members] = {"ping", "pong"};
static coracle_port* ports[members];

int main(void) {
  coracle_loop* loop = NULL;
  check(coracle_loop_open(&loop));
  coracle_node_options node_options = CORACLE_INIT(coracle_node_options);
  node_options.loop = loop; /* the node needs no thread of its own */
  coracle_node* node = NULL;
  check(coracle_node_open(&node_options, &node));

  /* Each receive ends with an event whose key is the member's number. */
  for (int number = 0; number < members; ++number) {
    coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
    options.name = names[number];
    check(coracle_port_open(node, &options, &ports[number], NULL));
    const coracle_begin begin = {loop, (uint64_t)number};
    check(coracle_receive(ports[number], NULL, NULL, &begin));
  }
  coracle_post ball = CORACLE_INIT(coracle_post);
  ball.to = "ping";
  ball.content = "the ball";
  ball.content_size = strlen(ball.content);
  check(coracle_send(ports[1], &ball, NULL));

  struct pollfd waits = {.events = POLLIN};
  check(coracle_loop_descriptor(loop, &waits.fd));
  for (int hits = 0; hits < 6;) {
    poll(&waits, 1, -1);
    coracle_event events[16];
    size_t count = 0;
    check(coracle_loop_take(loop, events, 16, &count));
    for (size_t each = 0; each < count; ++each) {
      check(events[each].error);
      if (events[each].message == NULL) continue; /* a send has ended */
      coracle_message_free(events[each].message);
      const int number = (int)events[each].key;
      printf("%s has the ball\n", names[number]);
      ++hits;
      ball.to = names[1 - number];
      const coracle_begin sent = {loop, members}, receives = {loop, (uint64_t)number};
      check(coracle_send(ports[number], &ball, &sent));
      check(coracle_receive(ports[number], NULL, NULL, &receives));
    }
  }

  coracle_loop_close(loop);
  for (int number = 0; number < members; ++number) coracle_port_close(ports[number]);
  coracle_node_close(node);
  return 0;
}
