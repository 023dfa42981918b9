/* The roles of DisPeL: clients and servers, pipelines, masters and slaves, layers of behaviours.
 * Part of <coracle.h>.
 *
 * A role is a struct of functions of the program, each of which may be NULL where that makes sense.
 * Its `context` is given to them all, and `end` is the last call with it. The functions of one
 * agent are called one at a time; `end` is called for each agent that has begun, so in a pipeline
 * it may be called several times. Items, requests and results are CBOR; `takes` and `gives` name
 * their types in C++, for example "text/plain" for std::string, or a struct's content_type. So a
 * role in C works with roles in C++ and other languages. A struct is copied when the role starts.
 */
#ifndef CORACLE_C_DISPEL_H
#define CORACLE_C_DISPEL_H

#include "coracle/c/questions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- servers and clients --- */

typedef struct coracle_server {
  size_t size;
  const char* takes;
  const char* gives;
  const char* service; /* that clients may ask for instead of its name; NULL: by name only */
  uint32_t at_once;    /* requests that are considered at the same time; 0: 1 */
  uint32_t waiting;    /* requests that may wait at the desk in each lane; 0: 4,096 */
  uint32_t each;       /* the same for one client; 0: 1,024 */
  /* Answers by coracle_answer(), or coracle_question_refuse(). coracle_agent_end() makes the server
   * end when it has served the requests that it has taken. */
  void (*answer)(coracle_agent* self, coracle_question* question, const void* request, size_t size,
                 void* context);
  void (*end)(void* context);
  void* context;
} coracle_server;

CORACLE_API coracle_error* coracle_server_start(coracle_node* node,
                                                const coracle_agent_options* options,
                                                const coracle_server* server);

/* Makes an agent that sends requests to servers, several at a time. */
CORACLE_API coracle_error* coracle_client_start(coracle_node* node,
                                                const coracle_agent_options* options,
                                                coracle_role** out);

typedef struct coracle_request {
  size_t size;
  const char* server;  /* a name; or: */
  const char* service; /* any server that offers it */
  const char* type;    /* of the request */
  const void* value;   /* CBOR */
  size_t value_size;
  uint32_t lane;       /* a higher lane is served first */
  coracle_span within; /* the time for which the reply is of use; 0: without limit */
  uint32_t attempts;   /* servers that are asked at most, one after the other; 0: 3 */
  coracle_span each;   /* the time that one server may take; 0: 10 s for a service, else no limit */
} coracle_request;

/* The result has one value. */
CORACLE_API coracle_error* coracle_client_request(coracle_role* client,
                                                  const coracle_request* request,
                                                  coracle_result** out, const coracle_begin* begin);

/* --- pipelines --- */

typedef struct coracle_source {
  size_t size;
  const char* gives;
  /* Puts one or more items, then coracle_answer_done(); without an item, the stream ends. `number`
   * is that of the next item: it begins at 0 or, when the source was begun again, at the first item
   * that may still be needed. */
  void (*produce)(coracle_agent* self, coracle_question* question, uint64_t number, void* context);
  void (*end)(void* context);
  void* context;
} coracle_source;

typedef struct coracle_filter {
  size_t size;
  const char* takes;
  const char* gives;
  /* Puts no item, one, or several, then coracle_answer_done(). */
  void (*process)(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                  void* context);
  /* All items were processed; `error` is the reason if the stream ended too early, else NULL. Items
   * that it puts before it returns come last. The question needs no answer. It is not called when
   * this stage has ended the stream itself, by coracle_agent_end(self, NULL) or by a refusal, nor
   * when the stages behind it want nothing more. */
  void (*finish)(coracle_agent* self, coracle_question* question, const char* error, void* context);
  void (*end)(void* context);
  void* context;
} coracle_filter;

typedef struct coracle_sink {
  size_t size;
  const char* takes;
  /* Then coracle_answer_done(). */
  void (*consume)(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                  void* context);
  /* The stream has ended; `error` is the reason if it ended too early, else NULL. It is not called
   * when this stage has ended the stream itself, as above. */
  void (*finish)(coracle_agent* self, const char* error, void* context);
  void (*end)(void* context);
  void* context;
} coracle_sink;

/* A kind of stage, by the name that the text uses. One of the three is set, or none: then the
 * stages of that kind are made by another process. */
typedef struct coracle_part {
  const char* kind;
  const coracle_source* source;
  const coracle_filter* filter;
  const coracle_sink* sink;
  const char* takes; /* of a stage that another process makes; NULL: nothing */
  const char* gives;
} coracle_part;

typedef struct coracle_pipeline {
  size_t size;
  const char* name; /* the agents are named name/part */
  /* The structure: "lines: Lines; parse: Parse * 4 ordered; count: Count; lines -> parse -> count".
   * A statement has a part with its kind, or the parts of one path. */
  const char* text;
  const coracle_part* kinds;
  size_t kind_count;
  coracle_texts only;         /* the parts that are made here; none: all */
  coracle_texts stand_in_for; /* parts that are made here when their process is gone */
  uint32_t window;            /* items that a consumer is given and has not finished; 0: 4,096 */
  uint32_t batch;             /* items in a message; 0: 256 */
  uint32_t restarts;          /* of stages that crash, within a minute; 0: 5 */
  void (*end)(void* context); /* the keeper and all its stages have ended; may be NULL */
  void* context;              /* of `end` */
} coracle_pipeline;

/* Starts the keeper of a pipeline, which makes its stages, and those that crash again. It ends when
 * all its stages have ended; coracle_watch() tells. In a stage, coracle_agent_end() without a
 * failure ends the stream behind the present item, because nothing more is wanted. */
CORACLE_API coracle_error* coracle_pipeline_start(coracle_node* node,
                                                  const coracle_agent_options* options,
                                                  const coracle_pipeline* pipeline);

/* --- masters and slaves --- */

typedef struct coracle_slave {
  size_t size;
  const char* takes;
  const char* gives;
  bool leaves; /* it ends when its master is gone; otherwise it waits for another one */
  /* Answers with the result by coracle_answer(). A failure ends the slave, and another slave gets
   * the task. */
  void (*work)(coracle_agent* self, coracle_question* question, const void* task, size_t size,
               void* context);
  void (*end)(void* context);
  void* context;
} coracle_slave;

CORACLE_API coracle_error* coracle_slave_start(coracle_node* node,
                                               const coracle_agent_options* options,
                                               const coracle_slave* slave);

typedef struct coracle_master {
  size_t size;
  const char* task_type;
  const char* result_type;
  coracle_texts slaves; /* their names; any program makes them, at any time */
  void (*result)(coracle_agent* self, uint64_t task, const void* value, size_t size, void* context);
  void (*progress)(coracle_agent* self, uint64_t done, uint64_t all, void* context);
  void (*refusal)(coracle_agent* self, const char* slave, const char* why, void* context);
  void (*end)(void* context);
  void* context;
} coracle_master;

CORACLE_API coracle_error* coracle_master_start(coracle_node* node,
                                                const coracle_agent_options* options,
                                                const coracle_master* master, coracle_role** out);

typedef enum coracle_shares {
  CORACLE_GUIDED = 0, /* chunks for slaves that have little to do, large at first, then small */
  CORACLE_FIXED = 1,  /* an equal part for each slave from the beginning */
  CORACLE_DYNAMIC = 2 /* the next chunk for a slave that has little to do */
} coracle_shares;

typedef struct coracle_value {
  const void* value; /* CBOR */
  size_t size;
} coracle_value;

typedef struct coracle_division {
  size_t size;
  const coracle_value* tasks;
  size_t task_count;
  const char* slave; /* the only one that gets the tasks, of which there is 1 then; NULL: all */
  coracle_shares shares;
  uint32_t chunk;   /* 0: 1 */
  uint32_t most;    /* 0: 1,024 */
  bool ordered;     /* results are reported in the order of the tasks */
  uint64_t ahead;   /* 0: 1,000,000 */
  uint8_t attempts; /* deaths of slaves over one task that end the division; 0: 5 */
} coracle_division;

/* Gives the tasks to slaves. The result has a value for each task, in their order. One division is
 * under way at a time; the others wait. */
CORACLE_API coracle_error* coracle_master_divide(coracle_role* master,
                                                 const coracle_division* division,
                                                 coracle_result** out, const coracle_begin* begin);

/* --- layers of behaviours --- */

/* An input or an output. */
typedef struct coracle_terminal {
  const char* name;
  const char* type;
  bool is_input;
} coracle_terminal;

typedef struct coracle_layer {
  size_t size;
  const char* name;
  unsigned layer;
  const coracle_terminal* terminals;
  size_t terminal_count;
  /* Is called at the beginning, and when signals have come or the alarm rings. It reads inputs,
   * sends signals, and answers by coracle_answer_done(). coracle_agent_end() ends the behaviour. */
  void (*react)(coracle_agent* self, coracle_question* question, void* context);
  void (*end)(void* context);
  void* context;
} coracle_layer;

/* In react(): the last signal that came to an input; NULL if there was none. `is_fresh` is true if
 * it came since the last reaction. */
CORACLE_API coracle_error* coracle_question_input(const coracle_question* question,
                                                  const char* input, const void** signal,
                                                  size_t* size, bool* is_fresh);
/* `*out` is true if the alarm is the reason for this reaction. */
CORACLE_API coracle_error* coracle_question_alarm_rang(const coracle_question* question, bool* out);
/* Sends a signal from an output when the reaction ends. */
CORACLE_API coracle_error* coracle_question_signal(coracle_question* question, const char* output,
                                                   const void* signal, size_t size);
/* Sets the alarm, from the end of the reaction on. */
CORACLE_API coracle_error* coracle_question_alarm(coracle_question* question, coracle_span after);

typedef enum coracle_effect {
  CORACLE_SIGNALS = 0,
  CORACLE_SUPPRESSES = 1, /* for `constant` after each signal, the input gets only these signals */
  CORACLE_INHIBITS = 2    /* for `constant` after each signal, the output sends nothing */
} coracle_effect;

typedef struct coracle_wire {
  const char* from; /* "behaviour.output" */
  const char* to;   /* "behaviour.input", or an output that is inhibited */
  coracle_effect effect;
  coracle_span constant;
} coracle_wire;

typedef struct coracle_subsumption {
  size_t size;
  const char* name; /* the agents are named name/behaviour */
  /* All behaviours; one without react() is made by another process. */
  const coracle_layer* layers;
  size_t layer_count;
  const coracle_wire* wires;
  size_t wire_count;
  void (*end)(void* context); /* all behaviours that began here have ended; may be NULL */
  void* context;              /* of `end` */
} coracle_subsumption;

/* Starts the behaviours of a network that have functions. If a name is taken, it fails, and those
 * that have begun before stay. */
CORACLE_API coracle_error* coracle_subsumption_start(coracle_node* node,
                                                     const coracle_subsumption* network);

#ifdef __cplusplus
}
#endif

#endif
