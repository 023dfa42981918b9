/* binding-c agents|loop|processes [--size 64] [--seconds 1]: the time of a round trip, as a line of
 * JSON. `agents`: two behaviours on one worker; `loop`: two ports of a node that a loop runs;
 * `processes`: the same in two processes.
 * binding-c floods REALIZATION [--size 64]: sends to the agent `reader` there. */
#include "rounds.h"

#include <coracle.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(coracle_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "binding-c: %s\n", coracle_error_sentence(error));
  exit(1);
}

static coracle_post ball; /* is not changed while the agents play */

/* --- two behaviours --- */

struct player {
  const char* name;
  struct rounds* rounds; /* of the one that counts */
};

static void hit(coracle_agent* self, const coracle_message* message, void* context) {
  struct player* const player = context;
  const char* to = NULL; /* back to its sender */
  if (player->rounds != NULL) {
    if (player->rounds->count == 0) to = "pong";
    if (count_round(player->rounds)) to = "main";
  }
  check(coracle_agent_pass(self, message, to));
}

static void start(coracle_node* node, struct player* player) {
  coracle_behaviour behaviour = CORACLE_INIT(coracle_behaviour);
  behaviour.message = &hit;
  behaviour.context = player;
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = player->name;
  check(coracle_agent_start(node, &options, &behaviour));
}

static coracle_port* join(coracle_node* node, const char* name) {
  coracle_agent_options options = CORACLE_INIT(coracle_agent_options);
  options.name = name;
  coracle_port* port = NULL;
  check(coracle_port_open(node, &options, &port, NULL));
  return port;
}

static void run_agents(struct rounds* rounds) {
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = "local:";
  coracle_node* node = NULL;
  check(coracle_node_open(&options, &node));
  coracle_port* const port = join(node, "main");
  struct player ping = {"ping", rounds}, pong = {"pong", NULL};
  start(node, &ping);
  start(node, &pong);
  ball.to = "ping";
  const coracle_post first = ball;
  ball.to = NULL;
  check(coracle_send(port, &first, NULL));
  coracle_message* message = NULL;
  check(coracle_receive(port, NULL, &message, NULL));
  coracle_message_free(message);
  coracle_port_close(port);
  coracle_node_close(node);
}

/* --- ports that a loop runs --- */

struct game {
  coracle_loop* loop;
  coracle_node* node;
};

static struct game open_game(const char* realization) {
  struct game game = {NULL, NULL};
  check(coracle_loop_open(&game.loop));
  check(coracle_loop_set_picking(game.loop, true));
  coracle_node_options options = CORACLE_INIT(coracle_node_options);
  options.realization = realization;
  options.loop = game.loop;
  check(coracle_node_open(&options, &game.node));
  return game;
}

static void close_game(struct game* game) {
  coracle_node_close(game->node);
  coracle_loop_close(game->loop);
}

struct seat {
  coracle_port* port;
  coracle_stream* stream;
};

static struct seat take_seat(struct game* game, const char* name, uint64_t key) {
  struct seat seat = {join(game->node, name), NULL};
  const coracle_begin begin = {game->loop, key};
  check(coracle_stream_open(seat.port, NULL, &begin, &seat.stream));
  check(coracle_stream_next(seat.stream));
  return seat;
}

static void leave_seat(struct seat* seat) {
  coracle_stream_free(seat->stream);
  coracle_port_close(seat->port);
}

/* Returns the key of the seat that has the ball. */
static uint64_t next_message(struct game* game) {
  coracle_event event;
  size_t count = 0;
  check(coracle_loop_pick(game->loop, &event, 1, &count));
  for (;;) {
    if (count == 0) check(coracle_loop_wait(game->loop, CORACLE_NEVER, &event, 1, &count));
    check(event.error);
    if (event.message != NULL) break; /* otherwise a send has ended */
    count = 0;
  }
  coracle_message_free(event.message);
  return event.key;
}

static void pass_ball(struct game* game, struct seat* seat, const char* to) {
  ball.to = to;
  bool sent = false;
  check(coracle_try_send(seat->port, &ball, &sent));
  const coracle_begin begin = {game->loop, 1000};
  if (!sent) check(coracle_send(seat->port, &ball, &begin));
  check(coracle_stream_next(seat->stream));
}

static void run_loop(struct rounds* rounds) {
  struct game game = open_game("local:");
  struct seat seats[] = {take_seat(&game, "ping", 0), take_seat(&game, "pong", 1)};
  const char* const names[] = {"ping", "pong"};
  uint64_t at = 0;
  do {
    pass_ball(&game, &seats[at], names[1 - at]);
    at = next_message(&game);
  } while (at != 0 || !count_round(rounds));
  for (int each = 0; each < 2; ++each) leave_seat(&seats[each]);
  close_game(&game);
}

/* --- two processes --- */

static void serve(const char* realization, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  struct game game = open_game(realization);
  struct seat seat = take_seat(&game, "pong", 0);
  pass_ball(&game, &seat, "ping"); /* waits for its name */
  for (;;) {
    (void)next_message(&game);
    pass_ball(&game, &seat, "ping");
  }
}

static void run_processes(struct rounds* rounds) {
  char realization[64];
  snprintf(realization, sizeof realization, "distributed:society=binding-c-%d", (int)getpid());
  const pid_t parent = getpid(), child = fork();
  if (child == 0) serve(realization, parent);
  if (child < 0) exit(1);
  struct game game = open_game(realization);
  struct seat seat = take_seat(&game, "ping", 0);
  (void)next_message(&game);
  do {
    pass_ball(&game, &seat, "pong");
    (void)next_message(&game);
  } while (!count_round(rounds));
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  leave_seat(&seat);
  close_game(&game);
}

/* Sends to an agent of another process until it is killed. */
static void flood(const char* realization) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct game game = open_game(realization);
  coracle_port* const port = join(game.node, "flooder");
  ball.to = "reader";
  const coracle_begin begin = {game.loop, 1};
  for (bool waits = true;;) {
    for (int number = 0; !waits && number < 256; ++number) {
      bool sent = false;
      check(coracle_try_send(port, &ball, &sent));
      waits = !sent;
    }
    if (waits) check(coracle_send(port, &ball, &begin));
    coracle_event event;
    size_t count = 0;
    check(coracle_loop_wait(game.loop, waits ? CORACLE_NEVER : 0, &event, 1, &count));
    if (count != 0) check(event.error);
    waits = false;
  }
}

int main(int argc, char** argv) {
  struct rounds rounds = {.seconds = 1};
  size_t size = 64;
  const char *scenario = "", *place = "";
  for (int each = 1; each < argc; ++each) {
    const char* const value = each + 1 < argc ? argv[each + 1] : "";
    if (strcmp(argv[each], "--size") == 0) size = strtoul(value, NULL, 10), ++each;
    else if (strcmp(argv[each], "--seconds") == 0) rounds.seconds = strtod(value, NULL), ++each;
    else if (*scenario == 0) scenario = argv[each];
    else place = argv[each];
  }
  ball = (coracle_post){.size = sizeof ball, .content_size = size, .content = calloc(size + 1, 1)};
  if (strcmp(scenario, "agents") == 0) run_agents(&rounds);
  else if (strcmp(scenario, "loop") == 0) run_loop(&rounds);
  else if (strcmp(scenario, "processes") == 0) run_processes(&rounds);
  else if (strcmp(scenario, "floods") == 0) flood(place);
  else return fprintf(stderr, "binding-c: the scenarios are agents, loop and processes\n"), 1;
  print_rounds(&rounds, scenario, coracle_version());
  return 0;
}
