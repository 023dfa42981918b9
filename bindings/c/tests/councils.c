/* Councils and peers in C. */
#include "roles.h"

struct friend {
  const char* likes[3];
  int proposed, voted, decided, refused;
  bool is_late; /* it keeps the question */
  coracle_question* kept;
};

static void propose(coracle_agent* self, coracle_question* question, const coracle_agenda* call,
                    void* context) {
  (void)self;
  struct friend* const friend = context;
  ++friend->proposed;
  CHECK(strcmp(call->subject, "Where do we eat?") == 0 && call->alternatives.count == 0);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_ballot(question, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_answer_alternatives(question, NULL, 1));
  GOOD(coracle_answer_alternatives(question, friend->likes, 1));
}

static void vote(coracle_agent* self, coracle_question* question, const coracle_agenda* agenda,
                 void* context) {
  (void)self;
  struct friend* const friend = context;
  ++friend->voted;
  if (friend->is_late) {
    friend->kept = question;
    return;
  }
  uint32_t ranking[3];
  coracle_ballot ballot = CORACLE_INIT(coracle_ballot);
  ballot.ranking = ranking;
  for (size_t like = 0; like < 3; ++like) {
    for (size_t place = 0; place < agenda->alternatives.count; ++place) {
      if (strcmp(agenda->alternatives.texts[place], friend->likes[like]) == 0)
        ranking[ballot.ranking_count++] = (uint32_t)place;
    }
  }
  GOOD(coracle_answer_ballot(question, &ballot));
}

static void on_decision(coracle_agent* self, const coracle_decision* decision, void* context) {
  (void)self;
  CHECK(decision->decided);
  ++((struct friend*)context)->decided;
}

static void on_refusal(coracle_agent* self, const coracle_refusal* refusal, void* context) {
  (void)self;
  CHECK(strlen(refusal->reason) > 0);
  ++((struct friend*)context)->refused;
}

static const char* const names[] = {"ann", "bob", "cy"};

static void start(coracle_node* node, struct friend* friends, coracle_council* council) {
  coracle_member members[3] = {{.name = "ann"}, {.name = "bob"}, {.name = "cy"}};
  for (int number = 0; number < 3; ++number) {
    coracle_peer peer = CORACLE_INIT(coracle_peer);
    peer.propose = &propose;
    peer.vote = &vote;
    peer.decision = &on_decision;
    peer.refused = &on_refusal;
    peer.context = &friends[number];
    const coracle_agent_options options = named(names[number]);
    GOOD(coracle_peer_start(node, &options, &peer));
  }
  council->members = members;
  council->member_count = 3;
  const coracle_agent_options options = named("council");
  GOOD(coracle_council_start(node, &options, council));
}

static void on_end(void* context) { ++*(int*)context; }

static void lunch(coracle_node* node) {
  struct friend friends[3] = {{.likes = {"noodles", "soup", "pizza"}},
                              {.likes = {"pizza", "soup", "noodles"}},
                              {.likes = {"soup", "pizza", "noodles"}}};
  coracle_council council = CORACLE_INIT(coracle_council);
  council.rule = "schulze";
  council.ties = "second:borda,lexical";
  int ended = 0;
  council.end = &on_end;
  council.context = &ended;
  start(node, friends, &council);
  coracle_port* const asker = open_port(node, "asker");
  coracle_motion motion = CORACLE_INIT(coracle_motion);
  motion.subject = "Where do we eat?";
  coracle_result* result = NULL;
  GOOD(coracle_decide(asker, "council", &motion, 0, &result, NULL));
  coracle_decision decision;
  GOOD(coracle_result_decision(result, &decision));
  CHECK(decision.decided && strcmp(decision.winner, "soup") == 0);
  CHECK(decision.co_winners.count == 1 && strcmp(decision.subject, motion.subject) == 0);
  coracle_settlement none;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_result_settlement(result, &none));
  coracle_result_free(result);
  motion.subject = NULL;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_decide(asker, "council", &motion, 0, &result, NULL));
  coracle_port_close(asker);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  CHECK(ended == 1);
  for (int number = 0; number < 3; ++number) {
    CHECK(friends[number].proposed == 1 && friends[number].voted == 1);
    CHECK(friends[number].decided == 1 && friends[number].refused == 0);
  }
}

/* A vote that comes after the council has decided is refused, and the peer goes on. */
static void late_vote(coracle_node* node) {
  struct friend friends[3] = {{.likes = {"noodles", "soup", "pizza"}},
                              {.likes = {"noodles", "pizza", "soup"}},
                              {.likes = {"soup", "pizza", "noodles"}, .is_late = true}};
  coracle_council council = CORACLE_INIT(coracle_council);
  council.vote_within = CORACLE_MILLISECONDS(50);
  start(node, friends, &council);
  coracle_port* const asker = open_port(node, "asker");
  coracle_motion motion = CORACLE_INIT(coracle_motion);
  motion.subject = "Where do we eat?";
  coracle_result* result = NULL;
  GOOD(coracle_decide(asker, "council", &motion, 0, &result, NULL));
  coracle_decision decision;
  GOOD(coracle_result_decision(result, &decision));
  CHECK(decision.decided && strcmp(decision.winner, "noodles") == 0);
  coracle_result_free(result);
  GOOD(coracle_answer_ballot(friends[2].kept, NULL));
  friends[2].is_late = false;
  GOOD(coracle_decide(asker, "council", &motion, 0, &result, NULL));
  coracle_result_free(result);
  coracle_port_close(asker);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), NULL));
  CHECK(friends[2].voted == 2 && friends[2].refused == 1);
}

static void wrong(coracle_node* node) {
  coracle_council council = CORACLE_INIT(coracle_council);
  const coracle_agent_options options = named("council");
  council.rule = "by shouting";
  FAILS(CORACLE_BAD_OPTIONS, coracle_council_start(node, &options, &council));
  council.rule = NULL;
  council.secrecy = (coracle_secrecy)7;
  FAILS(CORACLE_BAD_ARGUMENT, coracle_council_start(node, &options, &council));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_council_start(node, &options, NULL));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_peer_start(node, &options, NULL));
}

int main(void) {
  on_both_nodes(&lunch);
  on_both_nodes(&late_vote);
  on_both_nodes(&wrong);
  return 0;
}
