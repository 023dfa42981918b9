/* A role that answers later, from another thread, and ends with that answer. */
#include "roles.h"

#include <pthread.h>

struct keeper {
  coracle_question* kept;
  pthread_t thread;
};

static void* end_later(void* context) {
  struct keeper* const keeper = context;
  bool is_open = false;
  GOOD(coracle_question_end(keeper->kept));
  GOOD(coracle_question_end(keeper->kept)); /* once more changes nothing */
  GOOD(coracle_question_is_open(keeper->kept, &is_open));
  CHECK(is_open); /* it ends with the answer, not before */
  answer_number(keeper->kept, 7);
  FAILS(CORACLE_BAD_HANDLE, coracle_question_end(keeper->kept));
  return NULL;
}

static void answer(coracle_agent* self, coracle_question* question, const void* request,
                   size_t size, void* context) {
  (void)self, (void)request, (void)size;
  struct keeper* const keeper = context;
  keeper->kept = question;
  CHECK(pthread_create(&keeper->thread, NULL, &end_later, keeper) == 0);
}

static void test(coracle_node* node, coracle_loop* loop) {
  struct keeper keeper = {0};
  coracle_server server = CORACLE_INIT(coracle_server);
  server.takes = server.gives = "integer";
  server.answer = &answer;
  server.context = &keeper;
  coracle_agent_options name = named("keeper");
  GOOD(coracle_server_start(node, &name, &server));
  coracle_role* client = NULL;
  name = named("client");
  GOOD(coracle_client_start(node, &name, &client));
  coracle_port* const watcher = open_port(node, "watcher");
  const coracle_begin watch = {loop, 1};
  GOOD(coracle_watch(watcher, "keeper", NULL, &watch));

  const struct bytes value = number_bytes(1);
  coracle_request request = CORACLE_INIT(coracle_request);
  request.server = "keeper";
  request.type = "integer";
  request.value = value.data;
  request.value_size = value.size;
  coracle_result* result = NULL;
  GOOD(coracle_client_request(client, &request, &result, NULL));
  coracle_result_free(result);
  CHECK(pthread_join(keeper.thread, NULL) == 0);
  coracle_event event;
  size_t count = 0;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(event.key == 1 && event.error == NULL && event.number == CORACLE_ENDED_STOPPED);
  coracle_port_close(watcher);
  coracle_role_free(client);
}

int main(void) {
  for (int by_loop = 0; by_loop < 2; ++by_loop) {
    coracle_loop* loop = NULL;
    GOOD(coracle_loop_open(&loop));
    coracle_node_options options = CORACLE_INIT(coracle_node_options);
    options.realization = "local:";
    if (by_loop) options.loop = loop;
    coracle_node* node = NULL;
    GOOD(coracle_node_open(&options, &node));
    test(node, loop);
    GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
    coracle_node_close(node);
    coracle_loop_close(loop);
  }
  FAILS(CORACLE_BAD_HANDLE, coracle_question_end(NULL));
  return 0;
}
