/* Nodes, and ports: agents for which the program's own threads act. Part of <coracle.h>. */
#ifndef CORACLE_C_NODES_H
#define CORACLE_C_NODES_H

#include "coracle/c/loops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coracle_node_options {
  size_t size;
  const char* realization;   /* NULL: the variable CORACLE_REALIZATION, else "local:" */
  const char* identity;      /* NULL: "local" */
  unsigned workers;          /* threads that run agents; 0: 1 */
  size_t content_limit;      /* bytes of one message; 0: 16 MiB */
  coracle_span connect_time; /* 0: 20 s */
  coracle_span patience;     /* for which a send waits for room; 0: 30 s */
  coracle_loop* loop;        /* NULL: the node has threads; else taking events runs its agents */
} coracle_node_options;

/* Opens a node; `options` may be NULL. */
CORACLE_API coracle_error* coracle_node_open(const coracle_node_options* options,
                                             coracle_node** out);

typedef struct coracle_stop_report {
  size_t size;
  bool clean;           /* all agents ended and every message was read */
  uint64_t still_alive; /* agents that had not ended in time */
  uint64_t undelivered; /* messages that nobody read and no message store keeps */
  uint64_t kept;        /* messages that the message store keeps */
  char text[512];       /* the whole report for people, cut off if it is longer */
} coracle_stop_report;

/* Stops the node: agents read what is under way, then end. `report` may be NULL. */
CORACLE_API coracle_error* coracle_node_stop(coracle_node* node, coracle_span longest,
                                             coracle_stop_report* report);
/* Stops the node at once if it runs, and frees it when the last of its messages is freed. */
CORACLE_API void coracle_node_close(coracle_node* node);

typedef enum coracle_overflow {
  CORACLE_WAIT = 0,
  CORACLE_FAIL = 1,
  CORACLE_DROP_OLDEST = 2,
  CORACLE_DROP_NEWEST = 3,
  CORACLE_KEEP_LATEST = 4,
  CORACLE_REDIRECT = 5
} coracle_overflow;

typedef enum coracle_kind {
  CORACLE_BOOLEAN = 0,
  CORACLE_INTEGER = 1,
  CORACLE_NUMBER = 2,
  CORACLE_TEXT = 3,
  CORACLE_BYTES = 4 /* only in tuples */
} coracle_kind;

/* A named value of an agent's entry in the directory. */
typedef struct coracle_property {
  const char* key;
  coracle_kind kind;
  int64_t integer; /* also a truth value */
  double number;
  const char* text;
} coracle_property;

typedef struct coracle_agent_options {
  size_t size;
  const char* name;
  uint32_t mailbox_messages; /* 0: the default, 1,024 */
  size_t mailbox_bytes;      /* 0: the default, 64 MiB */
  coracle_overflow overflow;
  const char* redirect; /* for CORACLE_REDIRECT */
  const coracle_property* properties;
  size_t property_count;
  bool take_over; /* takes the name over from a holder with the same identity */
} coracle_agent_options;

/* Joins the society under a name. */
CORACLE_API coracle_error* coracle_port_open(coracle_node* node,
                                             const coracle_agent_options* options,
                                             coracle_port** out, const coracle_begin* begin);
/* Leaves the society; unread messages stay for the next holder of the name. */
CORACLE_API void coracle_port_close(coracle_port* port);
/* Ends the port's agent as one that has failed, for a reason that those who watch it or wait for
 * its replies are told. The port must still be closed. */
CORACLE_API coracle_error* coracle_port_fail(coracle_port* port, const char* text);
/* The number of a conversation that nobody else uses. */
CORACLE_API coracle_error* coracle_new_conversation(coracle_port* port, uint64_t* out,
                                                    const coracle_begin* begin);

#ifdef __cplusplus
}
#endif

#endif
