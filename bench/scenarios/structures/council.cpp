// Decisions of councils: each peer offers an alternative, all receive the list, all vote, all
// receive the result. The floor is as many bare messages between as many agents, with nothing in
// them to decide.
#include "architectures/lan.hpp"
#include "architectures/voter.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/caf/council.hpp>

#include <fmt/format.h>

#include <latch>
#include <memory>
#include <string>
#include <thread>

namespace coracle::bench {

namespace {

// The task and the results of one repeat.
struct Session {
  std::uint32_t peers = 0;
  std::string prefix = "peer";  // of their names
  std::string council = "council";
  Duration interval{};          // the duration, or …
  std::uint64_t decisions = 0;  // … the number of decisions
  unsigned asking = 1;          // the number of agents that ask, each one question after the other
  bool says_farewell = false;   // the last agent asks one more question, which ends the peers
  std::uint64_t made = 0;
  std::vector<double> samples;  // nanoseconds of each decision
  Duration passed{};
  std::latch over{1};

  bool goes_on(Time start) const {
    return decisions != 0 ? made < decisions : clock_now() - start < interval;
  }
};

std::string peer_name(const Session& session, std::uint32_t number) {
  return fmt::format("{}/{}", session.prefix, number);
}

constexpr unsigned askers_apart = 16;

class Asker : public Player {
 public:
  explicit Asker(Session& session) : session_(session) {}

 protected:
  Task<> play() override {
    const Time start = clock_now();
    Time last = start;
    while (session_.goes_on(start)) {
      co_await decide_once("where to?");
      const Time now = clock_now();
      session_.samples.push_back(nanoseconds(now - last));
      last = now;
    }
    if (--session_.asking > 0) co_return;
    session_.passed = last - start;
    if (session_.says_farewell) co_await decide_once(last_question);
    session_.over.count_down();
  }

 private:
  Task<> decide_once(const char* question) {
    caf::Motion motion;
    motion.subject = question;
    const caf::Decision decision =
        co_await caf::decide(*this, Name(session_.council), std::move(motion));
    if (decision.winner != "left") throw NotDone("the council decided otherwise");
    ++session_.made;
  }

  Session& session_;
};

// Answers the leader, but not its last message on a question.
class Echo : public Agent {
 public:
  Task<> run() override {
    for (std::uint64_t number = 1;; ++number) {
      Message message = co_await receive();
      const Address leader = message.source();
      if (number % 3 != 0) co_await send(leader, message.consume());
    }
  }
};

// Sends and receives as many messages as a council does.
class Leader : public Player {
 public:
  explicit Leader(Session& session) : session_(session) {}

 protected:
  Task<> play() override {
    std::vector<Address> peers;
    for (std::uint32_t i = 0; i < session_.peers; ++i)
      peers.push_back(find(peer_name(session_, i)));
    set_mailbox(MailboxOptions().messages(1024 + 4 * session_.peers));
    const Content content = content_of(16);
    const Time start = clock_now();
    Time last = start;
    while (session_.goes_on(start)) {
      for (int round = 0; round < 3; ++round) {
        for (const Address each : peers) co_await send(each, content);
        for (std::uint32_t i = 0; round < 2 && i < session_.peers; ++i) co_await receive();
      }
      const Time now = clock_now();
      session_.samples.push_back(nanoseconds(now - last));
      last = now;
      ++session_.made;
    }
    session_.passed = last - start;
    session_.over.count_down();
  }

 private:
  Session& session_;
};

void add_peers(Node& node, const Options& options, const Session& session, bool is_floor) {
  for (std::uint32_t i = 0; i < session.peers; ++i) {
    std::unique_ptr<Agent> peer;
    if (is_floor) peer = std::make_unique<Echo>();
    else peer = std::make_unique<Voter>(i);
    node.adopt(placed(peer_name(session, i), i % options.workers), std::move(peer));
  }
}

void add_council(Node& node, Session& session) {
  std::vector<caf::Member> members;
  for (std::uint32_t i = 0; i < session.peers; ++i)
    members.push_back({peer_name(session, i), 1, {}});
  caf::Charter charter;
  charter.vacant = caf::Vacant::wait;  // peers of another process may begin after the council
  node.adopt(placed(session.council, 0), std::make_unique<caf::Council>(charter, members));
  const unsigned askers = session.asking;
  for (unsigned i = 0; i < askers; ++i) {
    node.adopt(placed(fmt::format("{}/asker/{}", session.council, i), 0),
               std::make_unique<Asker>(session));
  }
}

void hold(const Options& options, Session& session, bool is_floor) {
  Society society(options);
  Node& node = society.node();
  add_peers(node, options, session, is_floor);
  if (is_floor) node.adopt(placed("leader", 0), std::make_unique<Leader>(session));
  else add_council(node, session);
  session.over.wait();
  // The question and its answer; to each peer a call, an agenda, and the result; two messages from
  // each.
  const std::uint64_t each = std::uint64_t{5} * session.peers + (is_floor ? 0 : 2);
  const std::uint64_t sent = session.made * each;
  const Time patience = clock_now() + std::chrono::seconds(10);
  while (node.ledger().consumed != sent && clock_now() < patience) std::this_thread::yield();
  society.stop({sent, 0});
}

// The peers are in another process. Several questions are under way, as in a council with many
// clients.
void hold_apart(const Options& options, Session& session) {
  MeetingPlace place;
  Options here = place.here(options);
  const std::uint64_t peers = session.peers;
  Partner partner([&] {
    place.enter(here);
    Society society(here);
    add_peers(society.node(), here, session, false);
    society.wait();
    const std::uint64_t received = society.node().ledger().received;
    society.stop({.sent = received / 3 * 2, .received = received});
  });
  place.serve(here);
  Society society(here);
  add_council(society.node(), session);
  session.over.wait();
  partner.wait();
  society.stop({.sent = session.made * (3 * peers + 2), .received = session.made * 2 * peers});
}

// The peers are spread over hosts, and the council has a node of its own beside the coordinator's.
void hold_on_hosts(const Options& options, Session& session) {
  Lan& lan = *options.lan;
  const Voters voters = lan.call_voters(session.peers);
  session.prefix = voters.prefix;
  session.council = voters.prefix + "/council";
  Options here = options;
  here.realization = lan.realization();
  Society society(here);
  for (const std::uint32_t each : voters.here) {
    society.node().adopt(placed(peer_name(session, each), each % options.workers),
                         std::make_unique<Voter>(each, &lan.sent_beside()));
  }
  add_council(society.node(), session);
  lan.wait_for(session.over);
  const std::uint64_t peers = session.peers;
  const std::uint64_t near = voters.here.size();
  society.stop({.sent = session.made * (3 * peers + 2 * near + 2),
                .received = session.made * 2 * (peers - near)});
}

Run decisions_once(const Options& options, std::uint32_t peers, bool is_floor) {
  Session session;
  session.peers = peers;
  session.interval = seconds(options.interval(0.1, 1));
  if (options.processes > 1 || options.lan) {
    session.asking = askers_apart;
    session.says_farewell = true;
    if (options.lan) hold_on_hosts(options, session);
    else hold_apart(options, session);
  } else {
    hold(options, session, is_floor);
  }
  if (session.made == 0) throw NotDone("not one decision was made");
  Run run;
  run.value = static_cast<double>(session.made) / (nanoseconds(session.passed) / 1e9);
  for (const double sample : session.samples) run.samples.push_back(1e9 / sample);
  run.n = session.made;
  return run;
}

// Milliseconds of one decision, the best of a few; the first decision of a council also resolves
// its peers.
Run assembly_once(const Options& options, std::uint32_t peers, bool is_floor) {
  Session session;
  session.peers = peers;
  session.decisions = options.quick ? 2 : 5;
  hold(options, session, is_floor);
  Run run;
  run.value = median(session.samples) / 1e6;
  for (const double sample : session.samples) run.samples.push_back(sample / 1e6);
  run.n = session.made;
  return run;
}

}  // namespace

std::vector<Metric> run_council(const Options& options, Progress& progress) {
  const bool has_graph_options =
      options.messages || options.delays != std::vector<std::uint32_t>{0};
  if (!options.shapes.empty()) {
    if (options.pairs || options.count || options.seconds) {
      throw BadRequest("--pairs, --count and --seconds are of councils that vote; leave the shape");
    }
    return run_groups(options, progress);
  }
  if (has_graph_options) {
    throw BadRequest("--delay and --messages go with a shape, such as: council 3-6 --delay 50");
  }
  const std::uint32_t few = options.pairs.value_or(10);
  if (options.processes > 1 || options.lan) {
    const auto runs =
        interleave(options, progress, {[&] { return decisions_once(options, few, false); }});
    return {{"decisions",
             "decisions/s",
             {{"peers", std::int64_t{few}},
              {"askers", std::int64_t{askers_apart}},
              {options.lan ? "hosts" : "processes",
               std::int64_t{options.lan ? options.lan->hosts() : options.processes}}},
             summarize(runs[0]),
             {}}};
  }
  const std::uint32_t many = options.count.value_or(options.quick ? 1'000 : 10'000);
  const auto runs = interleave(options, progress,
                               {[&] { return decisions_once(options, few, false); },
                                [&] { return decisions_once(options, few, true); },
                                [&] { return assembly_once(options, many, false); },
                                [&] { return assembly_once(options, many, true); }});
  const std::int64_t workers = options.workers;
  std::vector<Metric> metrics =
      beside_floor("decisions", "decisions/s", {{"peers", std::int64_t{few}}, {"workers", workers}},
                   runs[0], runs[1]);
  for (Metric& each :
       beside_floor("one_decision", "ms", {{"peers", std::int64_t{many}}, {"workers", workers}},
                    runs[2], runs[3])) {
    metrics.push_back(std::move(each));
  }
  return metrics;
}

}  // namespace coracle::bench
