#include "lab.hpp"

#include "coracle/durable/tuples.hpp"
#include "coracle/tuple_space.hpp"
#include "support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>
#include <set>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// The state of the tuples; each agent writes its own part.
struct Book {
  std::set<int> given;       // "out" has returned
  std::multiset<int> taken;  // "inp" has returned it
  std::atomic<int> confirmed{0};
  std::atomic<bool> ends{false};   // nothing more is to be put out
  std::atomic<bool> ended{false};  // nothing more is put out
};

// A space that is kept in `folder`, in a process of its own, until that process is killed.
std::function<void()> space(const Lab& lab, const std::string& folder, Bell& begins) {
  return [&lab, folder, &begins] {
    begins.await();
    Node node(lab.node());
    TupleSpaceOptions options;
    options.keeper = durable::tuple_keeper(folder);
    AgentSpec spec("board");
    spec.take_over();
    node.adopt(std::move(spec), std::make_unique<TupleSpace>(options));
    node.wait();
  };
}

Doer::What giver(Book& book) {
  return [&book](Agent& me) -> Task<> {
    Space board(me, "board");
    for (int number = 0; !book.ends; ++number) {
      const std::optional<Error> error = co_await error_of(board.out("n", number));
      if (error) {
        co_await me.pause(1ms);
        continue;
      }
      book.given.insert(number);
      ++book.confirmed;
      book.confirmed.notify_one();
    }
    book.ended = true;
  };
}

// Leaves some tuples in the space until all is over.
Doer::What taker(Book& book) {
  return [&book](Agent& me) -> Task<> {
    Space board(me, "board");
    bool is_empty = false;
    while (!book.ended || !is_empty) {
      const bool leaves_it = !book.ended && book.taken.size() > book.given.size() / 2;
      if (leaves_it) co_await me.pause(1ms);
      if (leaves_it) continue;
      try {
        const auto found = co_await board.inp("n", any<int>);
        is_empty = !found;
        if (found) book.taken.insert(std::get<1>(*found));
      } catch (const Error& error) {
        if (error.errc() == Errc::stopped) throw;
        is_empty = false;
      }
    }
  };
}

// The number of kills: CORACLE_KILLS, or a few.
std::size_t kills() {
  const char* const setting = std::getenv("CORACLE_KILLS");
  return setting == nullptr ? 5 : std::strtoul(setting, nullptr, 10);
}

}  // namespace

void what_a_killed_space_had_confirmed_is_there_again(Lab& lab) {
  TemporaryFolder folder;
  const std::size_t lives = kills() + 1;
  std::deque<Bell> begins(lives);
  std::deque<Process> spaces;
  for (Bell& each : begins) spaces.emplace_back(space(lab, folder / "board", each));
  lab.serve();
  Book book;
  {
    Node node(lab.node());
    begins.front().ring();
    node.adopt("giver", std::make_unique<Doer>(giver(book)));
    node.adopt("taker", std::make_unique<Doer>(taker(book)));
    std::mt19937 random(1);
    for (std::size_t life = 0; life < lives; ++life) {
      int confirmed = book.confirmed;
      const int wanted = confirmed + 1 + static_cast<int>(random() % 60);
      for (; confirmed < wanted; confirmed = book.confirmed) book.confirmed.wait(confirmed);
      if (life + 1 == lives) break;
      spaces[life].kill();
      begins[life + 1].ring();
    }
    book.ends = true;
    node.wait();
    (void)node.stop(5s);
  }
  std::size_t twice = 0;
  for (const int number : book.given) {
    const std::size_t times = book.taken.count(number);
    BOOST_TEST(times >= 1U, number << " was confirmed, and is lost");
    if (times > 1) twice += times - 1;
  }
  std::cout << kills() << " spaces were killed, " << book.given.size() << " tuples confirmed, "
            << twice << " of them taken twice, since it was not known that they had been read\n";
  // One take is under way at a time.
  BOOST_TEST(twice <= kills());
}

}  // namespace coracle::test
