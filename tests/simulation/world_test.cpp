// Time, choices and their record in a simulated world.
#include "coracle/coracle.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/societies/expect.hpp"
#include "support/societies/test_society.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

sim::Options recorded(std::uint64_t seed = 1) {
  sim::Options options;
  options.seed = seed;
  options.record = true;
  return options;
}

// Sends one message, then the other; "reader" notes the order in which it receives them.
class Sender final : public Agent {
 public:
  explicit Sender(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  Task<> run() override {
    for (const std::string& text : texts_) co_await send("reader", text);
  }

 private:
  const std::vector<std::string> texts_;
};

class Collector final : public Agent {
 public:
  Collector(std::string& all, int count) : all_(all), left_(count) {}
  Task<> run() override {
    for (; left_ > 0; --left_) {
      const Message message = co_await receive();
      all_ += message.text();
    }
  }

 private:
  std::string& all_;
  int left_;
};

// Two senders and a reader; returns the texts that it read.
std::string read_in(sim::World& world, unsigned workers) {
  std::string all;
  NodeOptions options;
  options.workers = workers;
  Node node(world.realization(), options);
  node.adopt("reader", std::make_unique<Collector>(all, 4));
  node.create<Sender>(AgentSpec("ann"), std::vector<std::string>{"a", "b"});
  node.create<Sender>(AgentSpec("bob").on_worker(workers - 1), std::vector<std::string>{"1", "2"});
  node.wait();
  return all;
}

// Computes, and notes how the computation ended.
class Computer final : public Agent {
 public:
  explicit Computer(std::string& ended) : ended_(ended) {}
  Task<> run() override {
    const auto spell = [] { return std::string("a result"); };
    try {
      ended_ = co_await compute(spell);
    } catch (const Error& error) {
      ended_ = error.errc() == Errc::stopped ? "stopped" : error.sentence();
    }
  }

 private:
  std::string& ended_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(world)

BOOST_AUTO_TEST_CASE(a_computation_that_a_stop_overtakes_gives_no_value) {
  sim::World world;
  std::string ended;
  {
    Node node(world.realization());
    node.adopt("computer", std::make_unique<Computer>(ended));
    world.run_for(50us);  // the shortest computation takes longer
  }
  BOOST_TEST(ended == "stopped");
}

// The deadline of the request and that of its wait for room are the same; the first timer that
// fires ends both.
BOOST_AUTO_TEST_CASE(a_request_that_waits_for_room_ends_with_its_node) {
  sim::World world;
  Proceedings proceedings;
  std::optional<Errc> ended;
  Node node(world.realization());
  const Body deaf = [](Agent& me) -> Task<> { co_await me.pause(1h); };
  const Body asking = [&ended](Agent& me) -> Task<> {
    co_await me.send("bob", "1");
    const Result<Message> reply = co_await me.ask_result("bob", "2", 10s);
    ended = reply ? Errc{} : reply.error().errc();
  };
  node.adopt(AgentSpec("bob").mailbox(MailboxOptions().messages(1)),
             std::make_unique<Actor>(deaf, proceedings));
  node.adopt("ann", std::make_unique<Actor>(asking, proceedings));
  world.run_for(1s);
  BOOST_TEST(!ended.has_value());
  node.stop(0s);
  BOOST_TEST_REQUIRE(ended.has_value());
  BOOST_TEST((*ended != Errc{}));
}

BOOST_AUTO_TEST_CASE(what_is_planned_happens_at_its_time_and_a_halt_ends_the_call) {
  sim::Options options;
  bool halt = false;
  options.halt = [&halt] { return std::exchange(halt, false); };
  sim::World world(options);
  const Time begin = world.now();
  std::string order;
  world.at(begin + 2ms, [&] { order += 'b'; });
  world.at(begin + 1ms, [&] { order += 'a'; });
  world.at(begin + 3ms, [&] { halt = true; });
  world.run_for(2500us);
  BOOST_TEST(order == "ab");
  expect_error(error_from([&] { world.run_for(1s); }), Errc::cancelled, "halted");
  BOOST_TEST((world.now() == begin + 3ms));
}

BOOST_AUTO_TEST_CASE(an_hour_of_ten_idle_agents_passes_at_once) {
  sim::World world;
  Node node(world.realization());
  for (int i = 0; i < 10; ++i) {
    std::string unread;
    node.adopt("agent" + std::to_string(i), std::make_unique<Collector>(unread, 1));
  }
  const std::uint64_t before = world.things();
  world.run_for(1h);
  BOOST_TEST((world.now() >= Time(1h)));
  BOOST_TEST(node.agents() == 10u);
  // The node has renewed its lease twice a minute; nothing else has happened.
  BOOST_TEST(world.things() - before < 2000u);
}

BOOST_AUTO_TEST_CASE(a_pause_of_a_year_takes_no_time) {
  sim::World world;
  Node node(world.realization());
  Proceedings proceedings;
  const Duration year = 24h * 365 / slowness;  // its node renews its lease all the time
  const Body patient = [year](Agent& me) -> Task<> { co_await me.pause(year); };
  node.adopt("patient", std::make_unique<Actor>(patient, proceedings));
  node.wait();
  BOOST_TEST((world.now() >= Time(year)));
}

BOOST_AUTO_TEST_CASE(a_clock_that_jumps_lets_alarms_ring_late) {
  sim::World world;
  Node node(world.realization());
  Proceedings proceedings;
  Time woken{};
  const Body patient = [&woken](Agent& me) -> Task<> {
    co_await me.pause(1s);
    woken = me.now();
  };
  node.adopt("patient", std::make_unique<Actor>(patient, proceedings));
  world.jump(1h);
  node.wait();
  BOOST_TEST((woken >= Time(1h)));
  expect_error(error_from([&] { world.jump(-1ns); }), Errc::bad_options, "a jump back");
}

BOOST_AUTO_TEST_CASE(the_trace_tells_what_happened_and_is_the_same_each_time) {
  sim::World first(recorded(7));
  sim::World second(recorded(7));
  sim::World other(recorded(8));
  const std::string all = read_in(first, 2);
  BOOST_TEST(read_in(second, 2) == all);
  read_in(other, 2);
  BOOST_TEST(first.trace() == second.trace());
  BOOST_TEST(first.trace_hash() == second.trace_hash());
  BOOST_TEST(first.trace_hash() != other.trace_hash());
  for (const char* part : {" ann begins\n", "ann sends #1 of ann to reader \"a\": carried\n"}) {
    BOOST_TEST(first.trace().find(part) != std::string::npos, part);
  }
}

BOOST_AUTO_TEST_CASE(a_list_of_choices_repeats_a_run) {
  sim::World first(recorded(3));
  const std::string all = read_in(first, 2);
  sim::World again(recorded(4), sim::scripted(first.choices()));
  BOOST_TEST(read_in(again, 2) == all);
  BOOST_TEST(first.trace() == again.trace());
}

BOOST_AUTO_TEST_CASE(a_world_that_is_stuck_says_who_waits_for_what) {
  sim::World world(recorded(5));
  Node node(world.realization());
  std::string all;
  node.adopt("reader", std::make_unique<Collector>(all, 1));
  const auto error = error_from([&] { node.wait(); });
  expect_error(error, Errc::deadlock, "a wait for what never comes");
  for (const char* part : {"stuck", "'reader' waits for any message", "CORACLE_SEED=5"}) {
    BOOST_TEST(error->sentence().find(part) != std::string::npos, error->sentence());
  }
}

BOOST_AUTO_TEST_CASE(a_society_that_never_ends_is_noticed) {
  sim::Options options;
  options.things_limit = 1000;
  sim::World world(options);
  Node node(world.realization());
  Proceedings proceedings;
  const Body restless = [](Agent& me) -> Task<> {
    for (;;) co_await me.yield();
  };
  node.adopt("restless", std::make_unique<Actor>(restless, proceedings));
  expect_error(error_from([&] { node.wait(); }), Errc::limit_reached, "a wait without end");
}

BOOST_AUTO_TEST_CASE(a_seed_means_the_same_numbers_on_every_machine) {
  sim::World world(recorded(42));
  BOOST_TEST(world.random().next() == 0x6d00aacde24c7cc3u);
  BOOST_TEST(world.random().next() == 0x22a4ce27ad56c150u);
  BOOST_TEST(world.random().next() == 0x094c88c333a3c432u);
}

BOOST_AUTO_TEST_CASE(an_agent_cannot_run_the_world_that_it_lives_in) {
  sim::World world;
  Node node(world.realization());
  Proceedings proceedings;
  const Body meddling = [&world](Agent&) -> Task<> {
    expect_error(error_from([&] { world.run_for(1s); }), Errc::wrong_thread, "a run within a run");
    co_return;
  };
  node.adopt("ann", std::make_unique<Actor>(meddling, proceedings));
  node.wait();
  proceedings.rethrow();
}

BOOST_AUTO_TEST_CASE(a_failure_outside_does_not_change_what_happens_inside) {
  sim::World world;
  std::optional<Ledger> ledger;
  const auto fail_with_messages = [&] {
    std::string all;
    Node node(world.realization());
    struct AtEnd {  // while the exception is on its way
      ~AtEnd() {
        node.wait();
        ledger = node.ledger();
      }
      Node& node;
      std::optional<Ledger>& ledger;
    } const at_end{node, ledger};
    node.adopt("reader", std::make_unique<Collector>(all, 2));
    node.create<Sender>("ann", std::vector<std::string>{"a", "b"});
    throw Failure("as planned");
  };
  BOOST_CHECK_THROW(fail_with_messages(), Failure);
  BOOST_TEST(ledger.value().consumed == 2u);
}

BOOST_AUTO_TEST_CASE(a_port_is_refused) {
  sim::World world;
  Node node(world.realization());
  expect_error(error_from([&] { Port port(node, "main"); }), Errc::unsupported, "a port");
}

BOOST_AUTO_TEST_CASE(a_second_node_is_refused) {
  sim::World world;
  Node node(world.realization());
  expect_error(error_from([&] { Node second(world.realization()); }), Errc::bad_realization,
               "a second node");
}

BOOST_AUTO_TEST_CASE(impossible_settings_are_refused_by_name) {
  const std::pair<const char*, const char*> texts[] = {
      {"sim:seed=x", "seed"},
      {"sim:seed=-1", "seed"},
      {"sim:seed", "seed"},
      {"sim:workers=0", "workers"},
      {"sim:nodes=0", "nodes"},
      {"sim:nodes=257", "nodes"},
      {"sim:turn=-1us", "turn"},
      {"sim:turn=5", "turn"},
      {"sim:turn=us", "turn"},
      {"sim:slow=2", "slow"},
      {"sim:disk=x", "disk"},
      {"sim:sync=5ms..1ms", "sync"},
      {"sim:full=101", "full"},
      {"sim:failed_syncs=-1", "failed_syncs"},
      {"sim:failed_reads=1%", "failed_reads"},
      {"sim:speed=9", "speed"},
      {"sim:names=0", "names"},
      {"sim:watches=0", "watches"},
  };
  for (const auto& [text, key] : texts) {
    const auto error = error_from([text = text] { open(text); });
    expect_error(error, Errc::bad_realization, text);
    BOOST_TEST(error->sentence().find("'" + std::string(key) + "'") != std::string::npos,
               error->sentence());
  }
  sim::Options options;
  options.turn = -1us;
  expect_error(error_from([&] { sim::World world(options); }), Errc::bad_options, "turn");
  options = {};
  options.disk.sync_most = Duration::zero();
  expect_error(error_from([&] { sim::World world(options); }), Errc::bad_options, "the disk");
  options = {};
  options.nodes = 0;
  expect_error(error_from([&] { sim::World world(options); }), Errc::bad_options, "nodes");
}

BOOST_AUTO_TEST_CASE(a_society_is_opened_by_a_text) {
  Node node(open("sim:seed=42,workers=2,turn=2us,nodes=1,names=100,slow=0,disk=4096,sync=1ms"));
  BOOST_TEST(node.options().workers == 2u);
  std::string all;
  node.adopt("reader", std::make_unique<Collector>(all, 1));
  node.create<Sender>("ann", std::vector<std::string>{"x"});
  node.wait();
  BOOST_TEST(all == "x");
}

BOOST_AUTO_TEST_CASE(a_text_says_what_the_disks_are_like) {
  const sim::Options options =
      sim::options_from("slow=1,disk=4096,sync=2ms..3ms,full=1,failed_syncs=2,failed_reads=3");
  BOOST_TEST(options.slow);
  BOOST_TEST(options.disk.capacity == 4096u);
  BOOST_TEST((options.disk.sync_least == 2ms && options.disk.sync_most == 3ms));
  BOOST_TEST(options.disk.full == 1u);
  BOOST_TEST(options.disk.failed_syncs == 2u);
  BOOST_TEST(options.disk.failed_reads == 3u);
}

BOOST_AUTO_TEST_CASE(a_computation_takes_time_of_the_world) {
  sim::World world;
  Node node(world.realization());
  Proceedings proceedings;
  int result = 0;
  Duration took{};
  const Body computing = [&](Agent& me) -> Task<> {
    const Time began = me.now();
    const auto sum = [] { return 40 + 2; };
    result = co_await me.compute(sum);
    took = me.now() - began;
  };
  node.adopt("ann", std::make_unique<Actor>(computing, proceedings));
  node.wait();
  BOOST_TEST(result == 42);
  BOOST_TEST((took >= 125us));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
