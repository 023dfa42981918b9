/* Arbiters and planners in C: two clients that want a lamp at different heights. */
#include "roles.h"

struct client {
  int64_t wish;
  int judged, outcomes;
};

struct world {
  int64_t height;
  int prepared, performed, finished;
};

/* Moves are "up" and "down", and states are heights. */
static void apply(coracle_question* question, const char* state, const char* move, void* context) {
  FAILS(CORACLE_BAD_ARGUMENT, coracle_question_end(question)); /* no agent asks it */
  (void)context;
  const long height = strtol(state, NULL, 10);
  char next[32];
  if (strcmp(move, "up") == 0) {
    snprintf(next, sizeof next, "%ld", height + 1);
    FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_step(question, next, -1, true));
    GOOD(coracle_answer_step(question, next, 1, true));
  } else if (strcmp(move, "down") == 0) {
    GOOD(coracle_question_refuse(question, "the lamp only goes up"));
  }
  /* any other move has no answer, and is illegal */
}

static void prepare(coracle_agent* self, coracle_question* question, const coracle_plan* plan,
                    void* context) {
  (void)self;
  struct world* const world = context;
  if (world->prepared++ == 0) { /* a request that is withdrawn later leads to another plan */
    CHECK(strcmp(plan->start, "0") == 0);
    CHECK(plan->moves.count == 2 && plan->clients.count == 2);
  }
  GOOD(coracle_answer_text(question, NULL));
}

static void perform(coracle_agent* self, coracle_question* question, const char* move,
                    const char* state, int64_t cost, void* context) {
  (void)self;
  struct world* const world = context;
  CHECK(strcmp(move, "up") == 0 && cost == 1);
  ++world->performed;
  world->height = strtol(state, NULL, 10);
  GOOD(coracle_answer_text(question, NULL));
}

static void on_finished(coracle_agent* self, const coracle_plan_progress* last, void* context) {
  struct world* const world = context;
  CHECK(last->done && strlen(last->fault) == 0);
  ++world->finished;
  const coracle_post post = text_to("watcher", "finished");
  GOOD(coracle_agent_send(self, &post));
}

static void judge(coracle_agent* self, coracle_question* question, const char* arbiter,
                  const coracle_plan_node* node, void* context) {
  (void)self;
  struct client* const client = context;
  ++client->judged;
  CHECK(strcmp(arbiter, "lamp") == 0);
  const int64_t height = strtol(node->state, NULL, 10);
  const int64_t distance = height < client->wish ? client->wish - height : height - client->wish;
  coracle_worth worth = {-distance, -distance, node->cost, 0, false};
  if (height < client->wish) {
    worth.best = 0;
    worth.ends = node->cost + distance;
  }
  const char* const moves[] = {"up", "down", "sing"};
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_judgement(question, NULL, moves, 1));
  GOOD(coracle_answer_judgement(question, &worth, moves, height < client->wish ? 3 : 0));
}

static void on_outcome(coracle_agent* self, const char* arbiter,
                       const coracle_plan_outcome* outcome, void* context) {
  (void)self, (void)arbiter;
  CHECK(outcome->agreed);
  ++((struct client*)context)->outcomes;
}

static void start_arbiter(coracle_node* node, struct world* world) {
  coracle_arbiter arbiter = CORACLE_INIT(coracle_arbiter);
  arbiter.state = "0";
  arbiter.clients = 2;
  arbiter.gather = CORACLE_SECONDS(60);
  arbiter.prepare = &prepare;
  arbiter.perform = &perform;
  arbiter.finished = &on_finished;
  arbiter.context = world;
  const coracle_agent_options options = named("lamp");
  FAILS(CORACLE_BAD_ARGUMENT, coracle_arbiter_start(node, &options, &arbiter));
  arbiter.apply = &apply;
  arbiter.rule = "by shouting";
  FAILS(CORACLE_BAD_OPTIONS, coracle_arbiter_start(node, &options, &arbiter));
  arbiter.rule = "mutual";
  GOOD(coracle_arbiter_start(node, &options, &arbiter));
}

static void start_planners(coracle_node* node, struct client* clients, coracle_role** roles) {
  for (int number = 0; number < 2; ++number) {
    coracle_planner planner = CORACLE_INIT(coracle_planner);
    const coracle_agent_options options = named(number == 0 ? "ann" : "bob");
    FAILS(CORACLE_BAD_ARGUMENT, coracle_planner_start(node, &options, &planner, &roles[number]));
    planner.judge = &judge;
    planner.outcome = &on_outcome;
    planner.context = &clients[number];
    GOOD(coracle_planner_start(node, &options, &planner, &roles[number]));
  }
}

static void test(coracle_node* node) {
  coracle_port* const watcher = open_port(node, "watcher");
  struct world world = {0, 0, 0, 0};
  struct client clients[2] = {{.wish = 2}, {.wish = 2}};
  coracle_role* roles[2];
  start_arbiter(node, &world);
  start_planners(node, clients, roles);
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  coracle_plan_request request = CORACLE_INIT(coracle_plan_request);
  request.goal = "light";
  request.otherwise = -10;
  request.begins_at_go = true;
  const char* const first[] = {"up"};
  request.moves.texts = first;
  request.moves.count = 1;
  coracle_result* result = NULL;
  const coracle_begin begin = {loop, 1};
  GOOD(coracle_planner_request(roles[0], "lamp", &request, 0, NULL, &begin));
  request.begins_at_go = false;
  GOOD(coracle_planner_request(roles[1], "lamp", &request, 0, &result, NULL));
  coracle_plan_outcome outcome;
  GOOD(coracle_result_outcome(result, &outcome));
  CHECK(outcome.agreed && outcome.plan.moves.count == 2 && outcome.plan.is_mutual);
  CHECK(outcome.plan.scores[0] == 0 && outcome.plan.scores[1] == 0);
  coracle_decision none;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_result_decision(result, &none));
  coracle_result_free(result);
  coracle_event event;
  size_t count = 0;
  while (count == 0) {
    GOOD(coracle_loop_wait(loop, CORACLE_MILLISECONDS(1), &event, 1, &count));
    uint64_t number = 0;
    GOOD(coracle_new_conversation(watcher, &number, NULL)); /* takes turns where no thread does */
  }
  CHECK(event.error == NULL && event.result != NULL);
  coracle_result_free(event.result);
  GOOD(coracle_planner_go(roles[0], "lamp", NULL));
  coracle_message* message = NULL;
  GOOD(coracle_receive(watcher, NULL, &message, NULL));
  coracle_message_free(message);
  GOOD(coracle_planner_withdraw(roles[0], "lamp", NULL));
  coracle_role_free(roles[0]);
  coracle_role_free(roles[1]);
  coracle_port_close(watcher);
  coracle_loop_close(loop);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  CHECK(world.height == 2 && world.performed == 2 && world.prepared >= 1);
  CHECK(clients[0].judged > 0 && clients[0].outcomes >= 1 && clients[1].outcomes >= 1);
}

int main(void) {
  on_both_nodes(&test);
  return 0;
}
