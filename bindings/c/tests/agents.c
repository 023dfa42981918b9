/* Agents as functions: a sum of what was sent, a failure, and calls where they do not belong. */
#include "check.h"

#include <stdatomic.h>

struct state {
  coracle_port* port;
  coracle_agent* self;
  const coracle_message* last;
  atomic_int begun, ended;
  long sum;
};

static void begin(coracle_agent* self, void* context) {
  struct state* const state = context;
  state->self = self;
  ++state->begun;
  coracle_message* message = NULL;
  FAILS(CORACLE_WRONG_THREAD, coracle_receive(state->port, NULL, &message, NULL));
}

static void message(coracle_agent* self, const coracle_message* message, void* context) {
  struct state* const state = context;
  char text[32] = "";
  const coracle_message_info info = info_of(message);
  CHECK(info.content_size < sizeof text);
  memcpy(text, info.content, info.content_size);
  coracle_message_free(
      (coracle_message*)(uintptr_t)message); /* does nothing: it is the library's */
  CHECK(info_of(message).sequence == info.sequence);
  coracle_message_info stale = CORACLE_INIT(coracle_message_info);
  FAILS(CORACLE_BAD_HANDLE, coracle_message_read(state->last, &stale)); /* its function returned */
  state->last = message;
  if (strcmp(text, "end") == 0) {
    GOOD(coracle_agent_end(self, NULL));
  } else if (strcmp(text, "fail") == 0) {
    GOOD(coracle_agent_end(self, "it was told to fail"));
  } else if (info.is_request) {
    snprintf(text, sizeof text, "%ld", state->sum);
    const coracle_post reply = text_to(NULL, text);
    GOOD(coracle_agent_reply(self, message, &reply));
  } else {
    state->sum += atol(text);
    const coracle_post post = text_to("log", text);
    GOOD(coracle_agent_send(self, &post));
  }
}

static void end(void* context) { ++((struct state*)context)->ended; }

static void start(coracle_node* node, const char* name, struct state* state) {
  coracle_behaviour behaviour = CORACLE_INIT(coracle_behaviour);
  behaviour.begin = &begin;
  behaviour.message = &message;
  behaviour.end = &end;
  behaviour.context = state;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  GOOD(coracle_agent_start(node, &options, &behaviour));
}

static void send(coracle_port* port, const char* text) {
  const coracle_post post = text_to("sum", text);
  GOOD(coracle_send(port, &post, NULL));
}

int main(void) {
  coracle_node* const node = open_node();
  coracle_agent_options small = CORACLE_INIT(coracle_agent_options);
  small.name = "log";
  small.mailbox_messages = 2; /* so that the agent's sends must wait */
  coracle_port* log = NULL;
  GOOD(coracle_port_open(node, &small, &log, NULL));
  coracle_port* const ann = open_port(node, "ann");
  struct state state = {.port = ann};
  start(node, "sum", &state);
  for (int number = 1; number <= 10; ++number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    send(ann, text);
  }
  for (int number = 1; number <= 10; ++number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    coracle_message* logged = NULL;
    GOOD(coracle_receive(log, NULL, &logged, NULL));
    CHECK(has_text(logged, text));
    coracle_message_free(logged);
  }
  const coracle_post question = text_to("sum", "how much?");
  coracle_message* reply = NULL;
  GOOD(coracle_ask(ann, &question, CORACLE_SECONDS(60), &reply, NULL));
  CHECK(has_text(reply, "55"));
  coracle_message_free(reply);
  const coracle_post post = text_to("log", "from another thread");
  FAILS(CORACLE_WRONG_THREAD, coracle_agent_send(state.self, &post));

  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const char* const last[] = {"end", "fail"};
  const coracle_end_reason reasons[] = {CORACLE_ENDED_STOPPED, CORACLE_ENDED_CRASHED};
  for (int turn = 0; turn < 2; ++turn) {
    const coracle_begin watch = {loop, 0};
    GOOD(coracle_watch(ann, "sum", NULL, &watch));
    send(ann, last[turn]);
    coracle_event event;
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
    CHECK(event.error == NULL && event.number == (uint64_t)reasons[turn]);
    while (state.ended <= turn) continue;
    FAILS(CORACLE_WRONG_THREAD, coracle_agent_send(state.self, &post));
    if (turn == 0) start(node, "sum", &state);
  }
  CHECK(state.begun == 2);
  start(node, "sum", &state);
  coracle_node_close(node); /* ends the last one */
  CHECK(state.ended == 3);
  coracle_loop_close(loop);
  coracle_port_close(log);
  coracle_port_close(ann);
  return 0;
}
