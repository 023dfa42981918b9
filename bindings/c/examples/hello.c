/* Two agents of one program exchange messages; this thread acts for both. */
#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with the sentence of an error. */
static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  coracle_error_free(error);
  exit(1);
}

static coracle_port* join(coracle_node* node, const char* name) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  coracle_port* port = NULL;
  check(coracle_port_open(node, &options, &port, NULL));
  return port;
}

int main(void) {
  coracle_node* node = NULL;
  check(coracle_node_open(NULL, &node));
  coracle_port* const ann = join(node, "ann");
  coracle_port* const bob = join(node, "bob");

  coracle_post post = CORACLE_INIT(coracle_post);
  post.to = "bob";
  post.content = "Good morning";
  post.content_size = strlen(post.content);
  check(coracle_send(ann, &post, NULL));

  coracle_message* message = NULL;
  check(coracle_receive(bob, NULL, &message, NULL));
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  check(coracle_message_read(message, &info));
  printf("%s says: %.*s\n", info.source, (int)info.content_size, (const char*)info.content);
  coracle_message_free(message);

  coracle_port_close(ann);
  coracle_port_close(bob);
  check(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
  return 0;
}
