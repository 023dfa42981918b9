/* A command of the contract's driver: NUMBER VERB key=value ..., in which %XX stands for a byte. */
#ifndef CORACLE_CONTRACT_REQUEST_H
#define CORACLE_CONTRACT_REQUEST_H

#include <coracle.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_fields = 24, most_words = 16 };

struct request {
  uint64_t number;
  const char* verb;
  size_t count;
  const char *keys[most_fields], *values[most_fields];
};

/* Fields with several parts. */
struct lists {
  char text[1024];
  const char* words[most_words];
  coracle_header headers[most_words];
  coracle_property properties[most_words];
};

static inline bool is(const char* text, const char* word) { return strcmp(text, word) == 0; }

static inline void decode(char* text) {
  char* to = text;
  for (; *text != 0; ++text) {
    if (*text != '%') {
      *to++ = *text;
      continue;
    }
    const char digits[] = {text[1], text[2], 0};
    *to++ = (char)strtoul(digits, NULL, 16);
    text += 2;
  }
  *to = 0;
}

static inline void read_request(char* line, struct request* request) {
  char* place = NULL;
  request->number = strtoull(strtok_r(line, " ", &place), NULL, 10);
  request->verb = strtok_r(NULL, " ", &place);
  request->count = 0;
  for (char* each; (each = strtok_r(NULL, " ", &place)) != NULL;) {
    char* const value = strchr(each, '=');
    if (value == NULL || request->count == most_fields || request->verb == NULL) {
      fprintf(stderr, "player: cannot read '%s'\n", each);
      exit(1);
    }
    *value = 0;
    decode(value + 1);
    request->keys[request->count] = each;
    request->values[request->count++] = value + 1;
  }
}

/* The value of a field; NULL when there is none. */
static inline const char* field(const struct request* from, const char* key) {
  for (size_t each = 0; each < from->count; ++each)
    if (is(from->keys[each], key)) return from->values[each];
  return NULL;
}

static inline uint64_t number_field(const struct request* from, const char* key) {
  const char* const value = field(from, key);
  return value == NULL ? 0 : strtoull(value, NULL, 10);
}

/* The words of a text, which may be NULL; returns how many there are. */
static inline size_t words(const char* text, struct lists* lists) {
  size_t count = 0;
  char* place = NULL;
  snprintf(lists->text, sizeof lists->text, "%s", text == NULL ? "" : text);
  for (char* each = strtok_r(lists->text, " ", &place); each != NULL && count < most_words;
       each = strtok_r(NULL, " ", &place))
    lists->words[count++] = each;
  return count;
}

/* The fields whose keys begin with `prefix`; returns how many there are. */
static inline size_t headers(const struct request* from, const char* prefix, struct lists* lists) {
  size_t count = 0;
  for (size_t each = 0; each < from->count && count < most_words; ++each) {
    if (strncmp(from->keys[each], prefix, strlen(prefix)) != 0) continue;
    lists->headers[count].key = from->keys[each] + strlen(prefix);
    lists->headers[count++].value = from->values[each];
  }
  return count;
}

/* The fields integer.KEY and string.KEY as properties; returns how many there are. */
static inline size_t properties(const struct request* from, struct lists* lists) {
  size_t count = 0;
  for (size_t each = 0; each < from->count && count < most_words; ++each) {
    const char* const key = from->keys[each];
    const bool is_integer = strncmp(key, "integer.", 8) == 0;
    if (!is_integer && strncmp(key, "string.", 7) != 0) continue;
    coracle_property* const property = &lists->properties[count++];
    memset(property, 0, sizeof *property);
    property->key = key + (is_integer ? 8 : 7);
    property->kind = is_integer ? CORACLE_INTEGER : CORACLE_TEXT;
    if (is_integer) property->integer = strtoll(from->values[each], NULL, 10);
    else property->text = from->values[each];
  }
  return count;
}

/* Prints a field of an answer. */
static inline void print_field(const char* key, const char* value, size_t size) {
  printf(" %s=", key);
  for (size_t each = 0; each < size; ++each) {
    const unsigned char byte = (unsigned char)value[each];
    if (isalnum(byte) || strchr("/-_.", byte) != NULL) putchar(byte);
    else printf("%%%02X", byte);
  }
}

#endif
