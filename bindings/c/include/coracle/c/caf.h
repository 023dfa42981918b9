/* The roles of CAF: councils and their peers, bidders and their clients. Part of <coracle.h>. The
 * rules for structs of functions are those of dispel.h. The data of a question are valid until the
 * question is answered or freed; the data of another function, until it returns. */
#ifndef CORACLE_C_CAF_H
#define CORACLE_C_CAF_H

#include "coracle/c/questions.h"
#include "coracle/c/society.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- councils --- */

/* A call for alternatives, or for votes. */
typedef struct coracle_agenda {
  uint64_t id; /* of the decision */
  uint32_t round;
  const char* subject;
  coracle_texts alternatives; /* a ballot names them by their place, from 0; none in a call */
  coracle_span within;        /* the time for the answer */
} coracle_agenda;

typedef struct coracle_decision {
  uint64_t id;
  const char* subject;
  bool decided;
  const char* winner; /* "" if it is not decided */
  coracle_texts co_winners;
  const char* why; /* it is not decided */
} coracle_decision;

typedef struct coracle_refusal {
  uint64_t id;
  uint32_t round;
  const char* what;
  const char* reason;
} coracle_refusal;

typedef struct coracle_peer {
  size_t size;
  /* Answers by coracle_answer_alternatives(); NULL: it proposes none. */
  void (*propose)(coracle_agent* self, coracle_question* question, const coracle_agenda* call,
                  void* context);
  /* Answers by coracle_answer_ballot(); NULL: it abstains. */
  void (*vote)(coracle_agent* self, coracle_question* question, const coracle_agenda* agenda,
               void* context);
  void (*decision)(coracle_agent* self, const coracle_decision* decision, void* context);
  /* A message of this peer has had no effect. */
  void (*refused)(coracle_agent* self, const coracle_refusal* refusal, void* context);
  void (*end)(void* context);
  void* context;
} coracle_peer;

CORACLE_API coracle_error* coracle_peer_start(coracle_node* node,
                                              const coracle_agent_options* options,
                                              const coracle_peer* peer);
CORACLE_API coracle_error* coracle_answer_alternatives(coracle_question* question,
                                                       const char* const* alternatives,
                                                       size_t count);

typedef struct coracle_fraction {
  int64_t numerator;
  int64_t denominator; /* 0: 1 */
} coracle_fraction;

/* A rule counts one of the three parts. Without it, the ballot abstains. */
typedef struct coracle_ballot {
  size_t size;
  const uint32_t* ranking; /* best first */
  size_t ranking_count;
  bool approves; /* `approved` counts, even of nobody */
  const uint32_t* approved;
  size_t approved_count;
  const coracle_fraction* scores; /* one for each alternative */
  size_t score_count;
} coracle_ballot;

/* NULL abstains. */
CORACLE_API coracle_error* coracle_answer_ballot(coracle_question* question,
                                                 const coracle_ballot* ballot);

typedef struct coracle_member {
  const char* name;
  coracle_fraction weight; /* zeros: 1 */
  const char* proxy;       /* votes for it while it is absent; NULL: nobody does */
} coracle_member;

typedef enum coracle_secrecy {
  CORACLE_OPEN = 0,
  CORACLE_TALLY_ONLY = 1,
  CORACLE_COMMIT_REVEAL = 2
} coracle_secrecy;

typedef enum coracle_absent {
  CORACLE_ABSTAINS = 0,
  CORACLE_STATUS_QUO = 1,
  CORACLE_BY_PROXY = 2
} coracle_absent;

typedef enum coracle_vacant {
  CORACLE_VACANT_ABSENT = 0,
  CORACLE_VACANT_WAIT = 1,
  CORACLE_VACANT_REFUSE = 2
} coracle_vacant;

typedef struct coracle_council {
  size_t size;
  const coracle_member* members;
  size_t member_count;
  const char* rule;            /* "plurality", "schulze", "approval", ...; NULL: "plurality" */
  const char* ties;            /* "status_quo,chair,random", ...; NULL: "lexical" */
  coracle_span propose_within; /* 0: 5 s */
  coracle_span vote_within;    /* 0: 5 s */
  coracle_secrecy secrecy;
  coracle_absent absent;
  coracle_vacant vacant;
  const char* chair;
  bool none_of_these;      /* is always an alternative */
  uint64_t adjourns_after; /* so many decisions; 0: never */
  void (*end)(void* context); /* the council has ended; may be NULL */
  void* context;              /* of `end` */
} coracle_council;

CORACLE_API coracle_error* coracle_council_start(coracle_node* node,
                                                 const coracle_agent_options* options,
                                                 const coracle_council* council);

typedef struct coracle_motion {
  size_t size;
  const char* subject;
  coracle_texts alternatives; /* none: the peers propose them */
  bool call_peers;            /* the peers propose more */
  const char* incumbent;      /* the alternative that holds now */
  uint64_t key;               /* the same key again gets the same decision; 0: a new one */
} coracle_motion;

/* Asks a council for a decision; its result is one for coracle_result_decision(). When the council
 * ends before, the motion goes to the next holder of its name. */
CORACLE_API coracle_error* coracle_decide(coracle_port* port, const char* council,
                                          const coracle_motion* motion, coracle_span longest,
                                          coracle_result** out, const coracle_begin* begin);
/* Its pointers are valid until the result is freed. */
CORACLE_API coracle_error* coracle_result_decision(const coracle_result* result,
                                                   coracle_decision* out);

/* --- contracts --- */

typedef struct coracle_penalty {
  int64_t fixed;
  int64_t per_second;
} coracle_penalty;

typedef struct coracle_contract {
  size_t size;
  uint64_t id; /* the client gives it */
  uint32_t round;
  const char* kind;
  const char* subject;
  coracle_texts items;     /* that can be bid for in bundles, up to 64; none: the whole is one */
  uint32_t units;          /* of a bidder's capacity that each item takes; 0: 1 */
  coracle_span bid_within; /* 0: 5 s */
  coracle_span bid_holds;  /* 0: 30 s */
  coracle_span lease;      /* 0: 10 s */
  coracle_penalty client_penalty;
  coracle_penalty bidder_penalty;
} coracle_contract;

/* Item i is in a set when bit i is set. */
typedef struct coracle_offering {
  uint64_t items;
  int64_t amount;
} coracle_offering;

typedef struct coracle_bid {
  size_t size;
  const coracle_offering* offerings; /* at most one wins */
  size_t offering_count;
  const char* text;
} coracle_bid;

/* NULL declines. */
CORACLE_API coracle_error* coracle_answer_bid(coracle_question* question, const coracle_bid* bid);

/* An award that a bidder works on. */
typedef struct coracle_engagement {
  const char* client;
  const coracle_contract* contract;
  uint32_t award;
  uint64_t items;
  int64_t price;
} coracle_engagement;

typedef struct coracle_bidder {
  size_t size;
  uint64_t capacity;     /* 0: 1 */
  bool promises_at_bid;  /* it never refuses an award, and bids less often */
  coracle_texts clients; /* with which it registers when it begins */
  /* Answers by coracle_answer_bid(); NULL: it declines. */
  void (*bid)(coracle_agent* self, coracle_question* question, const char* client,
              const coracle_contract* contract, void* context);
  /* Does the work, and answers by coracle_answer_fulfilment(). Several may be under way. When the
   * award is lost, coracle_question_is_open() becomes false. */
  void (*fulfil)(coracle_agent* self, coracle_question* question,
                 const coracle_engagement* engagement, void* context);
  void (*rejected)(coracle_agent* self, const char* client, uint64_t contract, const char* reason,
                   void* context);
  void (*lost)(coracle_agent* self, const coracle_engagement* engagement, const char* reason,
               int64_t penalty, void* context);
  void (*settled)(coracle_agent* self, const char* client, uint64_t contract, int64_t price,
                  int64_t penalty, void* context);
  void (*end)(void* context);
  void* context;
} coracle_bidder;

CORACLE_API coracle_error* coracle_bidder_start(coracle_node* node,
                                                const coracle_agent_options* options,
                                                const coracle_bidder* bidder);
/* The work is done, with a result; or not, with a reason. */
CORACLE_API coracle_error* coracle_answer_fulfilment(coracle_question* question, bool done,
                                                     const char* text);

typedef struct coracle_contract_client {
  size_t size;
  /* Returns whether a bidder may register; NULL: each may. */
  bool (*admits)(coracle_agent* self, const char* bidder, void* context);
  void (*end)(void* context);
  void* context;
} coracle_contract_client;

CORACLE_API coracle_error* coracle_contract_client_start(coracle_node* node,
                                                         const coracle_agent_options* options,
                                                         const coracle_contract_client* client,
                                                         coracle_role** out);

/* The agents that are asked to bid, and the way in which the client chooses. */
typedef struct coracle_tender {
  size_t size;
  coracle_texts bidders;       /* by their names */
  bool registered;             /* also those that have registered */
  const coracle_query* search; /* also those that this finds; or NULL */
  const char* rule;            /* "highest" or "lowest"; NULL: "highest" */
  bool vickrey;                /* the price is that of the best that lost */
  bool has_reserve;
  int64_t reserve; /* worse bids are ignored */
  uint64_t seed;   /* draws among equal bids; 0: the first wins */
  uint32_t rounds; /* announcements at most; 0: 1 */
  coracle_span back_off;
  coracle_span accept_within; /* 0: 2 s */
  coracle_span fulfil_within; /* 0: without limit */
  bool keep_bids;             /* the bids of losers stay open while the awardee works */
} coracle_tender;

/* Announces a contract, and awards it; its result is one for coracle_result_settlement(). Several
 * may be under way. */
CORACLE_API coracle_error* coracle_announce(coracle_role* client, const coracle_contract* contract,
                                            const coracle_tender* tender, coracle_result** out,
                                            const coracle_begin* begin);

typedef enum coracle_settled {
  CORACLE_FULFILLED = 0,
  CORACLE_PARTLY = 1,
  CORACLE_NO_BIDS = 2,
  CORACLE_REJECTED = 3,
  CORACLE_NOT_FULFILLED = 4,
  CORACLE_CONTRACT_CANCELLED = 5
} coracle_settled;

typedef struct coracle_settlement_part {
  const char* bidder;
  uint64_t items;
  int64_t price;
  const char* result;
} coracle_settlement_part;

typedef struct coracle_settlement {
  uint64_t id;
  coracle_settled ended;
  const coracle_settlement_part* parts;
  size_t part_count;
  const char* why;
  int64_t client_owes;
  int64_t bidders_owe;
} coracle_settlement;

CORACLE_API coracle_error* coracle_result_settlement(const coracle_result* result,
                                                     coracle_settlement* out);

#ifdef __cplusplus
}
#endif

#endif
