/* Tuple spaces: agents leave tuples for each other, and find them by their form. Part of
 * <coracle.h>. */
#ifndef CORACLE_C_TUPLES_H
#define CORACLE_C_TUPLES_H

#include "coracle/c/questions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field of a tuple, or of a pattern. A pattern's field must be equal, unless `any` is set: then
 * every value of that kind fits. */
typedef struct coracle_field {
  coracle_kind kind;
  bool any;
  int64_t integer; /* also a truth value */
  double number;
  const void* data; /* a text or bytes */
  size_t size;
} coracle_field;

/* Starts a space as an agent of the node. */
CORACLE_API coracle_error* coracle_space_start(coracle_node* node,
                                               const coracle_agent_options* options);

/* Stores a tuple of 1 to 16 fields; ends when the space has it. After `lease` it is removed; 0:
 * never. */
CORACLE_API coracle_error* coracle_tuple_out(coracle_port* port, const char* space,
                                             const coracle_field* fields, size_t count,
                                             coracle_span lease, const coracle_begin* begin);
/* Takes the oldest tuple that fits; waits for one, for at most `longest`; 0: without limit. `*out`
 * is NULL when none came in time; the caller frees it. */
CORACLE_API coracle_error* coracle_tuple_in(coracle_port* port, const char* space,
                                            const coracle_field* pattern, size_t count,
                                            coracle_span longest, coracle_tuple** out,
                                            const coracle_begin* begin);
/* The same, but the tuple stays in the space. */
CORACLE_API coracle_error* coracle_tuple_rd(coracle_port* port, const char* space,
                                            const coracle_field* pattern, size_t count,
                                            coracle_span longest, coracle_tuple** out,
                                            const coracle_begin* begin);
/* The same as the two above, but `*out` is NULL when there is none now. */
CORACLE_API coracle_error* coracle_tuple_inp(coracle_port* port, const char* space,
                                             const coracle_field* pattern, size_t count,
                                             coracle_tuple** out, const coracle_begin* begin);
CORACLE_API coracle_error* coracle_tuple_rdp(coracle_port* port, const char* space,
                                             const coracle_field* pattern, size_t count,
                                             coracle_tuple** out, const coracle_begin* begin);
/* Requests the evaluation of a function by an agent that offers it; ends when the space has
 * accepted the request. The result is a tuple in the space. */
CORACLE_API coracle_error* coracle_tuple_eval(coracle_port* port, const char* space,
                                              const char* function, const coracle_field* arguments,
                                              size_t count, const coracle_begin* begin);

/* The port is told of each tuple that fits and comes from now on; `lease` as above. `*notices` is a
 * number that the next three functions take. */
CORACLE_API coracle_error* coracle_tuple_notify(coracle_port* port, const char* space,
                                                const coracle_field* pattern, size_t count,
                                                coracle_span lease, uint64_t* notices,
                                                const coracle_begin* begin);
/* The next tuple that the port is told of; waits for at most `longest`; 0: without limit. `*out` is
 * NULL when none came in time. The tuple itself may have been taken by then. */
CORACLE_API coracle_error* coracle_tuple_next(coracle_port* port, uint64_t notices,
                                              coracle_span longest, coracle_tuple** out,
                                              const coracle_begin* begin);
/* The number of notices that the port's mailbox had no room for, of those known now. */
CORACLE_API coracle_error* coracle_tuple_missed(coracle_port* port, uint64_t notices, uint64_t* out,
                                                const coracle_begin* begin);
/* Ends the notices; those that have come are lost. If the space has gone, ends after a second. */
CORACLE_API coracle_error* coracle_tuple_unnotify(coracle_port* port, uint64_t notices,
                                                  const coracle_begin* begin);

/* A function that an evaluator offers: it answers with the tuple that shall come into the space.
 * Its failure or refusal becomes the tuple ("eval failed", name, text). `arguments` is valid until
 * the question is answered or freed; the program does not free it. */
typedef struct coracle_evaluation {
  const char* name;
  void (*evaluate)(coracle_agent* self, coracle_question* question, const coracle_field* arguments,
                   size_t count, void* context);
  void* context; /* NULL: that of the evaluator */
} coracle_evaluation;

typedef struct coracle_evaluator {
  size_t size;
  const char* space;
  const coracle_evaluation* evaluations;
  size_t evaluation_count;
  uint32_t at_once;           /* evaluations that are under way at the same time; 0: 1 */
  void (*end)(void* context); /* the last call; may be NULL */
  void* context;
} coracle_evaluator;

/* Makes an agent that evaluates functions for a space, until its node stops. When it dies, another
 * one that offers the same functions does what it had begun. */
CORACLE_API coracle_error* coracle_evaluator_start(coracle_node* node,
                                                   const coracle_agent_options* options,
                                                   const coracle_evaluator* evaluator);
/* Answers an evaluation; a tuple of no fields puts nothing into the space. */
CORACLE_API coracle_error* coracle_answer_tuple(coracle_question* question,
                                                const coracle_field* fields, size_t count);

CORACLE_API coracle_error* coracle_tuple_count(const coracle_tuple* tuple, size_t* out);
/* A field of a tuple, from 0; its data are valid until the tuple is freed. */
CORACLE_API coracle_error* coracle_tuple_field(const coracle_tuple* tuple, size_t number,
                                               coracle_field* out);
CORACLE_API void coracle_tuple_free(coracle_tuple* tuple);

#ifdef __cplusplus
}
#endif

#endif
