/* Bidders and clients of contracts in C. */
#include "roles.h"

struct carrier {
  int64_t price;
  bool fails;
  int asked, worked, rejected, settled;
};

static void bid(coracle_agent* self, coracle_question* question, const char* client,
                const coracle_contract* contract, void* context) {
  (void)self;
  struct carrier* const carrier = context;
  ++carrier->asked;
  CHECK(strcmp(client, "client") == 0 && strcmp(contract->kind, "transport") == 0);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_fulfilment(question, true, NULL));
  if (carrier->price == 0) {
    GOOD(coracle_answer_bid(question, NULL));
    return;
  }
  const coracle_offering offering = {1, carrier->price};
  coracle_bid made = CORACLE_INIT(coracle_bid);
  made.offering_count = 1;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_bid(question, &made));
  made.offerings = &offering;
  GOOD(coracle_answer_bid(question, &made));
}

static void fulfil(coracle_agent* self, coracle_question* question,
                   const coracle_engagement* engagement, void* context) {
  (void)self;
  struct carrier* const carrier = context;
  ++carrier->worked;
  CHECK(engagement->items == 1 && engagement->price == carrier->price);
  CHECK(strcmp(engagement->contract->subject, "a piano") == 0);
  bool is_open = false;
  GOOD(coracle_question_is_open(question, &is_open));
  CHECK(is_open);
  if (carrier->fails) GOOD(coracle_answer_fulfilment(question, false, "it fell"));
  else GOOD(coracle_answer_fulfilment(question, true, "it is there"));
}

static void on_rejection(coracle_agent* self, const char* client, uint64_t contract,
                         const char* reason, void* context) {
  (void)self, (void)client, (void)contract, (void)reason;
  ++((struct carrier*)context)->rejected;
}

static void on_settled(coracle_agent* self, const char* client, uint64_t contract, int64_t price,
                       int64_t penalty, void* context) {
  (void)self, (void)client, (void)contract, (void)price, (void)penalty;
  ++((struct carrier*)context)->settled;
}

static const char* const names[] = {"dear", "cheap", "clumsy", "lazy"};

static coracle_role* start(coracle_node* node, struct carrier* carriers) {
  for (int number = 0; number < 4; ++number) {
    coracle_bidder bidder = CORACLE_INIT(coracle_bidder);
    bidder.bid = &bid;
    bidder.fulfil = &fulfil;
    bidder.rejected = &on_rejection;
    bidder.settled = &on_settled;
    bidder.context = &carriers[number];
    const coracle_agent_options options = named(names[number]);
    GOOD(coracle_bidder_start(node, &options, &bidder));
  }
  coracle_contract_client client = CORACLE_INIT(coracle_contract_client);
  coracle_role* role = NULL;
  const coracle_agent_options options = named("client");
  GOOD(coracle_contract_client_start(node, &options, &client, &role));
  return role;
}

/* The cheapest fails, so the next one does it; the one that declines is not asked to work. */
static void transport(coracle_node* node) {
  struct carrier carriers[4] = {
      {.price = 90}, {.price = 50}, {.price = 20, .fails = true}, {.price = 0}};
  coracle_role* const client = start(node, carriers);
  coracle_contract contract = CORACLE_INIT(coracle_contract);
  contract.kind = "transport";
  contract.subject = "a piano";
  coracle_tender tender = CORACLE_INIT(coracle_tender);
  tender.bidders.texts = names;
  tender.bidders.count = 4;
  tender.rule = "lowest";
  tender.keep_bids = true;
  coracle_result* result = NULL;
  GOOD(coracle_announce(client, &contract, &tender, &result, NULL));
  coracle_settlement settlement;
  GOOD(coracle_result_settlement(result, &settlement));
  CHECK(settlement.ended == CORACLE_FULFILLED && settlement.part_count == 1);
  CHECK(strcmp(settlement.parts[0].bidder, "cheap") == 0 && settlement.parts[0].price == 50);
  CHECK(strcmp(settlement.parts[0].result, "it is there") == 0);
  coracle_decision none;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_result_decision(result, &none));
  coracle_result_free(result);

  /* Nobody is asked. */
  tender.bidders.count = 0;
  GOOD(coracle_announce(client, &contract, &tender, &result, NULL));
  GOOD(coracle_result_settlement(result, &settlement));
  CHECK(settlement.ended == CORACLE_NO_BIDS && settlement.part_count == 0);
  coracle_result_free(result);
  tender.rule = "loudest";
  FAILS(CORACLE_BAD_OPTIONS, coracle_announce(client, &contract, &tender, &result, NULL));
  tender.rule = NULL;
  contract.bid_within = -1;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_announce(client, &contract, &tender, &result, NULL));
  contract.bid_within = CORACLE_SECONDS(60); /* longer than bids hold */
  FAILS(CORACLE_BAD_OPTIONS, coracle_announce(client, &contract, &tender, &result, NULL));
  coracle_role_free(client);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  for (int number = 0; number < 4; ++number) CHECK(carriers[number].asked == 1);
  CHECK(carriers[0].worked == 0 && carriers[0].rejected == 1);
  CHECK(carriers[1].worked == 1 && carriers[1].settled == 1);
  CHECK(carriers[2].worked == 1 && carriers[3].worked == 0);
}

int main(void) {
  on_both_nodes(&transport);
  return 0;
}
