/* Questions to the program, which it answers when it can, and results of roles and calls. Part of
 * <coracle.h>. */
#ifndef CORACLE_C_QUESTIONS_H
#define CORACLE_C_QUESTIONS_H

#include "coracle/c/messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function that must give an answer is given a question. It may answer before it returns, or
 * keep the question and let any thread answer later. Meanwhile the agent's other work goes on as
 * the role allows. The data that came with a question are valid until it is answered or freed.
 *
 * An answer frees its question. So a second answer fails with CORACLE_BAD_HANDLE. An answer of the
 * wrong kind fails with CORACLE_BAD_ARGUMENT and leaves the question open. An answer that nobody
 * waits for any more, because the agent or its node has ended, fails with CORACLE_STOPPED.
 *
 * Values are CBOR (values.h), one complete item each, whatever their type in C++. */

/* The answer is a value: the result of a call, a reply, or the result of a task. */
CORACLE_API coracle_error* coracle_answer(coracle_question* question, const void* value,
                                          size_t size);
/* The function has done what it had to, with the items that were put, if any; where a value is
 * wanted, it is null. */
CORACLE_API coracle_error* coracle_answer_done(coracle_question* question);
/* The answer is a text. Where a reason is asked for, NULL is no reason: all is well. */
CORACLE_API coracle_error* coracle_answer_text(coracle_question* question, const char* text);
/* Puts an item into the answer of a source or filter, before coracle_answer_done(). */
CORACLE_API coracle_error* coracle_question_put(coracle_question* question, const void* item,
                                                size_t size);
/* There is no answer, for that reason. A server and a function of a service then refuse the
 * request, and continue; a stage ends its stream at this item; in other roles it is a failure. */
CORACLE_API coracle_error* coracle_question_refuse(coracle_question* question, const char* reason);
/* The program has failed at it: the role ends as its agent does by an exception in C++. */
CORACLE_API coracle_error* coracle_question_fail(coracle_question* question, const char* text);
/* Ends the agent that asks as coracle_agent_end() does without a reason, when this question is
 * answered: after the items and the result of this answer. Where a role does not end in this way,
 * and for a question of a game, which no agent asks, it fails with CORACLE_BAD_ARGUMENT. */
CORACLE_API coracle_error* coracle_question_end(coracle_question* question);
/* `*out` is true if somebody still waits for the answer. */
CORACLE_API coracle_error* coracle_question_is_open(const coracle_question* question, bool* out);
/* Without an answer, it is a failure. */
CORACLE_API void coracle_question_free(coracle_question* question);

/* A result is that of a call, or of an operation of a role. */
/* The number of its values, which is 1 for a call. */
CORACLE_API coracle_error* coracle_result_count(const coracle_result* result, size_t* out);
/* A value, from 0, as CBOR; valid until the result is freed. */
CORACLE_API coracle_error* coracle_result_value(const coracle_result* result, size_t number,
                                                const void** value, size_t* size);
CORACLE_API void coracle_result_free(coracle_result* result);

/* An agent with a role by which the program acts: a client, a master, a planner. It ends when it is
 * freed, after the operations that have begun. */
CORACLE_API void coracle_role_free(coracle_role* role);

/* A text for each of `count`; the strings are copied where they are given. */
typedef struct coracle_texts {
  const char* const* texts;
  size_t count;
} coracle_texts;

#ifdef __cplusplus
}
#endif

#endif
