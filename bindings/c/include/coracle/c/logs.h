/* The library's log lines, for a program that shows them itself. Part of <coracle.h>. */
#ifndef CORACLE_C_LOGS_H
#define CORACLE_C_LOGS_H

#include "coracle/c/errors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum coracle_log_level {
  CORACLE_LOG_TRACE = 0,
  CORACLE_LOG_DEBUG = 1,
  CORACLE_LOG_INFO = 2,
  CORACLE_LOG_WARNING = 3,
  CORACLE_LOG_ERROR = 4
} coracle_log_level;

typedef struct coracle_log_line {
  size_t size;
  coracle_log_level level;
  const char* part; /* of the library that wrote the line: node, link, directory, store, beacon,
                       gateway */
  const char* text; /* characters that could deceive a reader are escaped */
} coracle_log_line;

/* Selects the lines for this process, as the variable CORACLE_LOG does: "debug,link=trace"; "off".
 */
CORACLE_API coracle_error* coracle_log_set(const char* levels);
/* From now on lines wait for coracle_log_next(), and are not written to standard error. The
 * descriptor is readable while lines wait; the caller polls it, and does not read it. When 1,000
 * lines wait, further ones are lost, and a line tells how many. Fails with CORACLE_LIMIT_REACHED
 * when it is open already. */
CORACLE_API coracle_error* coracle_log_open(int* descriptor);
/* Takes the oldest line, without waiting; `*is_there` is false if there is none. Its texts are
 * valid until the next call. */
CORACLE_API coracle_error* coracle_log_next(coracle_log_line* line, bool* is_there);
/* From now on lines go to standard error again. */
CORACLE_API void coracle_log_close(void);

#ifdef __cplusplus
}
#endif

#endif
