/* Sends without waiting, streams, and events that the program picks. */
#include "check.h"

#include <poll.h>

enum { most = 16 };

static bool is_readable(coracle_loop* loop) {
  struct pollfd one = {.events = POLLIN};
  GOOD(coracle_loop_descriptor(loop, &one.fd));
  return poll(&one, 1, 0) == 1;
}

static coracle_event only_event(coracle_loop* loop) {
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(count == 1);
  return event;
}

static bool nothing_comes(coracle_loop* loop) {
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_take(loop, &event, 1, &count));
  return count == 0;
}

static void expect(coracle_event event, uint64_t key, const char* text) {
  CHECK(event.error == NULL && event.key == key && has_text(event.message, text));
  coracle_message_free(event.message);
}

static coracle_port* open_small(coracle_node* node, const char* name) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  options.mailbox_messages = 1;
  coracle_port* port = NULL;
  GOOD(coracle_port_open(node, &options, &port, NULL));
  return port;
}

/* A send that has no room says so, sends nothing, and overtakes no send that waits. */
static void sending(coracle_node* node, coracle_loop* loop) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_small(node, "bob");
  bool sent = false;
  coracle_post post = text_to("bob", "1");
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(sent);
  post = text_to("bob", "2");
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(!sent);
  const coracle_begin send = {loop, 2};
  GOOD(coracle_send(ann, &post, &send));
  CHECK(nothing_comes(loop));

  coracle_message* message = NULL;
  GOOD(coracle_try_receive(bob, NULL, &message));
  CHECK(has_text(message, "1"));
  post = text_to("bob", "3");
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(!sent); /* the second one has the room */
  coracle_message_free(message);
  const coracle_event end = only_event(loop);
  CHECK(end.key == 2 && end.error == NULL);
  GOOD(coracle_try_receive(bob, NULL, &message));
  CHECK(has_text(message, "2"));
  coracle_message_free(message);
  GOOD(coracle_try_receive(bob, NULL, &message));
  CHECK(message == NULL);

  post = text_to(NULL, "no target");
  FAILS(CORACLE_BAD_ARGUMENT, coracle_try_send(ann, &post, &sent));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_try_send(ann, &post, NULL));
  post = text_to("bob", "not now");
  post.to = NULL;
  post.group = "all";
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(!sent); /* a group is for coracle_send() */
  coracle_port_close(ann);
  coracle_port_close(bob);
  post = text_to("bob", "late");
  FAILS(CORACLE_BAD_HANDLE, coracle_try_send(ann, &post, &sent));
}

static void replying(coracle_node* node, coracle_loop* loop) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_post question = text_to("bob", "how much?"), answer = text_to(NULL, "7");
  const coracle_begin ask = {loop, 1};
  GOOD(coracle_ask(ann, &question, 0, NULL, &ask));
  coracle_message* message = NULL;
  GOOD(coracle_try_receive(bob, NULL, &message));
  bool sent = false;
  GOOD(coracle_try_reply(bob, message, &answer, &sent));
  CHECK(sent);
  coracle_message_free(message);
  expect(only_event(loop), 1, "7");
  coracle_port_close(ann);
  coracle_port_close(bob);
}

static void streams(coracle_node* node, coracle_loop* loop) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_stream *all = NULL, *from_bob = NULL;
  const coracle_begin first = {loop, 1}, second = {loop, 2};
  coracle_match match = CORACLE_INIT(coracle_match);
  match.from = "bob";
  GOOD(coracle_stream_open(ann, &match, &second, &from_bob));
  GOOD(coracle_stream_open(ann, NULL, &first, &all));

  const coracle_post one = text_to("ann", "one"), two = text_to("ann", "two");
  GOOD(coracle_send(bob, &one, NULL));
  CHECK(nothing_comes(loop)); /* nobody has asked for it */
  GOOD(coracle_stream_next(all));
  expect(only_event(loop), 1, "one");
  GOOD(coracle_stream_next(from_bob));
  GOOD(coracle_send(ann, &one, NULL));
  CHECK(nothing_comes(loop));
  GOOD(coracle_send(bob, &two, NULL));
  expect(only_event(loop), 2, "two");
  GOOD(coracle_stream_next(all));
  GOOD(coracle_stream_next(all));
  expect(only_event(loop), 1, "one");
  GOOD(coracle_send(bob, &two, NULL));
  expect(only_event(loop), 1, "two");

  /* A message that was asked for, and not taken, goes back when the stream ends. */
  GOOD(coracle_stream_next(all));
  GOOD(coracle_send(bob, &two, NULL));
  struct pollfd ready = {.events = POLLIN};
  GOOD(coracle_loop_descriptor(loop, &ready.fd));
  CHECK(poll(&ready, 1, -1) == 1);
  size_t count = 0;
  GOOD(coracle_loop_take(loop, NULL, 0, &count));
  CHECK(poll(&ready, 1, -1) == 1);
  coracle_stream_free(all);
  coracle_message* message = NULL;
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  CHECK(has_text(message, "two"));
  coracle_message_free(message);
  CHECK(nothing_comes(loop));
  FAILS(CORACLE_BAD_HANDLE, coracle_stream_next(all));

  /* The end of the port is the last event of a stream, and the only one. */
  GOOD(coracle_stream_next(from_bob));
  GOOD(coracle_stream_next(from_bob));
  coracle_port_close(ann);
  coracle_event end = only_event(loop);
  CHECK(end.key == 2 && coracle_error_code(end.error) == CORACLE_STOPPED);
  coracle_error_free(end.error);
  GOOD(coracle_stream_next(from_bob));
  CHECK(nothing_comes(loop));
  coracle_stream_free(from_bob);

  /* A stream may be cancelled, whether it waits for a message or for a wish. */
  for (int asks = 0; asks < 2; ++asks) {
    GOOD(coracle_stream_open(bob, NULL, &first, &all));
    if (asks) GOOD(coracle_stream_next(all));
    CHECK(nothing_comes(loop));
    GOOD(coracle_cancel(loop, 1));
    end = only_event(loop);
    CHECK(end.key == 1 && coracle_error_code(end.error) == CORACLE_CANCELLED);
    coracle_error_free(end.error);
    coracle_stream_free(all);
  }
  match.longest = 1;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_stream_open(bob, &match, &first, &all));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_stream_open(bob, NULL, NULL, &all));
  coracle_port_close(bob);
}

/* Events of calls on the loop's thread are picked; the descriptor tells of all others. */
static void picking(coracle_node* node, coracle_loop* loop) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_stream* stream = NULL;
  const coracle_begin begin = {loop, 1};
  GOOD(coracle_stream_open(ann, NULL, &begin, &stream));
  GOOD(coracle_loop_set_picking(loop, true));
  GOOD(coracle_stream_next(stream));
  bool sent = false;
  const coracle_post post = text_to("ann", "at once");
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(sent && !is_readable(loop));
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_pick(loop, &event, 1, &count));
  CHECK(count == 1);
  expect(event, 1, "at once");
  GOOD(coracle_loop_pick(loop, &event, 1, &count));
  CHECK(count == 0);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_loop_pick(loop, NULL, 1, &count));

  GOOD(coracle_loop_set_picking(loop, false));
  GOOD(coracle_stream_next(stream));
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(sent && is_readable(loop));
  expect(only_event(loop), 1, "at once");
  coracle_stream_free(stream);
  coracle_port_close(ann);
}

/* A message may be freed at any time, for example by a collector, and ends a request then. */
static void freeing(coracle_node* node, coracle_loop* loop) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  GOOD(coracle_loop_set_picking(loop, true));
  const coracle_post question = text_to("bob", "?");
  const coracle_begin ask = {loop, 1};
  GOOD(coracle_ask(ann, &question, 0, NULL, &ask));
  coracle_message* message = NULL;
  GOOD(coracle_try_receive(bob, NULL, &message));
  CHECK(nothing_comes(loop) && !is_readable(loop));
  coracle_message_free(message);
  CHECK(is_readable(loop));
  const coracle_event end = only_event(loop);
  CHECK(end.key == 1);
  FAILS(CORACLE_UNANSWERED, end.error);
  coracle_port_close(ann);
  coracle_port_close(bob);
}

static void test(void (*what)(coracle_node*, coracle_loop*), bool by_loop) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = "local:";
  if (by_loop) options.loop = loop;
  coracle_node* node = NULL;
  GOOD(coracle_node_open(&options, &node));
  what(node, loop);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
  coracle_loop_close(loop);
}

/* A node with threads never sends in place: another thread may have the turn. */
static void threads(coracle_node* node, coracle_loop* loop) {
  (void)loop;
  coracle_port* const ann = open_port(node, "ann");
  const coracle_post post = text_to("ann", "to myself");
  bool sent = true;
  GOOD(coracle_try_send(ann, &post, &sent));
  CHECK(!sent);
  coracle_port_close(ann);
}

int main(void) {
  test(&sending, true);
  test(&replying, true);
  test(&picking, true);
  test(&freeing, true);
  test(&threads, false);
  for (int by_loop = 0; by_loop < 2; ++by_loop) test(&streams, by_loop);
  return 0;
}
