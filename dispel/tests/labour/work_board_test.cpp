// The distribution of tasks: slaves come, die and bring results late, and each task counts once.
#include "labour/work_board.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>

namespace coracle::dispel::detail {

namespace {

Division division(Shares shares, std::uint32_t chunk = 1) {
  Division how;
  how.shares = shares;
  how.chunk = chunk;
  how.attempts = 255;
  return how;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(work_board)

BOOST_AUTO_TEST_CASE(fixed_shares_are_equal) {
  WorkBoard board(103, 3, division(Shares::fixed));
  for (std::uint32_t slave = 0; slave < 3; ++slave) board.ready(slave);
  board.share_out();
  const auto a = board.give(0);
  const auto b = board.give(1);
  const auto c = board.give(2);
  BOOST_TEST_REQUIRE((a && b && c));
  BOOST_TEST((a->first == 0 && a->count == 34));
  BOOST_TEST((b->first == 34 && b->count == 34));
  BOOST_TEST((c->first == 68 && c->count == 35));
  BOOST_TEST(!board.give(0));
  board.left(2);
  BOOST_TEST(board.give(0)->first == 68U);
}

BOOST_AUTO_TEST_CASE(guided_chunks_become_smaller) {
  WorkBoard board(1000, 2, division(Shares::guided, 5));
  board.ready(0);
  board.ready(1);
  std::uint32_t last = 1000;
  std::uint32_t chunks = 0;
  while (const auto chunk = board.give(0)) {
    BOOST_TEST(chunk->count <= last);
    last = chunk->count;
    ++chunks;
    board.finished(chunk->id);
  }
  BOOST_TEST(last <= 5U);
  BOOST_TEST(chunks > 10U);
}

BOOST_AUTO_TEST_CASE(nothing_is_given_out_too_far_ahead) {
  Division how = division(Shares::dynamic, 10);
  how.most = 10;
  how.ahead = 30;
  WorkBoard board(1000, 2, how);
  board.ready(0);
  board.ready(1);
  const auto slow = board.give(0);
  std::uint64_t given = 0;
  while (const auto chunk = board.give(1)) {
    for (std::uint64_t task = chunk->first; task < chunk->first + chunk->count; ++task) {
      board.done(task);
    }
    board.finished(chunk->id);
    given = chunk->first + chunk->count;
  }
  BOOST_TEST(given == 30U);
  for (std::uint64_t task = 0; task < slow->count; ++task) board.done(slow->first + task);
  BOOST_TEST(board.give(1)->first == 30U);
}

BOOST_AUTO_TEST_CASE(a_task_that_kills_its_slaves_is_named) {
  Division how = division(Shares::dynamic);
  how.attempts = 3;
  WorkBoard board(10, 1, how);
  for (int death = 0; death < 3; ++death) {
    BOOST_TEST(!board.hopeless());
    board.ready(0);
    BOOST_TEST_REQUIRE(board.give(0)->first == 0U);
    board.died(0);
  }
  BOOST_TEST(*board.hopeless() == 0U);
}

// Slaves bring their results in order, and die over the first task that still kills. A slave that
// died is ready again. Returns the task that was given up.
std::optional<std::uint64_t> work_off(WorkBoard& board, std::uint32_t slaves,
                                      std::map<std::uint64_t, int> kills) {
  std::vector<std::deque<Chunk>> in_hand(slaves);
  while (!board.all_done() && !board.hopeless()) {
    for (std::uint32_t slave = 0; slave < slaves; ++slave) {
      board.ready(slave);
      while (const auto chunk = board.give(slave)) in_hand[slave].push_back(*chunk);
    }
    for (std::uint32_t slave = 0; slave < slaves; ++slave) {
      if (in_hand[slave].empty()) continue;
      const Chunk chunk = in_hand[slave].front();
      const auto killer = kills.lower_bound(chunk.first);
      if (killer != kills.end() && killer->second > 0 &&
          killer->first < chunk.first + chunk.count) {
        if (--killer->second == 0) kills.erase(killer);
        board.died(slave);
        in_hand[slave].clear();
        continue;
      }
      for (std::uint64_t task = chunk.first; task < chunk.first + chunk.count; ++task) {
        board.done(task);
      }
      board.finished(chunk.id);
      in_hand[slave].pop_front();
    }
  }
  return board.hopeless();
}

BOOST_AUTO_TEST_CASE(several_tasks_that_kill_one_slave_each_are_all_done) {
  for (const Shares shares : {Shares::fixed, Shares::dynamic, Shares::guided}) {
    Division how = division(shares);
    how.attempts = 5;
    WorkBoard board(10'000, 8, how);
    BOOST_TEST(!work_off(board, 8, {{11, 1}, {12, 1}, {13, 1}, {14, 1}, {15, 1}}));
    BOOST_TEST(board.all_done());
  }
}

BOOST_AUTO_TEST_CASE(the_task_that_kills_is_named_and_no_other) {
  for (const int attempts : {1, 2, 5}) {
    for (const Shares shares : {Shares::fixed, Shares::dynamic, Shares::guided}) {
      Division how = division(shares);
      how.attempts = static_cast<std::uint8_t>(attempts);
      WorkBoard board(10'000, 8, how);
      BOOST_TEST(work_off(board, 8, {{56, 1}, {57, 1000}, {58, 1}}).value_or(0) == 57U);
      WorkBoard other(10'000, 8, how);
      const int fewer = attempts - 1;
      BOOST_TEST(!work_off(other, 8, {{56, fewer}, {57, fewer}, {58, fewer}}));
    }
  }
}

BOOST_AUTO_TEST_CASE(who_leaves_in_order_casts_no_suspicion) {
  Division how = division(Shares::dynamic);
  how.attempts = 1;
  WorkBoard board(1, 1, how);
  board.ready(0);
  board.give(0);
  board.left(0);
  board.ready(0);
  const auto chunk = board.give(0);
  board.not_sent(*chunk);
  BOOST_TEST(!board.give(0), "not before it is ready again");
  board.ready(0);
  BOOST_TEST(board.give(0)->first == 0U);
  BOOST_TEST(!board.hopeless());
}

BOOST_AUTO_TEST_CASE(a_task_that_is_done_is_charged_with_no_death) {
  Division how = division(Shares::dynamic);
  how.attempts = 1;
  WorkBoard board(2, 2, how);
  board.ready(0);
  board.give(0);
  board.left(0);
  board.ready(1);
  BOOST_TEST_REQUIRE(board.give(1)->first == 0U);
  BOOST_TEST(board.done(0), "the one that was taken for lost brings it late");
  board.died(1);
  BOOST_TEST(!board.hopeless());
}

BOOST_AUTO_TEST_CASE(a_slave_that_is_lost_charges_nothing_until_its_death_is_known) {
  Division how = division(Shares::dynamic);
  how.attempts = 1;
  WorkBoard board(3, 2, how);
  board.ready(0);
  board.give(0);
  board.give(0);
  BOOST_TEST(!board.lost(0), "it had two");
  board.ready(0);
  BOOST_TEST_REQUIRE(board.give(0)->first == 0U);
  BOOST_TEST(!board.give(0), "alone");
  BOOST_TEST(board.lost(0).value_or(9) == 0U);
  BOOST_TEST(!board.hopeless());
  board.charge(0);
  BOOST_TEST(board.hopeless().value_or(9) == 0U);
}

BOOST_AUTO_TEST_CASE(whoever_dies_each_task_counts_once) {
  const Shares kinds[] = {Shares::fixed, Shares::dynamic, Shares::guided};
  std::uint64_t again = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const std::uint64_t tasks = random() % 200;
    const auto slaves = static_cast<std::uint32_t>(1 + random() % 5);
    Division how = division(kinds[seed % 3], static_cast<std::uint32_t>(1 + random() % 7));
    how.most = how.chunk + static_cast<std::uint32_t>(random() % 20);
    how.ahead = 1 + random() % 100;
    WorkBoard board(tasks, slaves, how, seed);
    std::vector<std::vector<Chunk>> in_hand(slaves);
    std::vector<int> counted(tasks);
    std::vector<Chunk> late;
    const auto bring = [&](const Chunk& chunk) {
      BOOST_TEST_REQUIRE(board.knows(chunk.id));
      for (std::uint64_t task = chunk.first; task < chunk.first + chunk.count; ++task) {
        counted[task] += board.done(task) ? 1 : 0;
      }
      board.finished(chunk.id);
    };
    board.ready(0);
    board.share_out();
    for (int step = 0; !board.all_done(); ++step) {
      BOOST_TEST_REQUIRE(step < 100'000, "seed " << seed);
      const auto slave = static_cast<std::uint32_t>(random() % slaves);
      const auto what = random() % 10;
      if (what == 0) {
        board.ready(slave);
      } else if (what == 1) {
        // The slave dies; results that were on their way may come all the same.
        if (random() % 4 == 0) board.left(slave);
        else board.died(slave);
        for (const Chunk& each : in_hand[slave]) {
          if (random() % 2 == 0) late.push_back(each);
        }
        in_hand[slave].clear();
      } else if (what < 6) {
        if (const auto chunk = board.give(slave)) in_hand[slave].push_back(*chunk);
      } else if (what == 6 && !late.empty()) {
        bring(late.back());
        late.pop_back();
      } else if (!in_hand[slave].empty()) {
        bring(in_hand[slave].front());
        in_hand[slave].erase(in_hand[slave].begin());
      }
    }
    BOOST_TEST_REQUIRE(std::count(counted.begin(), counted.end(), 1) == std::ssize(counted));
    BOOST_TEST_REQUIRE(board.done_in_order() == tasks);
    again += board.given_again();
  }
  BOOST_TEST(again > 1000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::detail
