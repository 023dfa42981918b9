/* Results as events, for a thread that waits for other things, too. Part of <coracle.h>. */
#ifndef CORACLE_C_LOOPS_H
#define CORACLE_C_LOOPS_H

#include "coracle/c/errors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a queue of events. One descriptor serves any number of ports. */
CORACLE_API coracle_error* coracle_loop_open(coracle_loop** out);
/* A descriptor that is readable while events wait, or while a node of the loop has something to do;
 * the caller polls it, and does not read it. */
CORACLE_API coracle_error* coracle_loop_descriptor(coracle_loop* loop, int* out);
/* Operations that have not ended are cancelled; their events do not come. */
CORACLE_API void coracle_loop_close(coracle_loop* loop);

/* Where the result of an operation shall go. */
typedef struct coracle_begin {
  coracle_loop* loop;
  uint64_t key; /* comes back in the event; also names the operation for coracle_cancel() */
} coracle_begin;

typedef struct coracle_event {
  uint64_t key;
  coracle_error* error; /* NULL if the operation succeeded; the caller frees it */
  /* The result, according to the operation; the caller frees what is not NULL. */
  coracle_message* message;
  coracle_receipt* receipt;
  coracle_port* port;
  coracle_entries* entries;
  uint64_t number; /* a tap, a truth value, an ending's reason */
  coracle_messages* messages;
  coracle_tuple* tuple;
  coracle_result* result;
} coracle_event;

/* Takes up to `most` events without waiting; `*count` is how many there were. Nodes of the loop
 * (coracle_node_options.loop) have no threads: their agents run in this call, and in calls that
 * wait for the node. */
CORACLE_API coracle_error* coracle_loop_take(coracle_loop* loop, coracle_event* events, size_t most,
                                             size_t* count);
/* The same, but waits for the first one, for at most `longest`. On a node of the loop, it returns
 * for events only: functions of agents are called meanwhile, and their calls and questions do not
 * end the wait. So a program that answers questions after this call returns sets a short
 * `longest`, or polls the descriptor and calls coracle_loop_take(). */
CORACLE_API coracle_error* coracle_loop_wait(coracle_loop* loop, coracle_span longest,
                                             coracle_event* events, size_t most, size_t* count);
/* A program that begins operations on the thread of its loop need not poll for their results: if
 * it picks, an event that comes while it begins one, or while it sends or receives at once, does
 * not make the descriptor readable. So the program must call coracle_loop_pick() after these calls,
 * before it waits. Messages to other nodes leave with the next coracle_loop_take(); the descriptor
 * tells that it is due. */
CORACLE_API coracle_error* coracle_loop_set_picking(coracle_loop* loop, bool picking);
/* Takes up to `most` events that are there; runs no agents. */
CORACLE_API coracle_error* coracle_loop_pick(coracle_loop* loop, coracle_event* events, size_t most,
                                             size_t* count);
/* Asks the operations with that key to end early; each still ends with its event, with
 * CORACLE_CANCELLED or with what it had done already. */
CORACLE_API coracle_error* coracle_cancel(coracle_loop* loop, uint64_t key);

#ifdef __cplusplus
}
#endif

#endif
