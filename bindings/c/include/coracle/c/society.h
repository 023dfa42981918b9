/* Groups, eavesdropping, and the directory. Part of <coracle.h>. */
#ifndef CORACLE_C_SOCIETY_H
#define CORACLE_C_SOCIETY_H

#include "coracle/c/messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Joins a group, and receives up to `last` earlier messages of each sender. */
CORACLE_API coracle_error* coracle_join(coracle_port* port, const char* group, size_t last,
                                        const coracle_begin* begin);
CORACLE_API coracle_error* coracle_leave(coracle_port* port, const char* group,
                                         const coracle_begin* begin);
/* The members of a group now; the caller frees the list. */
CORACLE_API coracle_error* coracle_members(coracle_port* port, const char* group,
                                           coracle_entries** out, const coracle_begin* begin);

typedef struct coracle_pattern {
  size_t size;
  const char* source; /* a regular expression (RE2) for the whole name */
  const char* target;
  const char* text; /* found somewhere in the content */
  const coracle_header* components;
  size_t component_count;
  uint32_t limit; /* copies that may wait; 0: 1,024 */
  uint64_t rate;  /* copies that each worker makes in a second, about; 0: all */
  bool outcomes;  /* also notices of what becomes of the messages that were copied */
} coracle_pattern;

/* Overhears the messages that the pattern selects, until coracle_stop_overhearing(). The copies,
 * gaps and notices are received like messages; coracle_message_info describes them. */
CORACLE_API coracle_error* coracle_overhear(coracle_port* port, const coracle_pattern* pattern,
                                            uint64_t* tap, const coracle_begin* begin);
CORACLE_API coracle_error* coracle_stop_overhearing(coracle_port* port, uint64_t tap,
                                                    const coracle_begin* begin);

/* Replaces the properties that the directory publishes for this agent. */
CORACLE_API coracle_error* coracle_describe(coracle_port* port, const coracle_property* properties,
                                            size_t count, const coracle_begin* begin);

typedef enum coracle_comparison {
  CORACLE_EXISTS = 0,
  CORACLE_EQUAL = 1,
  CORACLE_NOT_EQUAL = 2,
  CORACLE_LESS = 3,
  CORACLE_AT_MOST = 4,
  CORACLE_GREATER = 5,
  CORACLE_AT_LEAST = 6,
  CORACLE_MATCHES = 7 /* the text matches a regular expression as a whole */
} coracle_comparison;

typedef struct coracle_condition {
  coracle_comparison comparison;
  coracle_property operand;
} coracle_condition;

typedef struct coracle_query {
  size_t size;
  const char* prefix;                  /* of the names; NULL: all */
  const coracle_condition* conditions; /* all of them must hold */
  size_t condition_count;
  size_t limit; /* of entries; 0: 1,000 */
} coracle_query;

/* Searches the directory; `query` may be NULL. The caller frees the list. */
CORACLE_API coracle_error* coracle_search(coracle_port* port, const coracle_query* query,
                                          coracle_entries** out, const coracle_begin* begin);
/* The number of entries of a list. */
CORACLE_API coracle_error* coracle_entries_count(const coracle_entries* entries, size_t* out);
/* The name of an entry, from 0, and the number of its properties; valid until the list is freed. */
CORACLE_API coracle_error* coracle_entries_at(const coracle_entries* entries, size_t number,
                                              const char** name, size_t* property_count);
CORACLE_API coracle_error* coracle_entries_property(const coracle_entries* entries, size_t number,
                                                    size_t property, coracle_property* out);
CORACLE_API void coracle_entries_free(coracle_entries* entries);

typedef enum coracle_end_reason {
  CORACLE_ENDED_STOPPED = 0,
  CORACLE_ENDED_CRASHED = 1,
  CORACLE_ENDED_UNREACHABLE = 2,
  CORACLE_ENDED_EXPIRED = 3,
  CORACLE_ENDED_FENCED = 4
} coracle_end_reason;

/* Waits for the next end of the agent with that name; an event has the reason as its number. */
CORACLE_API coracle_error* coracle_watch(coracle_port* port, const char* name,
                                         coracle_end_reason* out, const coracle_begin* begin);

#ifdef __cplusplus
}
#endif

#endif
