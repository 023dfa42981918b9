/* Tuple spaces: agents leave tuples for each other, and find them by their form. Part of
 * <coracle.h>. */
#ifndef CORACLE_C_TUPLES_H
#define CORACLE_C_TUPLES_H

#include "coracle/c/nodes.h"

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

CORACLE_API coracle_error* coracle_tuple_count(const coracle_tuple* tuple, size_t* out);
/* A field of a tuple, from 0; its data are valid until the tuple is freed. */
CORACLE_API coracle_error* coracle_tuple_field(const coracle_tuple* tuple, size_t number,
                                               coracle_field* out);
CORACLE_API void coracle_tuple_free(coracle_tuple* tuple);

#ifdef __cplusplus
}
#endif

#endif
