/* Taps with a rate and with outcomes: copies, gaps and notices; and programs of before them. */
#include "check.h"

#include <stddef.h>

static coracle_pattern messages_to(const char* target) {
  coracle_pattern pattern = CORACLE_INIT(coracle_pattern);
  pattern.target = target;
  return pattern;
}

/* The next message of that tap; 0: that was sent to the agent. */
static coracle_message* next(coracle_port* port, uint64_t tap) {
  coracle_match match = CORACLE_INIT(coracle_match);
  match.tap = tap;
  match.addressed = tap == 0;
  coracle_message* message = NULL;
  GOOD(coracle_receive(port, &match, &message, NULL));
  CHECK(message != NULL);
  return message;
}

static void send_text(coracle_port* from, const char* target, const char* text) {
  const coracle_post post = text_to(target, text);
  GOOD(coracle_send(from, &post, NULL));
}

static void stages(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_port* const spy = open_port(node, "spy");
  coracle_pattern pattern = messages_to("bob");
  pattern.outcomes = true;
  uint64_t tap = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  send_text(ann, "bob", "hello");
  coracle_message_free(next(bob, 0));

  coracle_message* const copy = next(spy, tap);
  const coracle_message_info copied = info_of(copy);
  CHECK(has_text(copy, "hello") && copied.tap == tap);
  CHECK(copied.notice == CORACLE_NO_NOTICE && copied.receiver == NULL);
  CHECK(copied.outcome == CORACLE_NO_OUTCOME && copied.gap_reason == CORACLE_NO_GAP);
  const coracle_notice expected[] = {CORACLE_NOTICE_KEPT, CORACLE_NOTICE_HANDED_OUT,
                                     CORACLE_NOTICE_ENDED};
  for (size_t each = 0; each < 3; ++each) {
    coracle_message* const notice = next(spy, tap);
    const coracle_message_info info = info_of(notice);
    CHECK(info.notice == expected[each] && info.tap == tap && info.gap == 0);
    CHECK(strcmp(info.receiver, "bob") == 0 && strcmp(info.source, "ann") == 0);
    CHECK(info.sequence == copied.sequence && info.drop_reason == CORACLE_NOT_DROPPED);
    CHECK((info.outcome == CORACLE_OUTCOME_CONSUMED) == (each == 2));
    coracle_message_free(notice);
  }
  coracle_message_free(copy);
  coracle_port_close(spy);
  coracle_port_close(bob);
  coracle_port_close(ann);
}

static void drops(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const spy = open_port(node, "spy");
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "box";
  options.mailbox_messages = 1;
  options.overflow = CORACLE_DROP_OLDEST;
  coracle_port* box = NULL;
  GOOD(coracle_port_open(node, &options, &box, NULL));
  coracle_pattern pattern = messages_to("box");
  pattern.outcomes = true;
  uint64_t tap = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  send_text(ann, "box", "1");
  send_text(ann, "box", "2");
  coracle_message_info info;
  do {
    coracle_message* const message = next(spy, tap);
    info = info_of(message);
    coracle_message_free(message);
  } while (info.notice != CORACLE_NOTICE_ENDED);
  CHECK(info.outcome == CORACLE_OUTCOME_DROPPED && info.drop_reason == CORACLE_DROPPED_OLDEST);
  coracle_port_close(box);
  coracle_port_close(spy);
  coracle_port_close(ann);
}

static void kinds(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_port* const spy = open_port(node, "spy");
  const coracle_pattern pattern = messages_to("ann|bob");
  uint64_t tap = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin begin = {loop, 1};
  const coracle_post question = text_to("bob", "?");
  GOOD(coracle_ask(ann, &question, 0, NULL, &begin));
  coracle_message* request = next(bob, 0);
  const coracle_post answer = text_to(NULL, "!");
  GOOD(coracle_reply(bob, request, &answer, NULL));
  coracle_message_free(request);
  GOOD(coracle_ask(ann, &question, 0, NULL, &begin));
  request = next(bob, 0);
  CHECK(info_of(request).is_request && info_of(request).copied_kind == CORACLE_COPIED_PLAIN);
  GOOD(coracle_refuse(bob, request, "no", NULL));
  coracle_message_free(request);
  send_text(ann, "bob", "bye");
  const coracle_copied_kind expected[] = {CORACLE_COPIED_REQUEST, CORACLE_COPIED_REPLY,
                                          CORACLE_COPIED_REQUEST, CORACLE_COPIED_FAILURE,
                                          CORACLE_COPIED_PLAIN};
  for (size_t each = 0; each < 5; ++each) {
    coracle_message* const copy = next(spy, tap);
    CHECK(info_of(copy).copied_kind == expected[each] && !info_of(copy).is_request);
    coracle_message_free(copy);
  }
  coracle_loop_close(loop);
  coracle_port_close(spy);
  coracle_port_close(bob);
  coracle_port_close(ann);
}

static void gaps(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_port* const spy = open_port(node, "spy");
  coracle_pattern pattern = messages_to("bob");
  pattern.rate = UINT64_MAX; /* hardly a limit */
  pattern.limit = 2;
  uint64_t tap = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  for (int each = 0; each < 5; ++each) send_text(ann, "bob", "x");
  for (int each = 0; each < 2; ++each) coracle_message_free(next(spy, tap));
  coracle_message* gap = next(spy, tap);
  CHECK(info_of(gap).gap == 3 && info_of(gap).gap_reason == CORACLE_GAP_MAILBOX);
  coracle_message_free(gap);
  GOOD(coracle_stop_overhearing(spy, tap, NULL));

  pattern.rate = 1;
  pattern.limit = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  for (int each = 0; each < 20; ++each) send_text(ann, "bob", "x");
  for (gap = next(spy, tap); info_of(gap).gap == 0; gap = next(spy, tap)) coracle_message_free(gap);
  CHECK(info_of(gap).gap < 20 && info_of(gap).gap_reason == CORACLE_GAP_RATE);
  coracle_message_free(gap);
  coracle_port_close(spy);
  coracle_port_close(bob);
  coracle_port_close(ann);
}

/* The structs of a program that was compiled before they had the fields of this test. */
static void earlier_programs(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_port* const spy = open_port(node, "spy");
  coracle_pattern pattern;
  memset(&pattern, 0xff, sizeof pattern); /* the bytes behind the struct are no options */
  memset(&pattern, 0, offsetof(coracle_pattern, limit) + sizeof pattern.limit);
  pattern.size = offsetof(coracle_pattern, rate);
  pattern.target = "bob";
  uint64_t tap = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  send_text(ann, "bob", "x");
  coracle_message_free(next(bob, 0));
  coracle_message* const copy = next(spy, tap);
  coracle_message_info info;
  memset(&info, 0xff, sizeof info);
  info.size = offsetof(coracle_message_info, receiver);
  GOOD(coracle_message_read(copy, &info));
  CHECK(info.tap == tap && strcmp(info.target, "bob") == 0);
  const unsigned char* const bytes = (const unsigned char*)&info;
  for (size_t at = info.size; at < sizeof info; ++at) CHECK(bytes[at] == 0xff);
  coracle_message_free(copy);
  coracle_match match = CORACLE_INIT(coracle_match);
  match.tap = tap;
  coracle_message* none = NULL;
  GOOD(coracle_try_receive(spy, &match, &none)); /* no notice */
  CHECK(none == NULL);
  coracle_port_close(spy);
  coracle_port_close(bob);
  coracle_port_close(ann);
}

int main(void) {
  coracle_node* const node = open_node();
  stages(node);
  drops(node);
  kinds(node);
  gaps(node);
  earlier_programs(node);
  coracle_node_close(node);
  return 0;
}
