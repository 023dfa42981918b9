/* Wrong handles, handles after their end, bad arguments, fork(): an error each, and no crash. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static void handles(void) {
  coracle_node* const node = open_node();
  coracle_port* const ann = open_port(node, "ann");
  const coracle_post post = text_to("ann", "hello");
  FAILS(CORACLE_BAD_HANDLE, coracle_send(NULL, &post, NULL));
  FAILS(CORACLE_BAD_HANDLE, coracle_send((coracle_port*)node, &post, NULL));
  FAILS(CORACLE_BAD_HANDLE, coracle_send((coracle_port*)(uintptr_t)0x1234567, &post, NULL));
  FAILS(CORACLE_BAD_HANDLE, coracle_send((coracle_port*)UINTPTR_MAX, &post, NULL));
  GOOD(coracle_send(ann, &post, NULL));
  coracle_message* message = NULL;
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  coracle_message_free(message);
  coracle_message_free(message);
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  FAILS(CORACLE_BAD_HANDLE, coracle_message_read(message, &info));
  FAILS(CORACLE_BAD_HANDLE, coracle_message_give_back(message));
  FAILS(CORACLE_BAD_HANDLE, coracle_reply(ann, message, &post, NULL));

  /* A message outlives its node. */
  GOOD(coracle_send(ann, &post, NULL));
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  coracle_node_close(node);
  FAILS(CORACLE_STOPPED, coracle_send(ann, &post, NULL));
  CHECK(has_text(message, "hello"));
  coracle_message_free(message);
  coracle_port_close(ann);
  coracle_port_close(ann);
  coracle_node_close(node);
  FAILS(CORACLE_BAD_HANDLE, coracle_send(ann, &post, NULL));
  FAILS(CORACLE_BAD_HANDLE, coracle_node_stop(node, 0, NULL));
}

static void arguments(void) {
  FAILS(CORACLE_BAD_ARGUMENT, coracle_node_open(NULL, NULL));
  coracle_node* node = NULL;
  coracle_node_options options = {.size = 0};
  FAILS(CORACLE_BAD_ARGUMENT, coracle_node_open(&options, &node));
  options = CORACLE_INIT(coracle_node_options);
  options.realization = "nowhere:";
  FAILS(CORACLE_BAD_REALIZATION, coracle_node_open(&options, &node));
  node = open_node();
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* port = NULL;
  coracle_agent_options agent = CORACLE_INIT(coracle_agent_options);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_port_open(node, &agent, &port, NULL));
  agent.name = "ann";
  FAILS(CORACLE_NAME_TAKEN, coracle_port_open(node, &agent, &port, NULL));
  agent.name = "";
  FAILS(CORACLE_BAD_NAME, coracle_port_open(node, &agent, &port, NULL));
  agent.name = "bob";
  agent.overflow = (coracle_overflow)77;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_port_open(node, &agent, &port, NULL));

  FAILS(CORACLE_BAD_ARGUMENT, coracle_send(ann, NULL, NULL));
  coracle_post post = CORACLE_INIT(coracle_post);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_send(ann, &post, NULL));
  post = text_to("ann", "x");
  post.group = "choir";
  FAILS(CORACLE_BAD_ARGUMENT, coracle_send(ann, &post, NULL));
  post = text_to("ann", "x");
  post.content = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_send(ann, &post, NULL));
  post = text_to("ann", "x");
  post.expires = -1;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_send(ann, &post, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_receive(ann, NULL, NULL, NULL));

  /* A newer program on this library. */
  struct {
    coracle_post known;
    uint64_t unknown;
  } newer = {.known = text_to("ann", "x")};
  newer.known.size = sizeof newer;
  GOOD(coracle_send(ann, &newer.known, NULL));
  newer.unknown = 1;
  FAILS(CORACLE_UNSUPPORTED, coracle_send(ann, &newer.known, NULL));

  /* A place and a loop at once. */
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  coracle_message* message = NULL;
  const coracle_begin begin = {loop, 0};
  FAILS(CORACLE_BAD_ARGUMENT, coracle_receive(ann, NULL, &message, &begin));
  coracle_loop_close(loop);
  FAILS(CORACLE_BAD_HANDLE, coracle_receive(ann, NULL, NULL, &begin));
  size_t count = 0;
  FAILS(CORACLE_BAD_HANDLE, coracle_loop_take(loop, NULL, 0, &count));

  coracle_pattern pattern = CORACLE_INIT(coracle_pattern);
  pattern.source = "(";
  uint64_t tap = 0;
  FAILS(CORACLE_BAD_PATTERN, coracle_overhear(ann, &pattern, &tap, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_join(ann, NULL, 0, NULL));
  coracle_port_close(ann);
  coracle_node_close(node);
}

static void two_nodes(void) {
  coracle_node* const here = open_node();
  coracle_node* const there = open_node();
  coracle_port* const ann = open_port(here, "ann");
  coracle_port* const bob = open_port(there, "bob");
  const coracle_post post = text_to("ann", "hello");
  GOOD(coracle_send(ann, &post, NULL));
  coracle_message* message = NULL;
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_reply(bob, message, &post, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_refuse(bob, message, "no", NULL));
  coracle_message_free(message);
  coracle_port_close(ann);
  coracle_port_close(bob);
  coracle_node_close(here);
  coracle_node_close(there);
}

static void freeing_nothing(void) {
  coracle_error_free(NULL);
  coracle_message_free(NULL);
  coracle_receipt_free(NULL);
  coracle_entries_free(NULL);
  coracle_port_close(NULL);
  coracle_loop_close(NULL);
  coracle_node_close(NULL);
  CHECK(coracle_error_code(NULL) == CORACLE_OK);
}

static void after_fork(void) {
  coracle_node* const node = open_node();
  coracle_port* const ann = open_port(node, "ann");
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    const coracle_post post = text_to("ann", "hello");
    FAILS(CORACLE_FORKED, coracle_send(ann, &post, NULL));
    coracle_port_close(ann);
    coracle_node_close(node);
    _exit(0);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  coracle_port_close(ann);
  coracle_node_close(node);
}

int main(void) {
  handles();
  arguments();
  two_nodes();
  freeing_nothing();
  after_fork();
  return 0;
}
