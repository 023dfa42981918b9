/* Remote calls: functions of other agents, by their names. Part of <coracle.h>. */
#ifndef CORACLE_C_CALLS_H
#define CORACLE_C_CALLS_H

#include "coracle/c/questions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls a function of an agent. `arguments` is an array of CBOR with an item for each argument; 0
 * bytes: there are none. `longest` limits the wait, and is sent with the call; 0: without limit.
 * The result has one value, which is null where the function returns nothing. Fails as
 * coracle_ask() does; with CORACLE_REFUSED and the text when the function failed; with
 * CORACLE_NO_SUCH_FUNCTION and CORACLE_WRONG_TYPE when the agent does not offer it with such
 * arguments; with CORACLE_DEADLOCK when the call would close a circle of agents that wait for each
 * other. */
CORACLE_API coracle_error* coracle_call(coracle_port* port, const char* agent, const char* function,
                                        const void* arguments, size_t size, coracle_span longest,
                                        coracle_result** out, const coracle_begin* begin);
/* Calls it without a reply; ends when the call is accepted. */
CORACLE_API coracle_error* coracle_call_blindly(coracle_port* port, const char* agent,
                                                const char* function, const void* arguments,
                                                size_t size, const coracle_begin* begin);

typedef struct coracle_function {
  const char* name;
  /* Answers by coracle_answer(), or by coracle_answer_done() where it returns nothing; its failure
   * and its refusal go to the caller. `arguments` is an array of CBOR. */
  void (*call)(coracle_agent* self, coracle_question* question, const void* arguments, size_t size,
               void* context);
  void* context; /* NULL: that of the service */
} coracle_function;

typedef struct coracle_service {
  size_t size;
  const coracle_function* functions; /* at most 1,000 */
  size_t function_count;
  uint32_t at_once;           /* calls that are under way at the same time; 0: 1 */
  void (*end)(void* context); /* the last call; may be NULL */
  void* context;
} coracle_service;

/* Makes an agent that serves calls until coracle_agent_end(), or until its node stops. */
CORACLE_API coracle_error* coracle_service_start(coracle_node* node,
                                                 const coracle_agent_options* options,
                                                 const coracle_service* service);

#ifdef __cplusplus
}
#endif

#endif
