/* A council of three friends decides where to eat. */
#include <coracle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", coracle_error_sentence(error));
  exit(1);
}

/* The context of a friend: what it likes, best first. */
static void propose(coracle_agent* self, coracle_question* question, const coracle_agenda* call,
                    void* context) {
  (void)self, (void)call;
  const char* const* const likes = context;
  check(coracle_answer_alternatives(question, likes, 1));
}

static void vote(coracle_agent* self, coracle_question* question, const coracle_agenda* agenda,
                 void* context) {
  (void)self;
  const char* const* const likes = context;
  uint32_t ranking[3];
  coracle_ballot ballot = CORACLE_INIT(coracle_ballot);
  ballot.ranking = ranking;
  for (int like = 0; like < 3; ++like) {
    for (uint32_t place = 0; place < agenda->alternatives.count; ++place) {
      if (strcmp(agenda->alternatives.texts[place], likes[like]) == 0)
        ranking[ballot.ranking_count++] = place;
    }
  }
  check(coracle_answer_ballot(question, &ballot));
}

int main(void) {
  static const char* likes[3][3] = {
      {"noodles", "soup", "pizza"}, {"pizza", "soup", "noodles"}, {"soup", "pizza", "noodles"}};
  const coracle_member members[] = {{.name = "ann"}, {.name = "bob"}, {.name = "cy"}};
  coracle_node* node = NULL;
  check(coracle_node_open(NULL, &node));
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  for (int number = 0; number < 3; ++number) {
    coracle_peer friend = CORACLE_INIT(coracle_peer);
    friend.propose = &propose;
    friend.vote = &vote;
    friend.context = likes[number];
    options.name = members[number].name;
    check(coracle_peer_start(node, &options, &friend));
  }
  coracle_council council = CORACLE_INIT(coracle_council);
  council.members = members;
  council.member_count = 3;
  council.rule = "schulze";
  options.name = "council";
  check(coracle_council_start(node, &options, &council));

  coracle_port* hungry = NULL;
  options.name = "hungry";
  check(coracle_port_open(node, &options, &hungry, NULL));
  coracle_motion motion = CORACLE_INIT(coracle_motion);
  motion.subject = "Where do we eat?";
  coracle_result* result = NULL;
  coracle_decision decision;
  check(coracle_decide(hungry, "council", &motion, 0, &result, NULL));
  check(coracle_result_decision(result, &decision));
  printf("%s %s\n", decision.subject, decision.winner);
  coracle_result_free(result);
  coracle_port_close(hungry);
  coracle_node_close(node);
  return 0;
}
