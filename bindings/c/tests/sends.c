/* Sends of an agent's function: many of them, to full mailboxes, and with contents that are passed
 * on. */
#include "check.h"

enum { all = 3000 };

static coracle_node* node;

static void start(const char* name,
                  void (*function)(coracle_agent*, const coracle_message*, void*)) {
  coracle_behaviour behaviour = CORACLE_INIT(coracle_behaviour);
  behaviour.message = function;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  GOOD(coracle_agent_start(node, &options, &behaviour));
}

static coracle_port* open_with_room(const char* name, uint32_t messages) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  options.mailbox_messages = messages;
  coracle_port* port = NULL;
  GOOD(coracle_port_open(node, &options, &port, NULL));
  return port;
}

static void expect(coracle_port* port, const char* text) {
  coracle_message* message = NULL;
  GOOD(coracle_receive(port, NULL, &message, NULL));
  CHECK(has_text(message, text));
  coracle_message_free(message);
}

static void count(coracle_agent* self, const coracle_message* message, void* context) {
  (void)context;
  const coracle_message_info info = info_of(message);
  for (int number = 0; number < all; ++number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    const coracle_post post = text_to(info.source, text);
    GOOD(coracle_agent_send(self, &post));
  }
}

/* However many: each comes once, in order, whether there is room for them at once or not. */
static void many(void) {
  start("counter", &count);
  for (uint32_t room = 1; room <= 2 * all; room += 2 * all - 1) {
    coracle_port* const ann = open_with_room("ann", room);
    const coracle_post post = text_to("counter", "begin");
    GOOD(coracle_send(ann, &post, NULL));
    for (int number = 0; number < all; ++number) {
      char text[16];
      snprintf(text, sizeof text, "%d", number);
      expect(ann, text);
    }
    coracle_match match = CORACLE_INIT(coracle_match);
    match.longest = CORACLE_MILLISECONDS(1);
    coracle_message* more = NULL;
    GOOD(coracle_receive(ann, &match, &more, NULL));
    CHECK(more == NULL);
    coracle_port_close(ann);
  }
}

/* Passes it on to bob, and tries what cannot be done. */
static void pass(coracle_agent* self, const coracle_message* message, void* context) {
  (void)context;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_agent_pass(self, NULL, "bob"));
  FAILS(CORACLE_BAD_NAME, coracle_agent_pass(self, message, "a\tname"));
  GOOD(coracle_agent_pass(self, message, "bob"));
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  FAILS(CORACLE_BAD_HANDLE, coracle_message_read(message, &info));
  FAILS(CORACLE_BAD_HANDLE, coracle_agent_pass(self, message, "bob"));
  coracle_post post = text_to(NULL, "");
  post.to_sender_of = message;
  FAILS(CORACLE_BAD_HANDLE, coracle_agent_send(self, &post));
}

static void pass_back(coracle_agent* self, const coracle_message* message, void* context) {
  (void)context;
  GOOD(coracle_agent_pass(self, message, NULL));
}

static void passing(void) {
  start("relay", &pass);
  start("wall", &pass_back);
  coracle_port *const ann = open_port(node, "ann"), *const bob = open_with_room("bob", 1);
  coracle_post post = text_to("relay", "1");
  post.type = "letter";
  post.conversation = 7;
  for (char number = '1'; number <= '3'; ++number) { /* the second and the third must wait */
    post.content = &number;
    GOOD(coracle_send(ann, &post, NULL));
  }
  for (char number = '1'; number <= '3'; ++number) {
    coracle_message* message = NULL;
    GOOD(coracle_receive(bob, NULL, &message, NULL));
    const coracle_message_info info = info_of(message);
    CHECK(info.content_size == 1 && *(const char*)info.content == number);
    CHECK(info.conversation == 7 && strcmp(info.type, "letter") == 0);
    CHECK(strcmp(info.source, "relay") == 0);
    coracle_message_free(message);
  }
  post = text_to("wall", "ball");
  GOOD(coracle_send(ann, &post, NULL));
  expect(ann, "ball");
  coracle_port_close(ann);
  coracle_port_close(bob);
}

int main(void) {
  node = open_node();
  many();
  passing();
  coracle_node_close(node);
  return 0;
}
