/* Societies of agents, for C and for languages that call C. Link target: coracle::c.
 *
 * Every function that can fail returns NULL, or an error that the caller frees. Names and other
 * texts are UTF-8 that ends with a zero byte; contents have a length. A struct of options begins
 * with its size, which the macro CORACLE_INIT sets: fields that a later version adds at its end are
 * then zero, which is always the default.
 *
 * A handle names an object of the library; it is not an address. A handle that was closed or freed,
 * or that never existed, is refused with CORACLE_BAD_HANDLE. Handles may be used from every thread,
 * but a message, a writer or a reader by one thread at a time. In the child of a fork(), all calls
 * fail with CORACLE_FORKED.
 *
 * An operation of a port waits when its last argument is NULL. With a coracle_begin, the operation
 * begins, and its result comes as an event of that loop; the places for results must be NULL then.
 *
 * The library calls functions of the program only for behaviours (agents.h), services (calls.h),
 * evaluators (tuples.h) and roles (dispel.h, caf.h): on a worker of the agent's node or, where a
 * loop runs the node, in the call that takes the loop's events. */
#ifndef CORACLE_H
#define CORACLE_H

#include "coracle/c/agents.h"
#include "coracle/c/caf.h"
#include "coracle/c/calls.h"
#include "coracle/c/dispel.h"
#include "coracle/c/errors.h"
#include "coracle/c/logs.h"
#include "coracle/c/loops.h"
#include "coracle/c/messages.h"
#include "coracle/c/nodes.h"
#include "coracle/c/plans.h"
#include "coracle/c/questions.h"
#include "coracle/c/society.h"
#include "coracle/c/tuples.h"
#include "coracle/c/values.h"

#endif
