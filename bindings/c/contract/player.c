/* The player of the contract in C: reads commands, acts as agents, and prints what happened.
 * bindings/contract/players.py describes the commands. */
#include "overheard.h"
#include "request.h"

#include <coracle.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static coracle_node* node;
static coracle_loop* loop;
static bool by_loop;

/* --- what the driver names by a name or by the number of a request --- */

enum { most_agents = 64, most_kept = 256 };

static struct {
  char name[64];
  coracle_port* port;
} agents[most_agents];

static struct {
  uint64_t number;
  coracle_message* message;
  coracle_receipt* receipt;
} kept[most_kept];

static coracle_port** place_of(const char* name) {
  for (int each = 0; each < most_agents; ++each)
    if (strcmp(agents[each].name, name) == 0) return &agents[each].port;
  for (int each = 0; each < most_agents; ++each) {
    if (agents[each].name[0] != 0) continue;
    snprintf(agents[each].name, sizeof agents[each].name, "%s", name);
    return &agents[each].port;
  }
  fprintf(stderr, "player: too many agents\n");
  exit(1);
}

static void keep(uint64_t number, coracle_message* message, coracle_receipt* receipt) {
  for (int each = 0; each < most_kept; ++each) {
    if (kept[each].message != NULL || kept[each].receipt != NULL) continue;
    kept[each].number = number;
    kept[each].message = message;
    kept[each].receipt = receipt;
    return;
  }
  fprintf(stderr, "player: too many messages are kept\n");
  exit(1);
}

static coracle_message* kept_message(uint64_t number, bool forget) {
  for (int each = 0; each < most_kept; ++each) {
    if (kept[each].number != number || kept[each].message == NULL) continue;
    coracle_message* const message = kept[each].message;
    if (forget) kept[each].message = NULL;
    return message;
  }
  return NULL;
}

static coracle_receipt* kept_receipt(uint64_t number) {
  for (int each = 0; each < most_kept; ++each)
    if (kept[each].number == number && kept[each].receipt != NULL) return kept[each].receipt;
  return NULL;
}

static void forget_all(void) {
  for (int each = 0; each < most_kept; ++each) {
    coracle_message_free(kept[each].message);
    coracle_receipt_free(kept[each].receipt);
  }
  memset(kept, 0, sizeof kept);
  for (int each = 0; each < most_agents; ++each) coracle_port_close(agents[each].port);
  memset(agents, 0, sizeof agents);
}

/* --- answers --- */

static void print_error(uint64_t number, coracle_error* error) {
  printf("%" PRIu64 " error code=%d", number, (int)coracle_error_code(error));
  print_field("text", coracle_error_sentence(error), strlen(coracle_error_sentence(error)));
  coracle_error_free(error);
  putchar('\n');
}

static void print_message(const coracle_message* message) {
  coracle_message_info info = CORACLE_INIT(coracle_message_info);
  coracle_error_free(coracle_message_read(message, &info));
  print_field("source", info.source, strlen(info.source));
  print_field("target", info.target, strlen(info.target));
  print_field("type", info.type, strlen(info.type));
  print_field("reply_to", info.reply_to, strlen(info.reply_to));
  print_field("text", info.content, info.content_size);
  printf(" conversation=%" PRIu64 " tap=%" PRIu64 " gap=%" PRIu64, info.conversation, info.tap,
         info.gap);
  printf(" request=%d redelivered=%d earlier=%d", info.is_request, info.redelivered, info.earlier);
  print_overheard(&info);
  for (size_t each = 0;; ++each) {
    const char *key = NULL, *value = NULL;
    coracle_error_free(coracle_message_header_at(message, each, &key, &value));
    if (key == NULL) return;
    char name[80];
    snprintf(name, sizeof name, "header.%s", key);
    print_field(name, value, strlen(value));
  }
}

static void print_messages(coracle_messages* list) {
  char texts[1024] = "";
  for (coracle_message* message = NULL;;) {
    coracle_error_free(coracle_messages_next(list, &message));
    if (message == NULL) break;
    const void* content = NULL;
    size_t size = 0, used = strlen(texts);
    coracle_error_free(coracle_message_content(message, &content, &size));
    snprintf(texts + used, sizeof texts - used, "%s%.*s", used == 0 ? "" : " ", (int)size,
             (const char*)content);
    coracle_message_free(message);
  }
  coracle_messages_free(list);
  print_field("texts", texts, strlen(texts));
}

static void print_entries(coracle_entries* entries) {
  size_t count = 0;
  coracle_error_free(coracle_entries_count(entries, &count));
  char names[1024] = "";
  for (size_t each = 0; each < count; ++each) {
    const char* name = NULL;
    coracle_error_free(coracle_entries_at(entries, each, &name, NULL));
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", each == 0 ? "" : " ", name);
  }
  coracle_entries_free(entries);
  print_field("names", names, strlen(names));
}

/* The requests that keep their message, and the names of ports that are being opened. */
static struct {
  uint64_t number;
  bool keeps;
  char opens[64];
} waiting[4096];

static void answer(coracle_event* event) {
  const uint64_t number = event->key;
  if (event->error != NULL) {
    print_error(number, event->error);
    return;
  }
  printf("%" PRIu64 " ok number=%" PRIu64, number, event->number);
  if (event->message != NULL) {
    print_message(event->message);
    if (waiting[number % 4096].keeps) keep(number, event->message, NULL);
    else coracle_message_free(event->message);
  }
  if (event->messages != NULL) print_messages(event->messages);
  if (event->receipt != NULL) keep(number, NULL, event->receipt);
  if (event->entries != NULL) print_entries(event->entries);
  if (event->port != NULL) *place_of(waiting[number % 4096].opens) = event->port;
  putchar('\n');
}

/* --- commands --- */

static coracle_post post_of(const struct request* from, struct lists* lists) {
  coracle_post post = CORACLE_INIT(coracle_post);
  post.to = field(from, "to");
  post.group = field(from, "group");
  post.many_count = words(field(from, "many"), lists);
  post.many = post.many_count != 0 ? lists->words : NULL;
  post.content = field(from, "text");
  post.content_size = post.content == NULL ? 0 : strlen(post.content);
  post.type = field(from, "type");
  post.conversation = number_field(from, "conversation");
  post.reply_to = field(from, "reply_to");
  post.header_count = headers(from, "header.", lists);
  post.headers = lists->headers;
  post.expires = (coracle_span)number_field(from, "expires");
  post.patience = (coracle_span)number_field(from, "patience");
  return post;
}

static coracle_match match_of(const struct request* from) {
  coracle_match match = CORACLE_INIT(coracle_match);
  match.from = field(from, "from");
  match.conversation = number_field(from, "conversation");
  match.type = field(from, "type");
  match.tap = number_field(from, "tap");
  match.addressed = field(from, "addressed") != NULL;
  match.longest = (coracle_span)number_field(from, "longest");
  return match;
}

static coracle_error* open_agent(const struct request* from, const coracle_begin* begin) {
  struct lists lists;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = field(from, "agent");
  options.mailbox_messages = (uint32_t)number_field(from, "messages");
  options.mailbox_bytes = number_field(from, "bytes");
  options.overflow = (coracle_overflow)number_field(from, "overflow");
  options.redirect = field(from, "redirect");
  options.take_over = field(from, "take_over") != NULL;
  options.property_count = properties(from, &lists);
  options.properties = lists.properties;
  snprintf(waiting[from->number % 4096].opens, 64, "%s", options.name);
  return coracle_port_open(node, &options, NULL, begin);
}

static coracle_error* overhear(const struct request* from, coracle_port* port,
                               const coracle_begin* begin) {
  struct lists lists;
  coracle_pattern pattern = CORACLE_INIT(coracle_pattern);
  pattern.source = field(from, "source");
  pattern.target = field(from, "target");
  pattern.text = field(from, "text");
  pattern.limit = (uint32_t)number_field(from, "limit");
  pattern.rate = number_field(from, "rate");
  pattern.outcomes = field(from, "outcomes") != NULL;
  pattern.component_count = headers(from, "component.", &lists);
  pattern.components = lists.headers;
  return coracle_overhear(port, &pattern, NULL, begin);
}

static coracle_error* search(const struct request* from, coracle_port* port,
                             const coracle_begin* begin) {
  struct lists lists;
  coracle_condition conditions[8];
  coracle_query query = CORACLE_INIT(coracle_query);
  query.prefix = field(from, "prefix");
  query.condition_count = properties(from, &lists);
  for (size_t each = 0; each < query.condition_count; ++each) {
    conditions[each].comparison = CORACLE_EQUAL;
    conditions[each].operand = lists.properties[each];
  }
  query.conditions = conditions;
  return coracle_search(port, &query, NULL, begin);
}

/* Begins what is asked for; `*is_over` says that no event will come. */
static coracle_error* perform(const struct request* from, bool* is_over) {
  const coracle_begin begin = {loop, from->number};
  const char* const verb = from->verb;
  const char* const name = field(from, "agent");
  coracle_port* const port = name == NULL ? NULL : *place_of(name);
  coracle_message* const message = kept_message(number_field(from, "message"), false);
  struct lists lists;
  const coracle_post post = post_of(from, &lists);
  const coracle_match match = match_of(from);
  waiting[from->number % 4096].keeps = field(from, "keep") != NULL;
  *is_over = false;
  if (is(verb, "open")) return open_agent(from, &begin);
  if (is(verb, "send")) return coracle_send(port, &post, &begin);
  if (is(verb, "track")) return coracle_track(port, &post, NULL, &begin);
  if (is(verb, "reached"))
    return coracle_receipt_reached(kept_receipt(number_field(from, "receipt")),
                                   (coracle_stage)number_field(from, "stage"), match.longest, NULL,
                                   &begin);
  if (is(verb, "ask")) return coracle_ask(port, &post, match.longest, NULL, &begin);
  if (is(verb, "reply")) return coracle_reply(port, message, &post, &begin);
  if (is(verb, "refuse")) return coracle_refuse(port, message, field(from, "text"), &begin);
  if (is(verb, "receive")) return coracle_receive(port, &match, NULL, &begin);
  if (is(verb, "receive_many"))
    return coracle_receive_many(port, &match, number_field(from, "most"), NULL, &begin);
  if (is(verb, "conversation")) return coracle_new_conversation(port, NULL, &begin);
  if (is(verb, "join")) return coracle_join(port, post.group, number_field(from, "last"), &begin);
  if (is(verb, "leave")) return coracle_leave(port, post.group, &begin);
  if (is(verb, "members")) return coracle_members(port, post.group, NULL, &begin);
  if (is(verb, "overhear")) return overhear(from, port, &begin);
  if (is(verb, "stop_overhearing"))
    return coracle_stop_overhearing(port, number_field(from, "tap"), &begin);
  if (is(verb, "describe")) {
    const size_t count = properties(from, &lists);
    return coracle_describe(port, lists.properties, count, &begin);
  }
  if (is(verb, "search")) return search(from, port, &begin);
  if (is(verb, "watch")) return coracle_watch(port, field(from, "name"), NULL, &begin);
  *is_over = true;
  if (is(verb, "close")) return coracle_port_close(port), NULL;
  if (is(verb, "acknowledge")) return coracle_message_acknowledge(message);
  if (is(verb, "keep_open")) return coracle_message_keep(message);
  if (is(verb, "cancel")) return coracle_cancel(loop, number_field(from, "what"));
  if (is(verb, "free"))
    return coracle_message_free(kept_message(number_field(from, "message"), true)), NULL;
  if (is(verb, "give_back"))
    return coracle_message_give_back(kept_message(number_field(from, "message"), true));
  fprintf(stderr, "player: unknown command %s\n", verb);
  exit(1);
}

static void try_receive(const struct request* from) {
  const coracle_match match = match_of(from);
  coracle_message* message = NULL;
  coracle_error* const error =
      coracle_try_receive(*place_of(field(from, "agent")), &match, &message);
  if (error != NULL) {
    print_error(from->number, error);
    return;
  }
  printf("%" PRIu64 " ok number=0", from->number);
  if (message != NULL) print_message(message);
  coracle_message_free(message);
  putchar('\n');
}

static void stop(const struct request* from) {
  coracle_stop_report report = CORACLE_INIT(coracle_stop_report);
  coracle_error* const error =
      coracle_node_stop(node, (coracle_span)number_field(from, "longest"), &report);
  if (error != NULL) {
    print_error(from->number, error);
    return;
  }
  printf("%" PRIu64 " ok clean=%d alive=%" PRIu64 " undelivered=%" PRIu64 " kept=%" PRIu64 "\n",
         from->number, report.clean, report.still_alive, report.undelivered, report.kept);
}

static void begin_society(const struct request* from) {
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = field(from, "realization");
  if (by_loop) options.loop = loop;
  coracle_error* const error = coracle_node_open(&options, &node);
  if (error != NULL) print_error(from->number, error);
  else printf("%" PRIu64 " ok\n", from->number);
}

static void end_society(const struct request* from) {
  forget_all();
  coracle_node_close(node);
  node = NULL;
  printf("%" PRIu64 " ok\n", from->number);
}

static void obey(char* line) {
  struct request request;
  read_request(line, &request);
  if (is(request.verb, "begin")) {
    begin_society(&request);
  } else if (is(request.verb, "end")) {
    end_society(&request);
  } else if (is(request.verb, "stop")) {
    stop(&request);
  } else if (is(request.verb, "try_receive")) {
    try_receive(&request);
  } else {
    bool is_over = false;
    coracle_error* const error = perform(&request, &is_over);
    if (error != NULL) print_error(request.number, error);
    else if (is_over) printf("%" PRIu64 " ok\n", request.number);
  }
}

/* player by_loop|by_threads */
int main(int count, char** arguments) {
  if (count != 2) return fprintf(stderr, "usage: player by_loop|by_threads\n"), 2;
  by_loop = is(arguments[1], "by_loop");
  coracle_error* error = coracle_loop_open(&loop);
  if (error != NULL) return fprintf(stderr, "%s\n", coracle_error_sentence(error)), 1;
  struct pollfd waits[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.events = POLLIN}};
  coracle_error_free(coracle_loop_descriptor(loop, &waits[1].fd));
  static char lines[65536];
  size_t used = 0;
  for (;;) {
    coracle_event events[16];
    size_t ended = 0;
    error = coracle_loop_take(loop, events, 16, &ended);
    if (error != NULL) return fprintf(stderr, "%s\n", coracle_error_sentence(error)), 1;
    for (size_t each = 0; each < ended; ++each) answer(&events[each]);
    fflush(stdout);
    poll(waits, 2, -1);
    if (waits[0].revents == 0) continue;
    const ssize_t more = read(STDIN_FILENO, lines + used, sizeof lines - used);
    if (more <= 0) break; /* the driver has ended */
    used += (size_t)more;
    for (char* end; (end = memchr(lines, '\n', used)) != NULL;) {
      *end = 0;
      obey(lines);
      used -= (size_t)(end + 1 - lines);
      memmove(lines, end + 1, used);
    }
  }
  coracle_node_close(node);
  coracle_loop_close(loop);
  return 0;
}
