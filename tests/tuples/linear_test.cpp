// In the simulator: whatever operations agents perform on a space at the same time, and whichever
// agents die, the results are those of a space that performs one operation after the other.
#include "coracle/realizations/sim.hpp"
#include "ground.hpp"
#include "history.hpp"
#include "nodes.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::tuples {

namespace {

using Kind = Operation::Kind;

// The notes of all agents of one run. There is one thread, so a count is a time.
struct Notes {
  std::vector<Operation> history;
  std::uint64_t time = 0;
  std::uint64_t waits_ended = 0;
  int deaths = 0;

  std::size_t begin(Kind kind, int value, int wanted) {
    Operation one;
    one.kind = kind;
    one.value = value;
    one.wanted = wanted;
    one.begun = ++time;
    history.push_back(one);
    return history.size() - 1;
  }
  void end(std::size_t which, int value) {
    history[which].value = value;
    history[which].ended = ++time;
  }
};

// The space itself puts out a tuple that comes back. The tuple may come from any take that has not
// ended.
class NotedSpace : public TupleSpace {
 public:
  explicit NotedSpace(Notes& notes, TupleSpaceOptions options = {})
      : TupleSpace(options), notes_(notes) {}

 protected:
  void on_given_back(const TupleFields& tuple) override {
    Operation back;
    back.value = static_cast<int>(std::get<std::int64_t>(tuple.at(1)));
    for (const Operation& each : notes_.history) {
      const bool fits = each.wanted == no_value || each.wanted == back.value;
      const bool may_be = each.kind == Kind::take && each.is_open() && fits;
      if (may_be && back.begun == 0) back.begun = each.begun;
    }
    back.ended = ++notes_.time;
    notes_.history.push_back(back);
  }

 private:
  Notes& notes_;
};

Task<> find(Agent& me, Notes& notes, std::uint64_t how, int wanted) {
  Space board(me, "board");
  const bool takes = how % 2 == 0;
  const std::size_t which = notes.begin(takes ? Kind::take : Kind::read, no_value, wanted);
  const Deadline deadline = std::chrono::microseconds(how / 6 % 400);
  MaybeTuple<std::string, int> found;
  const bool waits = how % 6 < 2;
  if (takes && waits && wanted >= 0) found = co_await board.in(deadline, "t", wanted);
  else if (takes && waits) found = co_await board.in(deadline, "t", any<int>);
  else if (waits) found = co_await board.rd(deadline, "t", any<int>);
  else if (takes && wanted >= 0) found = co_await board.inp("t", wanted);
  else if (takes) found = co_await board.inp("t", any<int>);
  else found = co_await board.rdp("t", any<int>);
  if (waits && !found) ++notes.waits_ended;
  notes.end(which, found ? std::get<1>(*found) : no_value);
}

Body player(Random& random, Notes& notes, int steps) {
  return [&random, &notes, steps](Agent& me) -> Task<> {
    Space board(me, "board");
    for (int step = 0; step < steps; ++step) {
      const std::uint64_t what = random.next() >> 8;
      if (what % 3 == 0) {
        const int value = static_cast<int>(what / 3 % 3);
        const std::size_t which = notes.begin(Kind::out, value, no_value);
        co_await board.out("t", value);
        notes.end(which, value);
      } else {
        const std::uint64_t how = what / 3;
        const int wanted = how % 2 == 0 && how / 2 % 2 == 0 ? static_cast<int>(how / 4 % 3) : -1;
        co_await find(me, notes, how, wanted);
      }
      if (what / 1000 % 4 == 0) co_await me.pause(std::chrono::microseconds(what / 4000 % 50));
    }
    co_await me.send("main", "done");
  };
}

// Dies at some moment, unless it has performed all steps before.
Body mortal(Random& random, Notes& notes, int steps) {
  return [&random, &notes, steps](Agent& me) -> Task<> {
    const auto die = [](Agent& who, Duration after, Notes* told) -> Task<> {
      co_await who.pause(after);
      ++told->deaths;
      co_await who.send("main", "dead");
      throw Crash("a player dies");
    };
    me.spawn(die(me, std::chrono::microseconds(1 + random.next() % 150), &notes));
    const Body plays = player(random, notes, steps);
    co_await plays(me);
    co_await me.receive(from("nobody"));
  };
}

struct Plan {
  unsigned players = 4;
  unsigned mortals = 0;
  int steps = 4;
  unsigned nodes = 1;
};

void play(std::uint64_t seed, const Plan& plan, Notes& notes) {
  sim::Options options;
  options.seed = seed;
  options.workers = plan.nodes == 1 ? 1 + seed % 2 : 1;
  options.nodes = plan.nodes;
  sim::World world(options);
  Random& random = world.random();
  Meadow meadow(test::nodes_of(world));
  TupleSpaceOptions settings;
  settings.ask_again = std::chrono::microseconds(20 + seed % 100);
  settings.answer_within = 1s;
  meadow.run_alone([&](Agent& me) -> Task<> {
    co_await meadow.place(me, "board", std::make_unique<NotedSpace>(notes, settings));
    for (unsigned i = 0; i < plan.players + plan.mortals; ++i) {
      const Body body =
          i < plan.players ? player(random, notes, plan.steps) : mortal(random, notes, plan.steps);
      co_await start(me, "player/" + std::to_string(i), body);
    }
    // A mortal agent may report that it is done before it dies.
    for (unsigned left = plan.players + plan.mortals; left > 0;) {
      const Message over = co_await me.receive();
      const std::string who = over.source().name().str();
      const bool is_mortal = std::stoul(who.substr(who.find('/') + 1)) >= plan.players;
      if (!is_mortal || over.text() == "dead") --left;
    }
    co_await me.pause(5s);  // tuples that were not read come back
    for (;;) {              // the remaining tuples, so that nothing is lost
      Space board(me, "board");
      const std::size_t which = notes.begin(Kind::take, no_value, no_value);
      const auto left = co_await board.inp("t", any<int>);
      notes.end(which, left ? std::get<1>(*left) : no_value);
      if (!left) break;
    }
  });
}

void try_seeds(const Plan& plan, std::uint64_t seeds) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  std::uint64_t operations = 0;
  std::uint64_t open = 0;
  std::uint64_t waits_ended = 0;
  int deaths = 0;
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    Notes notes;
    play(seed, plan, notes);
    BOOST_TEST_REQUIRE(is_linear(notes.history),
                       "CORACLE_SEED=" << seed << to_string(notes.history));
    for (const Operation& each : notes.history) open += each.is_open() ? 1 : 0;
    operations += notes.history.size();
    waits_ended += notes.waits_ended;
    deaths += notes.deaths;
  }
  std::cout << seeds << " seeds: " << operations << " operations, " << waits_ended
            << " deadlines passed, " << deaths << " deaths, " << open << " without an end\n";
  BOOST_TEST(waits_ended > seeds / 4);
  if (plan.mortals > 0) BOOST_TEST(deaths > static_cast<int>(seeds / 4));
}

Operation done(Kind kind, int value, int wanted, std::uint64_t begun, std::uint64_t ended) {
  Operation one;
  one.kind = kind;
  one.value = value;
  one.wanted = wanted;
  one.begun = begun;
  one.ended = ended;
  return one;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linear)

BOOST_AUTO_TEST_CASE(the_search_knows_what_cannot_have_been) {
  const Operation put = done(Kind::out, 1, no_value, 1, 2);
  const Operation late_put = done(Kind::out, 1, no_value, 1, 9);
  BOOST_TEST(is_linear({put, done(Kind::take, 1, 1, 3, 4), done(Kind::take, no_value, 1, 5, 6)}));
  BOOST_TEST(!is_linear({put, done(Kind::take, 1, 1, 3, 4), done(Kind::take, 1, 1, 3, 4)}));
  BOOST_TEST(!is_linear({put, done(Kind::take, no_value, no_value, 3, 4)}));
  BOOST_TEST(!is_linear({put, done(Kind::read, no_value, 1, 3, 4)}));
  BOOST_TEST(is_linear({put, done(Kind::read, no_value, 2, 3, 4)}));
  BOOST_TEST(is_linear({late_put, done(Kind::read, no_value, 1, 3, 4)}));
  BOOST_TEST(is_linear({late_put, done(Kind::read, 1, 1, 3, 4)}));
  BOOST_TEST(
      !is_linear({late_put, done(Kind::read, 1, 1, 3, 4), done(Kind::read, no_value, 1, 5, 6)}));
  BOOST_TEST(!is_linear({done(Kind::take, 1, 1, 1, 2), done(Kind::out, 1, no_value, 3, 4)}));
  Operation dead = done(Kind::take, no_value, 1, 3, 0);
  dead.ended = Operation().ended;
  BOOST_TEST(is_linear({put, dead, done(Kind::take, no_value, 1, 5, 6)}));
  BOOST_TEST(is_linear({put, dead, done(Kind::take, 1, 1, 5, 6)}));
  BOOST_TEST(!is_linear({put, done(Kind::take, no_value, 1, 5, 6), done(Kind::take, 1, 1, 7, 8)}));
}

BOOST_AUTO_TEST_CASE(what_agents_are_told_has_happened_one_after_the_other) {
  Plan plan;
  try_seeds(plan, 2000 / test::fewer);
}

BOOST_AUTO_TEST_CASE(it_has_also_when_some_of_them_die) {
  Plan plan;
  plan.players = 3;
  plan.mortals = 2;
  plan.steps = 3;
  try_seeds(plan, 2000 / test::fewer);
}

BOOST_AUTO_TEST_CASE(it_has_also_on_several_nodes) {
  Plan plan;
  plan.nodes = 3;
  plan.players = 3;
  plan.mortals = 1;
  plan.steps = 3;
  try_seeds(plan, 300 / test::fewer);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::tuples
