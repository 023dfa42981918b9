/* Layers of behaviours in C: a lower one, and a higher one that suppresses it. */
#include "roles.h"

struct robot {
  int wandered, explored, driven;
  int64_t last;
  int ended, whole_ended;
};

static void on_end(void* context) { ++((struct robot*)context)->ended; }

/* The last call of all. */
static void on_whole_end(void* context) {
  struct robot* const robot = context;
  CHECK(robot->ended == 3);
  ++robot->whole_ended;
}

/* The call has failed because of an argument, and its sentence has this text. */
static void says(const char* text, coracle_error* error) {
  const char* const sentence = coracle_error_sentence(error);
  if (coracle_error_code(error) != CORACLE_BAD_ARGUMENT || strstr(sentence, text) == NULL) {
    fprintf(stderr, "not in the sentence: %s: %s\n", text, sentence);
    exit(1);
  }
  coracle_error_free(error);
}

/* Layer 0: sends 1 every millisecond. */
static void wander(coracle_agent* self, coracle_question* question, void* context) {
  (void)self;
  ++((struct robot*)context)->wandered;
  const struct bytes one = number_bytes(1);
  says("no output \"x\"; it has \"wish\"",
       coracle_question_signal(question, "x", one.data, one.size));
  const void* nothing = NULL;
  size_t size = 0;
  says("no input \"wish\"; it has none",
       coracle_question_input(question, "wish", &nothing, &size, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_question_put(question, one.data, one.size));
  GOOD(coracle_question_signal(question, "wish", one.data, one.size));
  GOOD(coracle_question_alarm(question, CORACLE_MILLISECONDS(1)));
  GOOD(coracle_answer_done(question));
}

/* Layer 1: waits for its first alarm, sends 2, and rests. */
static void explore(coracle_agent* self, coracle_question* question, void* context) {
  struct robot* const robot = context;
  bool rang = false;
  GOOD(coracle_question_alarm_rang(question, &rang));
  if (!rang) {
    GOOD(coracle_question_alarm(question, CORACLE_MILLISECONDS(20)));
  } else {
    ++robot->explored;
    const struct bytes two = number_bytes(2);
    GOOD(coracle_question_signal(question, "wish", two.data, two.size));
    GOOD(coracle_agent_end(self, NULL));
  }
  GOOD(coracle_answer_done(question));
}

static void drive(coracle_agent* self, coracle_question* question, void* context) {
  struct robot* const robot = context;
  const void* wish = NULL;
  size_t size = 0;
  bool is_fresh = false;
  says("no input \"x\\x0a\"; it has \"wish\"",
       coracle_question_input(question, "x\n", &wish, &size, &is_fresh));
  GOOD(coracle_question_input(question, "wish", &wish, &size, &is_fresh));
  if (wish != NULL) {
    CHECK(is_fresh);
    ++robot->driven;
    const int64_t number = number_in(wish, size);
    if (number == 1) CHECK(robot->last != 2); /* suppressed for ever */
    robot->last = number;
    if (number == 2) {
      const coracle_post post = text_to("watcher", "explored");
      GOOD(coracle_agent_send(self, &post));
    }
  }
  GOOD(coracle_answer_done(question));
}

static void test(coracle_node* node) {
  struct robot robot = {0};
  coracle_port* const watcher = open_port(node, "watcher");
  const coracle_terminal output = {"wish", "integer", false}, input = {"wish", "integer", true},
                         nameless = {NULL, "integer", false};
  coracle_layer layers[3];
  for (int number = 0; number < 3; ++number) {
    layers[number] = CORACLE_INIT(coracle_layer);
    layers[number].terminals = number == 2 ? &input : &output;
    layers[number].terminal_count = 1;
    layers[number].end = &on_end;
    layers[number].context = &robot;
  }
  layers[0].name = "wander";
  layers[0].react = &wander;
  layers[1].name = "explore";
  layers[1].layer = 1;
  layers[1].react = &explore;
  layers[2].name = "body";
  layers[2].react = &drive;
  coracle_wire wires[] = {
      {"wander.wish", "body.wish", CORACLE_SIGNALS, 0},
      {"explore.wish", "body.wish", CORACLE_SUPPRESSES, CORACLE_SECONDS(1000)},
  };
  coracle_subsumption network = CORACLE_INIT(coracle_subsumption);
  network.name = "robot";
  network.layers = layers;
  network.layer_count = 3;
  network.wires = wires;
  network.wire_count = 2;
  network.end = &on_whole_end;
  network.context = &robot;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_subsumption_start(node, NULL));
  wires[1].to = "body.nothing";
  FAILS(CORACLE_BAD_OPTIONS, coracle_subsumption_start(node, &network));
  wires[1].to = "body.wish";
  wires[1].effect = (coracle_effect)9;
  says("from \"explore.wish\" to \"body.wish\": `effect`",
       coracle_subsumption_start(node, &network));
  wires[1].effect = CORACLE_SUPPRESSES;
  wires[1].constant = -1;
  says("\"body.wish\": `constant`", coracle_subsumption_start(node, &network));
  wires[1].constant = CORACLE_SECONDS(1000);
  layers[1].terminals = &nameless;
  says("\"explore\", terminal 0: `name` is NULL", coracle_subsumption_start(node, &network));
  layers[1].terminals = &output;
  GOOD(coracle_subsumption_start(node, &network));
  coracle_message* message = NULL;
  GOOD(coracle_receive(watcher, NULL, &message, NULL));
  coracle_message_free(message);
  coracle_port_close(watcher);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  CHECK(robot.explored == 1 && robot.wandered > 0 && robot.driven > 1 && robot.last == 2);
  CHECK(robot.whole_ended == 1);
}

int main(void) {
  on_both_nodes(&test);
  return 0;
}
