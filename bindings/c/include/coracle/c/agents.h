/* Agents as functions, which the node's workers call. Part of <coracle.h>. */
#ifndef CORACLE_C_AGENTS_H
#define CORACLE_C_AGENTS_H

#include "coracle/c/messages.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coracle_behaviour {
  size_t size;
  /* Each may be NULL. A message is valid until the function returns, when it is acknowledged. */
  void (*begin)(coracle_agent* self, void* context);
  void (*message)(coracle_agent* self, const coracle_message* message, void* context);
  void (*end)(void* context); /* the last call; the context is not used after it */
  void* context;
} coracle_behaviour;

/* Makes an agent that receives each message by a call of its behaviour. The functions of one agent
 * are called one at a time. They must not wait: a call of a port's function fails there with
 * CORACLE_WRONG_THREAD. */
CORACLE_API coracle_error* coracle_agent_start(coracle_node* node,
                                               const coracle_agent_options* options,
                                               const coracle_behaviour* behaviour);
/* In a function of a behaviour or a role: sends after the function has returned, in the order of
 * the calls, or at once if the targets have room. */
CORACLE_API coracle_error* coracle_agent_send(coracle_agent* self, const coracle_post* post);
CORACLE_API coracle_error* coracle_agent_reply(coracle_agent* self, const coracle_message* request,
                                               const coracle_post* post);
/* In a behaviour's function `message`: passes the message's content and conversation on to an
 * agent, or back to the message's sender if `to` is NULL, without a copy. By that, the message is
 * acknowledged, and nothing can be read of it any more. */
CORACLE_API coracle_error* coracle_agent_pass(coracle_agent* self, const coracle_message* message,
                                              const char* to);
/* In a function of a behaviour or a role: the agent ends when the function has returned, as its
 * role allows; with a reason, it ends as one that failed. */
CORACLE_API coracle_error* coracle_agent_end(coracle_agent* self, const char* failure);

#ifdef __cplusplus
}
#endif

#endif
