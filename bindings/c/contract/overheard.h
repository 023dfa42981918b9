/* The fields that only a message has that was overheard. */
#ifndef CORACLE_CONTRACT_OVERHEARD_H
#define CORACLE_CONTRACT_OVERHEARD_H

#include "request.h"

/* The names of the values of an enumeration, from 0; one without a name is not printed. */
static void print_name(const char* key, const char* const* names, size_t count, int value) {
  if (value < 0 || (size_t)value >= count || names[value] == NULL) return;
  print_field(key, names[value], strlen(names[value]));
}

#define PRINT_NAME(key, names, value) print_name(key, names, sizeof names / sizeof *names, value)

static void print_overheard(const coracle_message_info* info) {
  static const char* const kinds[] = {"plain", "request", "reply", "failure"};
  static const char* const gaps[] = {NULL, "mailbox", "rate", "notices", "unknown"};
  static const char* const stages[] = {NULL, "kept", "handed_out", "ended"};
  static const char* const outcomes[] = {
      NULL, "consumed", "expired", "refused", "undeliverable", "dropped", "store_lost"};
  static const char* const drops[] = {NULL,       "oldest",     "newest",
                                      "replaced", "late_reply", "receiver_gone"};
  PRINT_NAME("kind", kinds, (int)info->copied_kind);
  PRINT_NAME("gap_reason", gaps, (int)info->gap_reason);
  PRINT_NAME("notice", stages, (int)info->notice);
  PRINT_NAME("outcome", outcomes, (int)info->outcome);
  PRINT_NAME("drop_reason", drops, (int)info->drop_reason);
  if (info->receiver != NULL) print_field("receiver", info->receiver, strlen(info->receiver));
}

#endif
