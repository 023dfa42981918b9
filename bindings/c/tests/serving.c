/* Servers and clients of DisPeL in C. */
#include "roles.h"

static void half(coracle_agent* self, coracle_question* question, const void* request, size_t size,
                 void* context) {
  (void)self;
  ++*(int*)context;
  const int64_t number = number_in(request, size);
  if (number % 2 != 0) {
    GOOD(coracle_question_refuse(question, "it is odd"));
    return;
  }
  answer_number(question, number / 2);
}

static void greet(coracle_agent* self, coracle_question* question, const void* request, size_t size,
                  void* context) {
  (void)context;
  CHECK(is_text(request, size, "hello"));
  GOOD(coracle_agent_end(self, NULL));
  const struct bytes reply = text_bytes("good bye");
  GOOD(coracle_answer(question, reply.data, reply.size));
}

static void break_down(coracle_agent* self, coracle_question* question, const void* request,
                       size_t size, void* context) {
  (void)self, (void)request, (void)size, (void)context;
  GOOD(coracle_question_fail(question, "its spring is broken"));
}

static coracle_request request_of(const struct bytes* value, const char* type) {
  coracle_request request = CORACLE_INIT(coracle_request);
  request.type = type;
  request.value = value->data;
  request.value_size = value->size;
  return request;
}

static int64_t number_of(coracle_result* result) {
  const void* value = NULL;
  size_t size = 0;
  GOOD(coracle_result_value(result, 0, &value, &size));
  const int64_t number = number_in(value, size);
  coracle_result_free(result);
  return number;
}

static void test(coracle_node* node) {
  int served = 0;
  coracle_server server = CORACLE_INIT(coracle_server);
  server.takes = server.gives = "integer";
  server.service = "halves";
  server.context = &served;
  coracle_agent_options name = named("halver");
  FAILS(CORACLE_BAD_ARGUMENT, coracle_server_start(node, &name, &server));
  server.answer = &half;
  GOOD(coracle_server_start(node, &name, &server));
  coracle_role* client = NULL;
  name = named("client");
  GOOD(coracle_client_start(node, &name, &client));

  /* By its name, by its service, and in another lane. */
  struct bytes value = number_bytes(42);
  coracle_request request = request_of(&value, "integer");
  coracle_result* result = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_client_request(client, &request, &result, NULL));
  request.server = "halver";
  GOOD(coracle_client_request(client, &request, &result, NULL));
  CHECK(number_of(result) == 21);
  request.server = NULL;
  request.service = "halves";
  request.lane = 3;
  request.within = CORACLE_SECONDS(10);
  GOOD(coracle_client_request(client, &request, &result, NULL));
  CHECK(number_of(result) == 21 && served == 2);
  value = number_bytes(43);
  coracle_error* const refused = coracle_client_request(client, &request, &result, NULL);
  CHECK(coracle_error_code(refused) == CORACLE_REFUSED);
  CHECK(strstr(coracle_error_sentence(refused), "it is odd") != NULL);
  coracle_error_free(refused);

  /* Text is a content of its own; the server ends in order. */
  server.takes = server.gives = "text/plain";
  server.service = NULL;
  server.answer = &greet;
  name = named("greeter");
  GOOD(coracle_server_start(node, &name, &server));
  value = text_bytes("hello");
  request = request_of(&value, "text/plain");
  request.server = "greeter";
  GOOD(coracle_client_request(client, &request, &result, NULL));
  const void* bytes = NULL;
  size_t size = 0;
  GOOD(coracle_result_value(result, 0, &bytes, &size));
  CHECK(is_text(bytes, size, "good bye"));
  coracle_result_free(result);

  /* A failure ends a server. */
  server.answer = &break_down;
  name = named("broken");
  GOOD(coracle_server_start(node, &name, &server));
  request.server = "broken";
  request.attempts = 1; /* otherwise it would wait for the next holder of the name */
  FAILS(CORACLE_AGENT_FAILED, coracle_client_request(client, &request, &result, NULL));

  coracle_division division = CORACLE_INIT(coracle_division);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_master_divide(client, &division, &result, NULL));
  coracle_role_free(client);
  coracle_role_free(client);
  FAILS(CORACLE_BAD_HANDLE, coracle_client_request(client, &request, &result, NULL));
}

int main(void) {
  on_both_nodes(&test);
  return 0;
}
