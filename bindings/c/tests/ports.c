/* Ports that wait: messages, requests, receipts, groups, eavesdropping, the directory. */
#include "check.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void messages(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  const coracle_header headers[] = {{"colour", "red"}, {"size", "4"}};
  coracle_post post = text_to("bob", "hello");
  post.conversation = 7;
  post.headers = headers;
  post.header_count = 2;
  GOOD(coracle_send(ann, &post, NULL));
  const unsigned char bytes[] = {0, 1, 2, 0};
  coracle_post raw = CORACLE_INIT(coracle_post);
  raw.to = "bob";
  raw.content = bytes;
  raw.content_size = sizeof bytes;
  raw.type = "application/octet-stream";
  GOOD(coracle_send(ann, &raw, NULL));

  coracle_message* message = NULL;
  coracle_match match = CORACLE_INIT(coracle_match);
  match.conversation = 7;
  GOOD(coracle_receive(bob, &match, &message, NULL));
  CHECK(has_text(message, "hello"));
  coracle_message_info info = info_of(message);
  CHECK(strcmp(info.source, "ann") == 0 && strcmp(info.target, "bob") == 0);
  CHECK(strcmp(info.type, "text/plain") == 0 && strcmp(info.reply_to, "ann") == 0);
  CHECK(info.conversation == 7 && info.sequence == 1 && !info.is_request && info.tap == 0);
  const char* value = NULL;
  GOOD(coracle_message_header(message, "size", &value));
  CHECK(strcmp(value, "4") == 0);
  GOOD(coracle_message_header(message, "none", &value));
  CHECK(value == NULL);
  const char* key = NULL;
  GOOD(coracle_message_header_at(message, 0, &key, &value));
  CHECK(strcmp(key, "colour") == 0 && strcmp(value, "red") == 0);
  GOOD(coracle_message_header_at(message, 2, &key, &value));
  CHECK(key == NULL && value == NULL);
  GOOD(coracle_message_give_back(message));
  GOOD(coracle_try_receive(bob, &match, &message));
  CHECK(message != NULL && info_of(message).redelivered);
  coracle_post back = text_to(NULL, "back");
  back.to_sender_of = message;
  GOOD(coracle_send(bob, &back, NULL));
  coracle_message_free(message);
  FAILS(CORACLE_BAD_HANDLE, coracle_send(bob, &back, NULL));
  GOOD(coracle_receive(ann, NULL, &message, NULL));
  const void* content = NULL;
  size_t size = 0;
  GOOD(coracle_message_content(message, &content, &size));
  CHECK(size == 4 && memcmp(content, "back", 4) == 0);
  coracle_message_free(message);

  GOOD(coracle_receive(bob, NULL, &message, NULL));
  info = info_of(message);
  CHECK(info.content_size == sizeof bytes && memcmp(info.content, bytes, sizeof bytes) == 0);
  CHECK(strcmp(info.type, "application/octet-stream") == 0);
  coracle_message_free(message);
  GOOD(coracle_try_receive(bob, NULL, &message));
  CHECK(message == NULL);
  match = CORACLE_INIT(coracle_match);
  match.longest = CORACLE_MILLISECONDS(1);
  GOOD(coracle_receive(bob, &match, &message, NULL));
  CHECK(message == NULL);
  coracle_port_close(ann);
  coracle_port_close(bob);
}

static void requests(coracle_node* node) {
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  const char* const replies[] = {"four", NULL};
  for (size_t turn = 0; turn < 2; ++turn) {
    const coracle_post question = text_to("bob", "two and two?");
    const coracle_begin asked = {loop, turn};
    GOOD(coracle_ask(ann, &question, CORACLE_SECONDS(60), NULL, &asked));
    coracle_message* request = NULL;
    GOOD(coracle_receive(bob, NULL, &request, NULL));
    CHECK(info_of(request).is_request);
    const coracle_post reply = text_to(NULL, "four");
    if (replies[turn] != NULL) GOOD(coracle_reply(bob, request, &reply, NULL));
    else GOOD(coracle_refuse(bob, request, "I do not add", NULL));
    coracle_message_free(request);
    coracle_event event;
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
    CHECK(count == 1 && event.key == turn);
    if (replies[turn] != NULL) {
      CHECK(event.error == NULL && has_text(event.message, "four"));
      coracle_message_free(event.message);
    } else {
      CHECK(coracle_error_code(event.error) == CORACLE_REFUSED);
      CHECK(strstr(coracle_error_sentence(event.error), "I do not add") != NULL);
      coracle_error_free(event.error);
    }
  }
  coracle_message* reply = NULL;
  const coracle_post question = text_to("nobody", "are you there?");
  FAILS(CORACLE_EXPIRED, coracle_ask(ann, &question, CORACLE_MILLISECONDS(1), &reply, NULL));
  coracle_port_close(ann);
  coracle_port_close(bob);
  coracle_loop_close(loop);
}

static void receipts(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  const coracle_post post = text_to("bob", "read me");
  coracle_receipt* receipt = NULL;
  GOOD(coracle_track(ann, &post, &receipt, NULL));
  bool reached = false;
  GOOD(coracle_receipt_reached(receipt, CORACLE_DELIVERED, 0, &reached, NULL));
  CHECK(reached);
  GOOD(coracle_receipt_reached(receipt, CORACLE_CONSUMED, CORACLE_MILLISECONDS(1), &reached, NULL));
  CHECK(!reached);
  coracle_message* message = NULL;
  GOOD(coracle_receive(bob, NULL, &message, NULL));
  GOOD(coracle_message_acknowledge(message));
  coracle_message_free(message);
  GOOD(coracle_receipt_reached(receipt, CORACLE_CONSUMED, 0, &reached, NULL));
  CHECK(reached);
  coracle_receipt_free(receipt);
  GOOD(coracle_track(ann, &post, &receipt, NULL));
  coracle_port_close(ann); /* although there is a receipt */
  coracle_port_close(open_port(node, "ann"));
  FAILS(CORACLE_STOPPED, coracle_receipt_reached(receipt, CORACLE_CONSUMED, 0, &reached, NULL));
  coracle_receipt_free(receipt);
  GOOD(coracle_receive(bob, NULL, &message, NULL));
  coracle_message_free(message);
  coracle_port_close(bob);
}

static void groups(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  GOOD(coracle_join(bob, "choir", 0, NULL));
  coracle_entries* members = NULL;
  GOOD(coracle_members(ann, "choir", &members, NULL));
  size_t count = 0;
  GOOD(coracle_entries_count(members, &count));
  CHECK(count == 1);
  const char* name = NULL;
  GOOD(coracle_entries_at(members, 0, &name, NULL));
  CHECK(strcmp(name, "bob") == 0);
  coracle_entries_free(members);
  coracle_post post = text_to(NULL, "sing");
  post.group = "choir";
  GOOD(coracle_send(ann, &post, NULL));
  coracle_message* message = NULL;
  GOOD(coracle_receive(bob, NULL, &message, NULL));
  CHECK(has_text(message, "sing") && strcmp(info_of(message).target, "choir") == 0);
  coracle_message_free(message);
  GOOD(coracle_leave(bob, "choir", NULL));
  const char* const many[] = {"ann", "bob"};
  post = text_to(NULL, "both");
  post.many = many;
  post.many_count = 2;
  GOOD(coracle_send(ann, &post, NULL));
  for (int turn = 0; turn < 2; ++turn) {
    GOOD(coracle_receive(turn == 0 ? ann : bob, NULL, &message, NULL));
    CHECK(has_text(message, "both"));
    coracle_message_free(message);
  }
  coracle_port_close(ann);
  coracle_port_close(bob);
}

static void eavesdropping(coracle_node* node) {
  coracle_port* const ann = open_port(node, "ann");
  coracle_port* const bob = open_port(node, "bob");
  coracle_port* const spy = open_port(node, "spy");
  coracle_pattern pattern = CORACLE_INIT(coracle_pattern);
  pattern.source = "a.*";
  pattern.text = "secret";
  uint64_t tap = 0;
  GOOD(coracle_overhear(spy, &pattern, &tap, NULL));
  const coracle_post dull = text_to("bob", "nothing"), post = text_to("bob", "a secret");
  GOOD(coracle_send(ann, &dull, NULL));
  GOOD(coracle_send(ann, &post, NULL));
  coracle_match match = CORACLE_INIT(coracle_match);
  match.tap = tap;
  coracle_message* copy = NULL;
  GOOD(coracle_receive(spy, &match, &copy, NULL));
  CHECK(has_text(copy, "a secret"));
  CHECK(info_of(copy).tap == tap && strcmp(info_of(copy).target, "bob") == 0);
  coracle_message_free(copy);
  GOOD(coracle_stop_overhearing(spy, tap, NULL));
  coracle_port_close(spy);
  coracle_port_close(bob);
  coracle_port_close(ann);
}

static void directory(coracle_node* node) {
  const coracle_property sonar[] = {{.key = "kind", .kind = CORACLE_TEXT, .text = "sonar"},
                                    {.key = "range_m", .kind = CORACLE_INTEGER, .integer = 9},
                                    {.key = "gain", .kind = CORACLE_NUMBER, .number = 0.5},
                                    {.key = "ready", .kind = CORACLE_BOOLEAN, .integer = 1}};
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = "rob/sonar";
  options.properties = sonar;
  options.property_count = 4;
  coracle_port* port = NULL;
  GOOD(coracle_port_open(node, &options, &port, NULL));
  coracle_port* const ann = open_port(node, "ann");
  const coracle_condition conditions[] = {
      {CORACLE_EQUAL, {.key = "kind", .kind = CORACLE_TEXT, .text = "sonar"}},
      {CORACLE_GREATER, {.key = "range_m", .kind = CORACLE_INTEGER, .integer = 5}},
      {CORACLE_EXISTS, {.key = "ready"}}};
  coracle_query query = CORACLE_INIT(coracle_query);
  query.prefix = "rob";
  query.conditions = conditions;
  query.condition_count = 3;
  coracle_entries* found = NULL;
  GOOD(coracle_search(ann, &query, &found, NULL));
  const char* name = NULL;
  size_t properties = 0;
  GOOD(coracle_entries_at(found, 0, &name, &properties));
  CHECK(strcmp(name, "rob/sonar") == 0 && properties == 4);
  coracle_property property;
  GOOD(coracle_entries_property(found, 0, 0, &property));
  CHECK(strcmp(property.key, "gain") == 0 && property.kind == CORACLE_NUMBER);
  CHECK(property.number == 0.5);
  FAILS(CORACLE_BAD_ARGUMENT, coracle_entries_property(found, 0, 4, &property));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_entries_at(found, 1, &name, NULL));
  coracle_entries_free(found);
  GOOD(coracle_describe(port, sonar, 1, NULL));
  GOOD(coracle_search(ann, &query, &found, NULL));
  size_t count = 1;
  GOOD(coracle_entries_count(found, &count));
  CHECK(count == 0);
  coracle_entries_free(found);

  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin watch = {loop, 5};
  GOOD(coracle_watch(ann, "rob/sonar", NULL, &watch));
  coracle_message* none = NULL;
  GOOD(coracle_try_receive(ann, NULL, &none)); /* so the watch, which came first, has begun */
  coracle_port_close(port);
  coracle_event event;
  GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
  CHECK(count == 1);
  GOOD(event.error);
  CHECK(event.number == CORACLE_ENDED_STOPPED);
  coracle_loop_close(loop);
  coracle_port_close(ann);
}

/* A port that fails: those who watch it, or wait for its reply, are told. */
static void failing(coracle_node* node) {
  coracle_port *ann = open_port(node, "ann"), *sonar = open_port(node, "sonar");
  coracle_loop* loop = NULL;
  GOOD(coracle_loop_open(&loop));
  const coracle_begin ask = {loop, 1}, watch = {loop, 2};
  const coracle_post question = text_to("sonar", "how deep?");
  GOOD(coracle_watch(ann, "sonar", NULL, &watch));
  GOOD(coracle_ask(ann, &question, 0, NULL, &ask));
  coracle_message* request = NULL;
  GOOD(coracle_receive(sonar, NULL, &request, NULL));
  GOOD(coracle_port_fail(sonar, "the cable is cut"));
  for (int ends = 0; ends < 2; ++ends) {
    coracle_event event;
    size_t count = 0;
    GOOD(coracle_loop_wait(loop, CORACLE_NEVER, &event, 1, &count));
    if (event.key == 2) {
      GOOD(event.error);
      CHECK(event.number == CORACLE_ENDED_CRASHED);
    } else {
      CHECK(coracle_error_code(event.error) == CORACLE_AGENT_FAILED);
      CHECK(strstr(coracle_error_sentence(event.error), "the cable is cut") != NULL);
      coracle_error_free(event.error);
    }
  }
  coracle_message_free(request);
  const coracle_post post = text_to("ann", "late");
  FAILS(CORACLE_STOPPED, coracle_send(sonar, &post, NULL));
  GOOD(coracle_port_fail(sonar, "again"));
  FAILS(CORACLE_BAD_ARGUMENT, coracle_port_fail(sonar, NULL));
  coracle_port_close(sonar);
  FAILS(CORACLE_BAD_HANDLE, coracle_port_fail(sonar, "again"));
  coracle_port_close(ann);
  coracle_loop_close(loop);
}

/* The number of threads that leave SIGINT to others, but not faults of their own. */
static int threads_without_signals(void) {
  DIR* const tasks = opendir("/proc/self/task");
  CHECK(tasks != NULL);
  int count = 0;
  for (struct dirent* each = readdir(tasks); each != NULL; each = readdir(tasks)) {
    char path[300], line[200];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", each->d_name);
    FILE* const status = each->d_name[0] == '.' ? NULL : fopen(path, "r");
    if (status == NULL) continue;
    unsigned long long blocked = 0;
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "SigBlk: %llx", &blocked);
    fclose(status);
    count += (blocked & 1ULL << (SIGINT - 1)) != 0 && (blocked & 1ULL << (SIGSEGV - 1)) == 0;
  }
  closedir(tasks);
  return count;
}

static void signals(void) {
  const int before = threads_without_signals();
  coracle_node* const node = open_node();
  CHECK(threads_without_signals() > before);
  sigset_t mine;
  CHECK(pthread_sigmask(SIG_SETMASK, NULL, &mine) == 0 && !sigismember(&mine, SIGINT));
  coracle_node_close(node);
}

int main(void) {
  CHECK(strlen(coracle_version()) != 0);
  coracle_node* const node = open_node();
  messages(node);
  requests(node);
  receipts(node);
  groups(node);
  eavesdropping(node);
  directory(node);
  failing(node);
  coracle_stop_report report = CORACLE_INIT(coracle_stop_report);
  GOOD(coracle_node_stop(node, CORACLE_SECONDS(10), &report));
  CHECK(report.still_alive == 0 && strlen(report.text) != 0);
  coracle_node_close(node);
  signals();
  return 0;
}
