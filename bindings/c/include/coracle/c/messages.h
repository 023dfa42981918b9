/* Sending and receiving. Part of <coracle.h>. */
#ifndef CORACLE_C_MESSAGES_H
#define CORACLE_C_MESSAGES_H

#include "coracle/c/nodes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coracle_header {
  const char* key;
  const char* value;
} coracle_header;

typedef struct coracle_post {
  size_t size;
  const char* to;                      /* one agent; or: */
  const coracle_message* to_sender_of; /* the agent that sent it; or: */
  const char* const* many;             /* each agent of a list; or: */
  size_t many_count;
  const char* group; /* each member of a group */
  const void* content;
  size_t content_size;
  const char* type; /* of the content; NULL: "text/plain" */
  uint64_t conversation;
  const char* reply_to;
  const coracle_header* headers;
  size_t header_count;
  coracle_span expires;  /* 0: never */
  coracle_span patience; /* for room; 0: the node's */
} coracle_post;

/* Sends; ends when every target's mailbox has taken the message. */
CORACLE_API coracle_error* coracle_send(coracle_port* port, const coracle_post* post,
                                        const coracle_begin* begin);
/* The same, and gives a receipt. */
CORACLE_API coracle_error* coracle_track(coracle_port* port, const coracle_post* post,
                                         coracle_receipt** out, const coracle_begin* begin);
/* Sends to one agent without waiting: `*sent` is false when the agent has no room now, or when the
 * node has threads of its own; then nothing was sent, and coracle_send() will wait. */
CORACLE_API coracle_error* coracle_try_send(coracle_port* port, const coracle_post* post,
                                            bool* sent);
/* Sends a request to one agent and waits for the reply, for at most `longest`; 0: without limit. */
CORACLE_API coracle_error* coracle_ask(coracle_port* port, const coracle_post* post,
                                       coracle_span longest, coracle_message** out,
                                       const coracle_begin* begin);
/* Replies to a request; of `post`, only the content and its type are used. */
CORACLE_API coracle_error* coracle_reply(coracle_port* port, const coracle_message* request,
                                         const coracle_post* post, const coracle_begin* begin);
/* The same without waiting, as coracle_try_send(). */
CORACLE_API coracle_error* coracle_try_reply(coracle_port* port, const coracle_message* request,
                                             const coracle_post* post, bool* sent);
/* Refuses a request, for a reason that its sender is told. */
CORACLE_API coracle_error* coracle_refuse(coracle_port* port, const coracle_message* request,
                                          const char* reason, const coracle_begin* begin);

typedef enum coracle_stage {
  CORACLE_ACCEPTED = 0,
  CORACLE_STORED = 1,
  CORACLE_DELIVERED = 2,
  CORACLE_CONSUMED = 3
} coracle_stage;

/* Waits until the message has reached the stage at every target (`*out` is true), or will not, or
 * until the deadline; 0: without limit. */
CORACLE_API coracle_error* coracle_receipt_reached(coracle_receipt* receipt, coracle_stage stage,
                                                   coracle_span longest, bool* out,
                                                   const coracle_begin* begin);
CORACLE_API void coracle_receipt_free(coracle_receipt* receipt);

/* The messages that a receive wants; all conditions that are set must hold. */
typedef struct coracle_match {
  size_t size;
  const char* from;
  uint64_t conversation;
  const char* type;
  uint64_t tap;         /* overheard by this tap */
  bool addressed;       /* not overheard */
  coracle_span longest; /* of the wait; 0: without limit */
} coracle_match;

/* Receives the oldest message that fits; `match` may be NULL. `*out` is NULL when none came in
 * time. */
CORACLE_API coracle_error* coracle_receive(coracle_port* port, const coracle_match* match,
                                           coracle_message** out, const coracle_begin* begin);
/* The same without waiting: `*out` is NULL when there is none. */
CORACLE_API coracle_error* coracle_try_receive(coracle_port* port, const coracle_match* match,
                                               coracle_message** out);

/* Receives all messages that fit, up to `most`, as a list with the oldest first; waits for the
 * first one. `*out` is NULL when none came in time. */
CORACLE_API coracle_error* coracle_receive_many(coracle_port* port, const coracle_match* match,
                                                size_t most, coracle_messages** out,
                                                const coracle_begin* begin);
/* Takes the next message from the list; `*out` is NULL when there is no other one. */
CORACLE_API coracle_error* coracle_messages_next(coracle_messages* messages, coracle_message** out);
/* Messages that were not taken go back to their mailbox. */
CORACLE_API void coracle_messages_free(coracle_messages* messages);

/* Opens a stream: a receive that goes on. It costs less than many receives. Each call of
 * coracle_stream_next() asks for one more message, and each message is an event with the key of
 * `begin`. After an event with an error, there are no others. */
CORACLE_API coracle_error* coracle_stream_open(coracle_port* port, const coracle_match* match,
                                               const coracle_begin* begin, coracle_stream** out);
CORACLE_API coracle_error* coracle_stream_next(coracle_stream* stream);
/* Ends the stream; messages that were not taken go back to their mailbox. */
CORACLE_API void coracle_stream_free(coracle_stream* stream);

/* The reason for which copies, or notices, are missing. */
typedef enum coracle_gap_reason {
  CORACLE_NO_GAP = 0,      /* the message is no gap marker */
  CORACLE_GAP_MAILBOX = 1, /* too many copies were waiting */
  CORACLE_GAP_RATE = 2,    /* the rate of the tap was exceeded */
  CORACLE_GAP_NOTICES = 3, /* it counts notices that are missing, and no copies */
  CORACLE_GAP_UNKNOWN = 4  /* a node that may have sent copies has died, or is out of reach */
} coracle_gap_reason;

/* The report of a notice on a message that was overheard before. */
typedef enum coracle_notice {
  CORACLE_NO_NOTICE = 0,         /* the message is no notice */
  CORACLE_NOTICE_KEPT = 1,       /* it is in the mailbox of an agent that is there */
  CORACLE_NOTICE_HANDED_OUT = 2, /* an agent has received it */
  CORACLE_NOTICE_ENDED = 3       /* it has its outcome */
} coracle_notice;

typedef enum coracle_outcome {
  CORACLE_NO_OUTCOME = 0, /* it has not ended, or this is no notice */
  CORACLE_OUTCOME_CONSUMED = 1,
  CORACLE_OUTCOME_EXPIRED = 2,
  CORACLE_OUTCOME_REFUSED = 3,
  CORACLE_OUTCOME_UNDELIVERABLE = 4,
  CORACLE_OUTCOME_DROPPED = 5,
  CORACLE_OUTCOME_STORE_LOST = 6
} coracle_outcome;

typedef enum coracle_drop_reason {
  CORACLE_NOT_DROPPED = 0,
  CORACLE_DROPPED_OLDEST = 1,
  CORACLE_DROPPED_NEWEST = 2,
  CORACLE_DROPPED_REPLACED = 3,
  CORACLE_DROPPED_LATE_REPLY = 4,
  CORACLE_DROPPED_RECEIVER_GONE = 5
} coracle_drop_reason;

typedef enum coracle_copied_kind {
  CORACLE_COPIED_PLAIN = 0, /* also of a message that is no copy */
  CORACLE_COPIED_REQUEST = 1,
  CORACLE_COPIED_REPLY = 2,
  CORACLE_COPIED_FAILURE = 3 /* a reply that says why there is none */
} coracle_copied_kind;

typedef struct coracle_message_info {
  size_t size;
  const char* source; /* this and the other pointers are valid until the message is freed */
  const char* target; /* the agent or group to which it was sent */
  const char* type;   /* of the content */
  const char* reply_to;
  const void* content;
  size_t content_size;
  uint64_t conversation;
  uint64_t sequence;
  uint64_t tap; /* 0: it was not overheard */
  uint64_t gap; /* of a gap marker: the number of missing copies; UINT64_MAX: unknown */
  bool is_request;
  bool redelivered;
  bool earlier; /* sent to a group before this agent joined */
  /* Of a notice: the agent to which the message was sent, for a message to a group one of its
   * members; NULL: it is no notice. Source, target, sequence and conversation are the message's. */
  const char* receiver;
  coracle_notice notice;
  coracle_outcome outcome;         /* with CORACLE_NOTICE_ENDED */
  coracle_drop_reason drop_reason; /* with CORACLE_OUTCOME_DROPPED */
  coracle_gap_reason gap_reason;
  coracle_copied_kind copied_kind; /* the kind of the message of which this is a copy */
} coracle_message_info;

/* The content alone, valid until the message is freed. */
CORACLE_API coracle_error* coracle_message_content(const coracle_message* message,
                                                   const void** content, size_t* size);
/* Describes a message; info->size must be set. */
CORACLE_API coracle_error* coracle_message_read(const coracle_message* message,
                                                coracle_message_info* info);
/* The value of a header; NULL when there is none. */
CORACLE_API coracle_error* coracle_message_header(const coracle_message* message, const char* key,
                                                  const char** out);
/* The header with that number, from 0; both NULL when there are not so many. */
CORACLE_API coracle_error* coracle_message_header_at(const coracle_message* message, size_t number,
                                                     const char** key, const char** value);
/* Consumes the message now. It must still be freed. */
CORACLE_API coracle_error* coracle_message_acknowledge(coracle_message* message);
/* Keeps a request open: its sender goes on waiting when the message is freed without a reply. */
CORACLE_API coracle_error* coracle_message_keep(coracle_message* message);
/* Puts the message back into its mailbox, and frees it. */
CORACLE_API coracle_error* coracle_message_give_back(coracle_message* message);
/* Acknowledges the message and frees it. A request without a reply ends for its sender. */
CORACLE_API void coracle_message_free(coracle_message* message);

#ifdef __cplusplus
}
#endif

#endif
