#include "architectures/exchange.hpp"
#include "architectures/graph.hpp"
#include "harness/run/failures.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <vector>

namespace coracle::bench {

BOOST_AUTO_TEST_SUITE(architectures)

BOOST_AUTO_TEST_CASE(everybody_is_connected_with_everybody) {
  for (const auto& [shape, connections] :
       std::vector<std::pair<const char*, std::size_t>>{{"3", 3}, {"6", 15}, {"10", 45}}) {
    BOOST_TEST(fully_connected(shape).connections() == connections);
  }
}

// The weights of the paper's averages: N(N-1)/2, N(M-1) and N(M-1)(M-2)/2 connections.
BOOST_AUTO_TEST_CASE(a_councillor_is_a_member_of_its_group) {
  const Graph graph = council_of_groups("4-5");
  BOOST_TEST(graph.agents() == 20U);
  std::array<std::size_t, bonds> ends{};
  for (std::uint32_t one = 0; one < graph.agents(); ++one) {
    for (const std::uint32_t other : graph.neighbours[one]) {
      ++ends[static_cast<std::size_t>(bond_of(graph, one, other))];
    }
  }
  BOOST_TEST(ends[static_cast<std::size_t>(Bond::among_councillors)] == 2U * 6);
  BOOST_TEST(ends[static_cast<std::size_t>(Bond::to_councillor)] == 2U * 4 * 4);
  BOOST_TEST(ends[static_cast<std::size_t>(Bond::among_peers)] == 2U * 4 * 6);
}

BOOST_AUTO_TEST_CASE(a_tree_has_an_edge_less_than_agents) {
  for (const auto& [shape, agents] : std::vector<std::pair<const char*, std::size_t>>{
           {"3-2", 7}, {"3-3", 13}, {"3-4", 21}, {"4-2", 15}, {"4-3", 40}, {"5-2", 31}}) {
    BOOST_TEST(tree(shape).agents() == agents);
    BOOST_TEST(tree(shape).connections() == agents - 1);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_shape_is_refused) {
  for (const char* shape : {"", "x", "1", "-3", "6x", "1001"}) {
    BOOST_CHECK_THROW(fully_connected(shape), BadRequest);
  }
  for (const char* shape : {"3", "3-", "-3", "3-x", "0-3", "40-40", "1-1"}) {
    BOOST_CHECK_THROW(council_of_groups(shape), BadRequest);
  }
  for (const char* shape : {"3", "1-5", "20-2", "4294967295-2", "2-4294967295"}) {
    BOOST_CHECK_THROW(tree(shape), BadRequest);
  }
}

// Every message that is to be sent and read is chosen that often, and no more.
BOOST_AUTO_TEST_CASE(an_exchange_ends_when_all_was_sent_and_read) {
  Exchange exchange(3, 5, 42);
  std::vector<int> sends(3);
  std::vector<std::vector<Note>> coming(
      3, {Note::greeting, Note::greeting_answer, Note::original, Note::original, Note::original,
          Note::original, Note::original, Note::answer, Note::answer, Note::answer, Note::answer,
          Note::answer});
  while (const auto turn = exchange.choose()) {
    if (turn->is_send) {
      ++sends[turn->neighbour];
      exchange.sent(turn->neighbour);
    } else {
      BOOST_REQUIRE(!coming[turn->neighbour].empty());
      BOOST_TEST(exchange.read(turn->neighbour, coming[turn->neighbour].front()));
      coming[turn->neighbour].erase(coming[turn->neighbour].begin());
    }
  }
  for (int each : sends) BOOST_TEST(each == 5);
  BOOST_TEST(!exchange.read(1, Note::original));
}

BOOST_AUTO_TEST_CASE(nobody_gets_an_original_before_the_greeting_was_answered) {
  Exchange exchange(2, 3, 7);
  for (int i = 0; i < 100; ++i) BOOST_TEST(!exchange.choose()->is_send);
  BOOST_TEST(exchange.read(1, Note::greeting_answer));
  bool was_sent = false;
  for (int i = 0; i < 100; ++i) {
    const auto turn = exchange.choose();
    if (turn->is_send) BOOST_TEST(turn->neighbour == 1U);
    was_sent = was_sent || turn->is_send;
  }
  BOOST_TEST(was_sent);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::bench
