#include "c_side.h"

#include "../roles.h"

static coracle_node* node;

static void halve(coracle_agent* self, coracle_question* question, const void* request, size_t size,
                  void* context) {
  (void)self, (void)context;
  answer_number(question, number_in(request, size) / 2);
}

static void square(coracle_agent* self, coracle_question* question, const void* task, size_t size,
                   void* context) {
  (void)self, (void)context;
  const int64_t number = number_in(task, size);
  answer_number(question, number * number);
}

static void add(coracle_agent* self, coracle_question* question, const void* arguments, size_t size,
                void* context) {
  (void)self, (void)context;
  coracle_reader* reader = NULL;
  GOOD(coracle_reader_open(arguments, size, &reader));
  size_t count = 0;
  GOOD(coracle_read_array(reader, &count));
  int64_t sum = 0;
  for (size_t each = 0; each < count; ++each) {
    int64_t number = 0;
    GOOD(coracle_read_integer(reader, &number));
    sum += number;
  }
  coracle_reader_free(reader);
  answer_number(question, sum);
}

static void bid(coracle_agent* self, coracle_question* question, const char* client,
                const coracle_contract* contract, void* context) {
  (void)self, (void)client, (void)context;
  CHECK(contract->items.count == 2 && strcmp(contract->items.texts[1], "down") == 0);
  const coracle_offering both = {3, 10};
  coracle_bid made = CORACLE_INIT(coracle_bid);
  made.offerings = &both;
  made.offering_count = 1;
  GOOD(coracle_answer_bid(question, &made));
}

static void fulfil(coracle_agent* self, coracle_question* question,
                   const coracle_engagement* engagement, void* context) {
  (void)self, (void)context;
  CHECK(engagement->items == 3 && engagement->price == 10);
  GOOD(coracle_answer_fulfilment(question, true, "done in C"));
}

static void vote(coracle_agent* self, coracle_question* question, const coracle_agenda* agenda,
                 void* context) {
  (void)self, (void)context;
  CHECK(agenda->alternatives.count == 2);
  const uint32_t second[] = {1};
  coracle_ballot ballot = CORACLE_INIT(coracle_ballot);
  ballot.ranking = second;
  ballot.ranking_count = 1;
  GOOD(coracle_answer_ballot(question, &ballot));
}

static void twice(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                  void* context) {
  (void)self, (void)context;
  GOOD(coracle_question_put(question, item, size));
  GOOD(coracle_question_put(question, item, size));
  GOOD(coracle_answer_done(question));
}

static void start_pipeline(void) {
  coracle_filter filter = CORACLE_INIT(coracle_filter);
  filter.takes = filter.gives = "text/plain";
  filter.process = &twice;
  const coracle_part kinds[] = {{.kind = "Words", .gives = "text/plain"},
                                {.kind = "Twice", .filter = &filter},
                                {.kind = "Collect", .takes = "text/plain"}};
  const char* const ours[] = {"twice"};
  coracle_pipeline pipeline = CORACLE_INIT(coracle_pipeline);
  pipeline.name = "p";
  pipeline.text = "words: Words; twice: Twice; collect: Collect; words -> twice -> collect";
  pipeline.kinds = kinds;
  pipeline.kind_count = 3;
  pipeline.only.texts = ours;
  pipeline.only.count = 1;
  const coracle_agent_options keeper = named("c/keeper");
  GOOD(coracle_pipeline_start(node, &keeper, &pipeline));
}

void start_c_side(const char* realization) {
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = realization;
  GOOD(coracle_node_open(&options, &node));
  coracle_server server = CORACLE_INIT(coracle_server);
  server.takes = server.gives = "integer";
  server.answer = &halve;
  coracle_agent_options name = named("c/halver");
  GOOD(coracle_server_start(node, &name, &server));
  const coracle_function functions[] = {{"add", &add, NULL}};
  coracle_service service = CORACLE_INIT(coracle_service);
  service.functions = functions;
  service.function_count = 1;
  name = named("c/service");
  GOOD(coracle_service_start(node, &name, &service));
  coracle_bidder bidder = CORACLE_INIT(coracle_bidder);
  bidder.capacity = 2;
  bidder.bid = &bid;
  bidder.fulfil = &fulfil;
  name = named("c/bidder");
  GOOD(coracle_bidder_start(node, &name, &bidder));
  coracle_peer peer = CORACLE_INIT(coracle_peer);
  peer.vote = &vote;
  name = named("c/peer");
  GOOD(coracle_peer_start(node, &name, &peer));
  coracle_slave slave = CORACLE_INIT(coracle_slave);
  slave.takes = slave.gives = "integer";
  slave.work = &square;
  name = named("c/slave");
  GOOD(coracle_slave_start(node, &name, &slave));
  start_pipeline();
}

static void check_number(coracle_result* result, int64_t wanted) {
  const void* value = NULL;
  size_t size = 0;
  GOOD(coracle_result_value(result, 0, &value, &size));
  CHECK(number_in(value, size) == wanted);
  coracle_result_free(result);
}

static void ask_server(void) {
  coracle_role* client = NULL;
  const coracle_agent_options name = named("c/client");
  GOOD(coracle_client_start(node, &name, &client));
  const struct bytes number = number_bytes(42);
  coracle_request request = CORACLE_INIT(coracle_request);
  request.service = "halves in C++";
  request.type = "integer";
  request.value = number.data;
  request.value_size = number.size;
  request.lane = 2;
  coracle_result* result = NULL;
  GOOD(coracle_client_request(client, &request, &result, NULL));
  check_number(result, 21);
  coracle_role_free(client);
}

static void announce(void) {
  coracle_role* client = NULL;
  const coracle_agent_options name = named("c/contracts");
  GOOD(coracle_contract_client_start(node, &name, NULL, &client));
  coracle_contract contract = CORACLE_INIT(coracle_contract);
  contract.subject = "a hole";
  const char* const bidders[] = {"cpp/bidder"};
  coracle_tender tender = CORACLE_INIT(coracle_tender);
  tender.bidders.texts = bidders;
  tender.bidders.count = 1;
  coracle_result* result = NULL;
  GOOD(coracle_announce(client, &contract, &tender, &result, NULL));
  coracle_settlement settlement;
  GOOD(coracle_result_settlement(result, &settlement));
  CHECK(settlement.ended == CORACLE_FULFILLED && settlement.part_count == 1);
  CHECK(strcmp(settlement.parts[0].result, "done in C++") == 0);
  coracle_result_free(result);
  coracle_role_free(client);
}

void act_from_c(void) {
  ask_server();
  announce();
  coracle_port* const port = open_port(node, "c/port");
  coracle_result* result = NULL;
  GOOD(coracle_call(port, "cpp/service", "add", "\x82\x01\x02", 3, 0, &result, NULL));
  check_number(result, 3);
  FAILS(CORACLE_WRONG_TYPE,
        coracle_call(port, "cpp/service", "add", "\x81\x61x", 3, 0, &result, NULL));
  const char* const alternatives[] = {"left", "right"};
  coracle_motion motion = CORACLE_INIT(coracle_motion);
  motion.subject = "where";
  motion.alternatives.texts = alternatives;
  motion.alternatives.count = 2;
  GOOD(coracle_decide(port, "cpp/council", &motion, 0, &result, NULL));
  coracle_decision decision;
  GOOD(coracle_result_decision(result, &decision));
  CHECK(decision.decided && strcmp(decision.winner, "right") == 0);
  coracle_result_free(result);
  coracle_port_close(port);
}

void stop_c_side(void) {
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
}
