/* Many messages in one receive. */
#include "check.h"

enum { sent = 10 };

static void send_ten(coracle_port* port) {
  for (int number = 0; number < sent; ++number) {
    const char text[] = {(char)('0' + number), 0};
    const coracle_post post = text_to("ann", text);
    GOOD(coracle_send(port, &post, NULL));
  }
}

/* Takes the messages with these texts from the list. */
static void takes(coracle_messages* list, const char* texts) {
  for (; *texts != 0; ++texts) {
    const char text[] = {*texts, 0};
    coracle_message* message = NULL;
    GOOD(coracle_messages_next(list, &message));
    CHECK(has_text(message, text));
    coracle_message_free(message);
  }
}

static void nothing_left(coracle_messages* list) {
  coracle_message* message = NULL;
  GOOD(coracle_messages_next(list, &message));
  CHECK(message == NULL);
  coracle_messages_free(list);
  FAILS(CORACLE_BAD_HANDLE, coracle_messages_next(list, &message));
}

static void oldest_first(coracle_port* ann) {
  coracle_messages* list = NULL;
  send_ten(ann);
  GOOD(coracle_receive_many(ann, NULL, 4, &list, NULL));
  takes(list, "0123");
  nothing_left(list);
  GOOD(coracle_receive_many(ann, NULL, 1000, &list, NULL));
  takes(list, "456789");
  nothing_left(list);
  coracle_match match = CORACLE_INIT(coracle_match);
  match.longest = CORACLE_MILLISECONDS(1);
  GOOD(coracle_receive_many(ann, &match, 10, &list, NULL));
  CHECK(list == NULL);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_receive_many(ann, NULL, 0, &list, NULL));
}

static void what_was_not_taken_goes_back(coracle_port* ann) {
  coracle_messages* list = NULL;
  send_ten(ann);
  GOOD(coracle_receive_many(ann, NULL, 6, &list, NULL));
  takes(list, "01");
  coracle_messages_free(list);
  GOOD(coracle_receive_many(ann, NULL, sent, &list, NULL));
  takes(list, "23456789");
  nothing_left(list);
}

static void as_an_event(coracle_node* node, coracle_port* ann) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin begin = {loop, 7};
  coracle_messages* list = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_receive_many(ann, NULL, 10, &list, &begin));
  GOOD(coracle_receive_many(ann, NULL, 10, NULL, &begin));
  coracle_port* const bob = open_port(node, "bob");
  send_ten(bob);
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(count == 1 && event.key == 7 && event.error == NULL && event.message == NULL);
  takes(event.messages, "0");
  nothing_left(event.messages);

  /* The port is closed before the program takes them: the next one gets them. */
  GOOD(coracle_receive_many(ann, NULL, 10, NULL, &begin));
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  takes(event.messages, "12");
  coracle_port_close(ann);
  coracle_port* const next = open_port(node, "ann");
  nothing_left(event.messages);
  GOOD(coracle_receive_many(next, NULL, sent, &list, NULL));
  takes(list, "3456789");
  nothing_left(list);
  coracle_port_close(next);
  coracle_port_close(bob);
  coracle_loop_close(loop);
}

int main(void) {
  coracle_node* const node = open_node();
  coracle_port* const ann = open_port(node, "ann");
  oldest_first(ann);
  what_was_not_taken_goes_back(ann);
  as_an_event(node, ann);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
  return 0;
}
