/* Operations that begin, and end as events: many on one descriptor. */
#include "check.h"

#include <poll.h>
#include <pthread.h>

enum { most = 64 };

static bool is_readable(coracle_loop* loop) {
  struct pollfd one = {.events = POLLIN};
  GOOD(coracle_loop_descriptor(loop, &one.fd));
  return poll(&one, 1, 0) == 1;
}

/* One thread acts for ports that send a token around. */
static void ring(coracle_node* node, coracle_loop* loop) {
  enum { members = 50, rounds = 20 };
  coracle_port* ports[members];
  char names[members][8];
  for (int number = 0; number < members; ++number) {
    snprintf(names[number], sizeof names[number], "m%d", number);
    ports[number] = open_port(node, names[number]);
    const coracle_begin receive = {loop, (uint64_t)number};
    GOOD(coracle_receive(ports[number], NULL, NULL, &receive));
  }
  coracle_post token = text_to(names[0], "token");
  GOOD(coracle_send(ports[members - 1], &token, NULL));
  for (int passed = 0; passed < members * rounds;) {
    coracle_event events[most];
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_NEVER, events, most, &count));
    for (size_t each = 0; each < count; ++each) {
      CHECK(events[each].error == NULL);
      if (events[each].message == NULL) continue; /* a send has ended */
      ++passed;
      coracle_message_free(events[each].message);
      const uint64_t at = events[each].key;
      token.to = names[(at + 1) % members];
      const coracle_begin send = {loop, 1000}, receive = {loop, at};
      GOOD(coracle_send(ports[at], &token, &send));
      GOOD(coracle_receive(ports[at], NULL, NULL, &receive));
    }
  }
  for (int number = 0; number < members; ++number) coracle_port_close(ports[number]);
}

static void descriptor_and_cancelling(coracle_node* node, coracle_loop* loop) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "ann";
  const coracle_begin open = {loop, 1};
  GOOD(coracle_port_open(node, &options, NULL, &open));
  coracle_event events[most];
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, events, most, &count));
  CHECK(count == 1 && events[0].error == NULL && events[0].key == 1);
  coracle_port* const ann = events[0].port;
  CHECK(!is_readable(loop));
  GOOD(coracle_loop_take(loop, events, most, &count));
  CHECK(count == 0);

  const coracle_begin receive = {loop, 2};
  GOOD(coracle_receive(ann, NULL, NULL, &receive));
  GOOD(coracle_cancel(loop, 2));
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, events, most, &count));
  CHECK(count == 1 && events[0].key == 2 && events[0].message == NULL);
  CHECK(coracle_error_code(events[0].error) == CORACLE_CANCELLED);
  coracle_error_free(events[0].error);
  GOOD(coracle_receive(ann, NULL, NULL, &receive));
  coracle_message* none = NULL;
  GOOD(coracle_try_receive(ann, NULL, &none)); /* so the receive has begun to wait */
  GOOD(coracle_cancel(loop, 2));
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, events, most, &count));
  CHECK(count == 1 && coracle_error_code(events[0].error) == CORACLE_CANCELLED);
  coracle_error_free(events[0].error);

  const coracle_post post = text_to("ann", "to myself");
  const coracle_begin send = {loop, 3};
  GOOD(coracle_send(ann, &post, &send));
  GOOD(coracle_receive(ann, NULL, NULL, &receive));
  size_t seen = 0;
  while (seen < 2) {
    GOOD(coracle_loop_wait(loop, CORACLE_NEVER, events, 1, &count));
    CHECK(count == 1 && events[0].error == NULL);
    coracle_message_free(events[0].message);
    ++seen;
  }
  GOOD(coracle_loop_take(loop, events, most, &count)); /* the end of the last message is work */
  CHECK(count == 0 && !is_readable(loop));

  /* A message that nobody has taken goes back when its port is closed. */
  GOOD(coracle_send(ann, &post, NULL));
  GOOD(coracle_receive(ann, NULL, NULL, &receive));
  struct pollfd one = {.events = POLLIN};
  GOOD(coracle_loop_descriptor(loop, &one.fd));
  CHECK(poll(&one, 1, -1) == 1);
  GOOD(coracle_loop_take(loop, NULL, 0, &count)); /* does what there is to do */
  CHECK(is_readable(loop));
  coracle_port_close(ann);
  coracle_port* const again = open_port(node, "ann");
  coracle_message* message = NULL;
  GOOD(coracle_receive(again, NULL, &message, NULL));
  CHECK(has_text(message, "to myself") && info_of(message).redelivered);
  coracle_message_free(message);
  GOOD(coracle_loop_take(loop, events, most, &count));
  CHECK(count == 1 && coracle_error_code(events[0].error) == CORACLE_STOPPED);
  coracle_error_free(events[0].error);
  coracle_port_close(again);
}

/* An event that was not taken when its loop was closed: its message goes back. */
static void closing(coracle_node* node, coracle_loop* loop) {
  coracle_port* const ann = open_port(node, "ann");
  const coracle_post post = text_to("ann", "to myself");
  GOOD(coracle_send(ann, &post, NULL));
  const coracle_begin receive = {loop, 1};
  GOOD(coracle_receive(ann, NULL, NULL, &receive));
  coracle_message* message = NULL;
  GOOD(coracle_try_receive(ann, NULL, &message)); /* so the receive has taken it */
  CHECK(message == NULL);
  coracle_loop_close(loop);
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  CHECK(has_text(message, "to myself") && info_of(message).redelivered);
  coracle_message_free(message);
  coracle_port_close(ann);
}

struct player {
  coracle_loop* loop;
  pthread_t thread;
  const char* other;
  int hits, ended;
};

static void serve(coracle_agent* self, void* context) {
  const coracle_post ball = text_to(((struct player*)context)->other, "ball");
  GOOD(coracle_agent_send(self, &ball));
}

static void hit(coracle_agent* self, const coracle_message* message, void* context) {
  struct player* const player = context;
  (void)message;
  CHECK(pthread_equal(player->thread, pthread_self()));
  coracle_event event;
  size_t count = 0;
  FAILS(CORACLE_WRONG_THREAD, coracle_loop_take(player->loop, &event, 1, &count));
  serve(self, context);
  if (++player->hits == 1000) GOOD(coracle_agent_end(self, NULL));
}

static void leave(void* context) { ((struct player*)context)->ended = 1; }

/* The agents of a node without threads run on the thread that takes the events. */
static void behaviours(coracle_node* node, coracle_loop* loop) {
  struct player ann = {loop, pthread_self(), "bob", 0, 0},
                bob = {loop, pthread_self(), "ann", 0, 0};
  coracle_behaviour behaviour = CORACLE_INIT(coracle_behaviour);
  behaviour.message = &hit;
  behaviour.end = &leave;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "bob";
  behaviour.context = &bob;
  GOOD(coracle_agent_start(node, &options, &behaviour));
  options.name = "ann";
  behaviour.begin = &serve;
  behaviour.context = &ann;
  GOOD(coracle_agent_start(node, &options, &behaviour));
  while (!ann.ended || !bob.ended) {
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_MILLISECONDS(1), NULL, 0, &count));
  }
  CHECK(ann.hits == 1000 && bob.hits == 1000);
}

/* Runs a test on a node with threads, or on one that the loop runs. */
static void test(void (*what)(coracle_node*, coracle_loop*), bool by_loop) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = "local:";
  if (by_loop) options.loop = loop;
  coracle_node* node = NULL;
  GOOD(coracle_node_open(&options, &node));
  what(node, loop);
  coracle_loop_close(loop);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
}

static void wrong_options(coracle_node* node, coracle_loop* loop) {
  (void)node;
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.loop = loop;
  options.workers = 1;
  coracle_node* none = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_node_open(&options, &none));
}

int main(void) {
  for (int by_loop = 0; by_loop < 2; ++by_loop) {
    test(&ring, by_loop);
    test(&descriptor_and_cancelling, by_loop);
    test(&closing, by_loop);
  }
  test(&behaviours, true);
  test(&wrong_options, true);
  return 0;
}
