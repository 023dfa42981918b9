/* A cook of the kitchen, in C: `member REALIZATION NAME DISH PRICE`. It votes for its dish, bids
 * its price for cooking, and adds its name to each plate that passes. */
#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 64 };

struct cook {
  const char *name, *dish;
  int64_t price;
};

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  exit(1);
}

static void propose(coracle_agent* self, coracle_question* question, const coracle_agenda* call,
                    void* context) {
  (void)self, (void)call;
  const struct cook* const me = context;
  check(coracle_answer_alternatives(question, &me->dish, 1));
}

/* Its own dish first, then the others. */
static void vote(coracle_agent* self, coracle_question* question, const coracle_agenda* agenda,
                 void* context) {
  (void)self;
  const struct cook* const me = context;
  uint32_t ranking[most];
  coracle_ballot ballot = CORACLE_INIT(coracle_ballot);
  ballot.ranking = ranking;
  for (int own = 1; own >= 0; --own) {
    for (uint32_t each = 0; each < agenda->alternatives.count && each < most; ++each)
      if ((strcmp(agenda->alternatives.texts[each], me->dish) == 0) == own)
        ranking[ballot.ranking_count++] = each;
  }
  check(coracle_answer_ballot(question, &ballot));
}

static void bid(coracle_agent* self, coracle_question* question, const char* client,
                const coracle_contract* contract, void* context) {
  (void)self, (void)client, (void)contract;
  const coracle_offering whole = {.items = 1, .amount = ((const struct cook*)context)->price};
  coracle_bid offer = CORACLE_INIT(coracle_bid);
  offer.offerings = &whole;
  offer.offering_count = 1;
  check(coracle_answer_bid(question, &offer));
}

static void fulfil(coracle_agent* self, coracle_question* question,
                   const coracle_engagement* engagement, void* context) {
  (void)self;
  char text[256];
  snprintf(text, sizeof text, "%s cooked %s", ((const struct cook*)context)->name,
           engagement->contract->subject);
  check(coracle_answer_fulfilment(question, true, text));
}

static void process(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                    void* context) {
  (void)self;
  coracle_reader* reader = NULL;
  coracle_writer* writer = NULL;
  const char* plate = NULL;
  const void* bytes = NULL;
  size_t length = 0;
  check(coracle_reader_open(item, size, &reader));
  check(coracle_read_text(reader, &plate, &length));
  char text[256];
  const int used = snprintf(text, sizeof text, "%.*s %s", (int)length, plate,
                            ((const struct cook*)context)->name);
  check(coracle_writer_open(&writer));
  check(coracle_write_text(writer, text, (size_t)used));
  check(coracle_writer_bytes(writer, &bytes, &size));
  check(coracle_question_put(question, bytes, size));
  coracle_writer_free(writer);
  coracle_reader_free(reader);
  check(coracle_answer_done(question));
}

static void start_voter(coracle_node* node, const char* name, struct cook* me) {
  coracle_peer peer = CORACLE_INIT(coracle_peer);
  peer.propose = &propose;
  peer.vote = &vote;
  peer.context = me;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  check(coracle_peer_start(node, &options, &peer));
}

static void start_cook(coracle_node* node, const char* name, struct cook* me) {
  coracle_bidder bidder = CORACLE_INIT(coracle_bidder);
  bidder.bid = &bid;
  bidder.fulfil = &fulfil;
  bidder.context = me;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  check(coracle_bidder_start(node, &options, &bidder));
}

static void start_keeper(coracle_node* node, const char* name, struct cook* me) {
  coracle_filter filter = CORACLE_INIT(coracle_filter);
  filter.takes = filter.gives = "text/plain";
  filter.process = &process;
  filter.context = me;
  static const char* const names[] = {"orders", "cpp", "c", "python", "guile", "sbcl", "plates"};
  coracle_part kinds[7];
  memset(kinds, 0, sizeof kinds);
  for (int each = 0; each < 7; ++each) {
    kinds[each].kind = names[each];
    if (strcmp(names[each], me->name) == 0) kinds[each].filter = &filter;
    else if (each != 0) kinds[each].takes = "text/plain";
    if (kinds[each].filter == NULL && each != 6) kinds[each].gives = "text/plain";
  }
  coracle_pipeline pipeline = CORACLE_INIT(coracle_pipeline);
  pipeline.name = "chain";
  pipeline.text =
      "orders: orders; cpp: cpp; c: c; python: python; guile: guile; sbcl: sbcl; plates: plates;"
      "orders -> cpp -> c -> python -> guile -> sbcl -> plates";
  pipeline.kinds = kinds;
  pipeline.kind_count = 7;
  pipeline.only.texts = &me->name;
  pipeline.only.count = 1;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  check(coracle_pipeline_start(node, &options, &pipeline));
}

int main(int count, char** arguments) {
  if (count != 5) return fprintf(stderr, "usage: member REALIZATION NAME DISH PRICE\n"), 2;
  struct cook me = {arguments[2], arguments[3], atoll(arguments[4])};
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = arguments[1];
  coracle_node* node = NULL;
  check(coracle_node_open(&options, &node));
  char name[128];
  snprintf(name, sizeof name, "%s/voter", me.name);
  start_voter(node, name, &me);
  snprintf(name, sizeof name, "%s/cook", me.name);
  start_cook(node, name, &me);
  snprintf(name, sizeof name, "%s/keeper", me.name);
  start_keeper(node, name, &me);
  printf("%s is ready\n", me.name);
  fflush(stdout);
  while (getchar() != EOF) continue; /* until the input ends */
  check(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  coracle_node_close(node);
  return 0;
}
