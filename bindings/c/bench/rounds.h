/* The time of round trips, in batches of 100; the first fifth of the time is the warm-up. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { batch = 100 };

struct rounds {
  double seconds;     /* of the measured part */
  int64_t begin, end; /* of the measured part; 0: not begun */
  int64_t batch_began;
  uint64_t count;  /* of all round trips */
  double* samples; /* nanoseconds of a round trip, for each batch */
  size_t samples_count, samples_room;
};

static inline int64_t nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A round trip is over; returns whether the time is over, too. */
static inline bool count_round(struct rounds* rounds) {
  if (rounds->count++ % batch != 0) return false;
  const int64_t now = nanoseconds_now();
  if (rounds->end == 0) {
    rounds->begin = now + (int64_t)(rounds->seconds * 0.2e9);
    rounds->end = rounds->begin + (int64_t)(rounds->seconds * 1e9);
  } else if (rounds->batch_began >= rounds->begin) {
    if (rounds->samples_count == rounds->samples_room) {
      rounds->samples_room = 2 * rounds->samples_room + 1000;
      rounds->samples = realloc(rounds->samples, rounds->samples_room * sizeof(double));
      if (rounds->samples == NULL) abort();
    }
    rounds->samples[rounds->samples_count++] = (double)(now - rounds->batch_began) / batch;
  }
  rounds->batch_began = now;
  return now >= rounds->end && rounds->samples_count != 0;
}

static inline int compare_samples(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static inline void print_rounds(struct rounds* rounds, const char* scenario, const char* version) {
  const size_t count = rounds->samples_count;
  double sum = 0;
  for (size_t each = 0; each < count; ++each) sum += rounds->samples[each];
  qsort(rounds->samples, count, sizeof(double), &compare_samples);
  printf(
      "{\"system\":\"c\",\"scenario\":\"%s\",\"version\":\"%s\",\"value\":%.1f,\"p50\":%.1f,"
      "\"p99\":%.1f,\"n\":%zu}\n",
      scenario, version, sum / (double)count, rounds->samples[count / 2],
      rounds->samples[count * 99 / 100], count * batch);
  free(rounds->samples);
}

#endif
