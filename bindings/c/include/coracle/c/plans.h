/* Negotiation: arbiters, and planners as their clients. Part of <coracle.h>. The rules for structs
 * of functions are those of dispel.h and caf.h. */
#ifndef CORACLE_C_PLANS_H
#define CORACLE_C_PLANS_H

#include "coracle/c/questions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value of a node to a client. */
typedef struct coracle_worth {
  int64_t score; /* of a plan that ends here */
  int64_t best;  /* the greatest of any plan through this node */
  int64_t ends;  /* the least cost of such a plan */
  int64_t note;  /* comes back with the nodes below */
  bool infeasible;
} coracle_worth;

typedef struct coracle_plan_node {
  const char* move; /* that leads to the node; "" at the root */
  const char* state;
  int64_t cost;
  coracle_worth before; /* the worth that the client gave to the node above */
} coracle_plan_node;

typedef struct coracle_plan {
  const char* start;
  coracle_texts moves;
  int64_t cost;
  coracle_texts clients;
  const int64_t* scores; /* one for each client */
  bool is_mutual;        /* all find it agreeable */
} coracle_plan;

typedef struct coracle_plan_outcome {
  bool agreed;
  coracle_plan plan;
  const char* why; /* it is not agreed */
  bool is_without_you;
} coracle_plan_outcome;

typedef struct coracle_plan_progress {
  const char* move;
  const char* state;
  int64_t cost;
  bool done;
  const char* fault; /* the plan does not continue; "" otherwise */
} coracle_plan_progress;

/* --- planners --- */

typedef struct coracle_planner {
  size_t size;
  /* Judges a node, and wishes for moves there; answers by coracle_answer_judgement(). */
  void (*judge)(coracle_agent* self, coracle_question* question, const char* arbiter,
                const coracle_plan_node* node, void* context);
  /* A plan is offered; answers by coracle_answer_offer(). NULL: it accepts a plan that all find
   * agreeable, and one that is worth no less to it than none. */
  void (*offer)(coracle_agent* self, coracle_question* question, const char* arbiter,
                const coracle_plan* plan, void* context);
  void (*outcome)(coracle_agent* self, const char* arbiter, const coracle_plan_outcome* outcome,
                  void* context);
  void (*progress)(coracle_agent* self, const char* arbiter, const coracle_plan_progress* progress,
                   void* context);
  void (*objection)(coracle_agent* self, const char* arbiter, const char* what, const char* reason,
                    void* context);
  void (*end)(void* context);
  void* context;
} coracle_planner;

CORACLE_API coracle_error* coracle_planner_start(coracle_node* node,
                                                 const coracle_agent_options* options,
                                                 const coracle_planner* planner,
                                                 coracle_role** out);
CORACLE_API coracle_error* coracle_answer_judgement(coracle_question* question,
                                                    const coracle_worth* worth,
                                                    const char* const* moves, size_t count);
/* A rejection has a reason, and may have moves as another proposal. */
CORACLE_API coracle_error* coracle_answer_offer(coracle_question* question, bool accepts,
                                                const char* reason, const char* const* moves,
                                                size_t count);

typedef struct coracle_plan_request {
  size_t size;
  const char* goal;
  int64_t threshold; /* the score from which on a plan is agreeable */
  int64_t otherwise; /* the worth of no agreement */
  int64_t weight;    /* 0: 1 */
  int64_t priority;
  coracle_texts moves; /* with which a plan could begin */
  bool begins_at_go;   /* the plan waits for coracle_planner_go() */
} coracle_plan_request;

/* Requests something of an arbiter; the result is one for coracle_result_outcome(). */
CORACLE_API coracle_error* coracle_planner_request(coracle_role* planner, const char* arbiter,
                                                   const coracle_plan_request* request,
                                                   coracle_span longest, coracle_result** out,
                                                   const coracle_begin* begin);
CORACLE_API coracle_error* coracle_planner_go(coracle_role* planner, const char* arbiter,
                                              const coracle_begin* begin);
CORACLE_API coracle_error* coracle_planner_withdraw(coracle_role* planner, const char* arbiter,
                                                    const coracle_begin* begin);
CORACLE_API coracle_error* coracle_result_outcome(const coracle_result* result,
                                                  coracle_plan_outcome* out);

/* --- arbiters --- */

typedef struct coracle_arbiter {
  size_t size;
  const char* state;          /* in which it begins */
  size_t clients;             /* that have sent requests when a negotiation begins; 0: 1 */
  coracle_span gather;        /* it begins at the latest then; 0: 1 s */
  coracle_span go_within;     /* 0: 60 s */
  coracle_span answer_within; /* 0: 2 s */
  coracle_span within;        /* for which the tree grows; 0: 60 s */
  const char* rule;           /* "mutual", "nash", ...; NULL: "mutual" */
  uint32_t nodes;             /* the budget; 0: 1,000,000 */
  uint32_t offers;            /* 0: 16 */
  bool reconsiders;           /* negotiates anew after each control cycle */
  /* Carries out a move. It is pure, and answers before it returns: by coracle_answer_step(), or
   * by coracle_question_refuse() where the move is illegal. Each text that a client sends comes
   * here. */
  void (*apply)(coracle_question* question, const char* state, const char* move, void* context);
  /* The same for one control cycle of the move; NULL: a move is one cycle. */
  void (*advance)(coracle_question* question, const char* state, const char* move, void* context);
  /* Works out how the plan can be done; answers by coracle_answer_text() with the reason why it
   * cannot, or NULL. */
  void (*prepare)(coracle_agent* self, coracle_question* question, const coracle_plan* plan,
                  void* context);
  /* Carries out one cycle of a move, which leads to `state`; answers like prepare(). */
  void (*perform)(coracle_agent* self, coracle_question* question, const char* move,
                  const char* state, int64_t cost, void* context);
  void (*finished)(coracle_agent* self, const coracle_plan_progress* last, void* context);
  void (*end)(void* context);
  void* context;
} coracle_arbiter;

CORACLE_API coracle_error* coracle_arbiter_start(coracle_node* node,
                                                 const coracle_agent_options* options,
                                                 const coracle_arbiter* arbiter);
/* The state after a move, and the cost of the move; `is_over` is false within a move. */
CORACLE_API coracle_error* coracle_answer_step(coracle_question* question, const char* state,
                                               int64_t cost, bool is_over);

#ifdef __cplusplus
}
#endif

#endif
