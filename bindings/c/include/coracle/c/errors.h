/* Errors, handles and spans of time. Part of <coracle.h>. */
#ifndef CORACLE_C_ERRORS_H
#define CORACLE_C_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORACLE_API __attribute__((visibility("default")))
#define CORACLE_INIT(type) ((type){.size = sizeof(type)})

typedef enum coracle_code {
  CORACLE_OK = 0,
  CORACLE_BAD_NAME = 1,
  CORACLE_NAME_TAKEN = 2,
  CORACLE_NO_SUCH_AGENT = 3,
  CORACLE_FENCED = 4,
  CORACLE_NOT_PERMITTED = 5,
  CORACLE_BAD_REALIZATION = 6,
  CORACLE_BAD_PATTERN = 7,
  CORACLE_BAD_OPTIONS = 8,
  CORACLE_TOO_LARGE = 9,
  CORACLE_WRONG_TYPE = 10,
  CORACLE_BAD_ENCODING = 11,
  CORACLE_MAILBOX_FULL = 12,
  CORACLE_ABSENT_FULL = 13,
  CORACLE_DEADLOCK = 14,
  CORACLE_EXPIRED = 15,
  CORACLE_UNDELIVERABLE = 16,
  CORACLE_DROPPED = 17,
  CORACLE_REFUSED = 18,
  CORACLE_PEER_DOWN = 19,
  CORACLE_AGENT_FAILED = 20,
  CORACLE_CANCELLED = 21,
  CORACLE_STOPPED = 22,
  CORACLE_NO_CREDIT = 23,
  CORACLE_STORE_LOST = 24,
  CORACLE_WRONG_THREAD = 25,
  CORACLE_LIMIT_REACHED = 26,
  CORACLE_UNSUPPORTED = 27,
  CORACLE_BAD_ENDPOINT = 28,
  CORACLE_CANNOT_LISTEN = 29,
  CORACLE_UNREACHABLE = 30,
  CORACLE_DISCONNECTED = 31,
  CORACLE_DISK_FULL = 32,
  CORACLE_DISK_FAILED = 33,
  CORACLE_NO_SUCH_FILE = 34,
  CORACLE_FILE_EXISTS = 35,
  CORACLE_BAD_PATH = 36,
  CORACLE_NO_SUCH_FUNCTION = 37,
  CORACLE_UNANSWERED = 38,
  /* Errors of this interface alone. */
  CORACLE_BAD_HANDLE = 1000,   /* the object is closed, or never existed */
  CORACLE_BAD_ARGUMENT = 1001, /* a pointer is NULL, or a value is impossible */
  CORACLE_NO_MEMORY = 1002,
  CORACLE_FORKED = 1003, /* the process was forked after the library was used */
  CORACLE_FAILED = 1004  /* a function of the program failed, or the library did unexpectedly */
} coracle_code;

typedef struct coracle_error coracle_error;

/* The kind of the failure; CORACLE_OK for NULL. */
CORACLE_API coracle_code coracle_error_code(const coracle_error* error);
/* The sentence that says what happened, to what, and what to do; valid until the error is freed. */
CORACLE_API const char* coracle_error_sentence(const coracle_error* error);
/* NULL is allowed, as in every function that frees. */
CORACLE_API void coracle_error_free(coracle_error* error);

/* The version of the library, for example "1.0.0". */
CORACLE_API const char* coracle_version(void);

/* --- handles and times --- */

typedef struct coracle_node coracle_node;
typedef struct coracle_loop coracle_loop;
typedef struct coracle_port coracle_port;
typedef struct coracle_message coracle_message;
typedef struct coracle_messages coracle_messages; /* a list */
typedef struct coracle_stream coracle_stream;
typedef struct coracle_receipt coracle_receipt;
typedef struct coracle_agent coracle_agent;
typedef struct coracle_entries coracle_entries;
typedef struct coracle_tuple coracle_tuple;
typedef struct coracle_writer coracle_writer;
typedef struct coracle_reader coracle_reader;
typedef struct coracle_question coracle_question;
typedef struct coracle_result coracle_result;
typedef struct coracle_role coracle_role;

/* A time span in nanoseconds. Where a span limits a wait, zero is the default that the field's
 * comment names, and CORACLE_NEVER sets no limit. */
typedef int64_t coracle_span;
#define CORACLE_NEVER INT64_MAX
#define CORACLE_MILLISECONDS(count) ((coracle_span)(count)*1000000)
#define CORACLE_SECONDS(count) ((coracle_span)(count)*1000000000)

#ifdef __cplusplus
}
#endif

#endif
