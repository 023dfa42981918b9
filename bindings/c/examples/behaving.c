/* An agent whose behaviour is a C function: it adds what it is sent, and replies to requests. */
#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  coracle_error_free(error);
  exit(1);
}

/* Is called on a worker for each message, one at a time. It must not wait. */
static void add(coracle_agent* self, const coracle_message* message, void* context) {
  long* const sum = context;
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  check(coracle_message_read(message, &info));
  if (!info.is_request) {
    char text[32] = "";
    if (info.content_size < sizeof text) memcpy(text, info.content, info.content_size);
    *sum += strtol(text, NULL, 10);
    return;
  }
  char text[32];
  coracle_post reply = CORACLE_INIT(coracle_post);
  reply.content = text;
  reply.content_size = (size_t)snprintf(text, sizeof text, "%ld", *sum);
  check(coracle_agent_reply(self, message, &reply));
}

int main(void) {
  coracle_node* node = NULL;
  check(coracle_node_open(NULL, &node));
  long sum = 0;
  coracle_behaviour adder = CORACLE_INIT(coracle_behaviour);
  adder.message = &add;
  adder.context = &sum;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "adder";
  check(coracle_agent_start(node, &options, &adder));

  options.name = "ann";
  coracle_port* ann = NULL;
  check(coracle_port_open(node, &options, &ann, NULL));
  const char* const numbers[] = {"19", "23"};
  coracle_post post = CORACLE_INIT(coracle_post);
  post.to = "adder";
  for (int number = 0; number < 2; ++number) {
    post.content = numbers[number];
    post.content_size = strlen(numbers[number]);
    check(coracle_send(ann, &post, NULL));
  }
  coracle_message* reply = NULL;
  check(coracle_ask(ann, &post, CORACLE_SECONDS(10), &reply, NULL));
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  check(coracle_message_read(reply, &info));
  printf("the sum is %.*s\n", (int)info.content_size, (const char*)info.content);
  coracle_message_free(reply);

  coracle_port_close(ann);
  coracle_node_close(node); /* the agent has ended; `sum` is no longer used */
  return 0;
}
