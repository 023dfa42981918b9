// Nodes of the Central realization in processes of their own, which are killed or halted, and a
// server that is killed again and again.
#include "central_lab.hpp"
#include "servers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(central_nodes, CentralLab)

BOOST_AUTO_TEST_CASE(nothing_that_a_tuple_space_has_stored_is_lost_when_it_is_killed) {
  what_a_killed_space_had_confirmed_is_there_again(*this);
}

BOOST_AUTO_TEST_CASE(what_a_killed_slave_had_in_hand_is_soon_done_elsewhere) {
  a_lost_slaves_tasks_are_done_elsewhere(*this, &Process::kill, std::chrono::seconds(10));
}

BOOST_AUTO_TEST_CASE(what_a_silent_slave_has_in_hand_is_soon_done_elsewhere) {
  a_lost_slaves_tasks_are_done_elsewhere(*this, &Process::halt, std::chrono::seconds(13));
}

BOOST_AUTO_TEST_CASE(agents_in_two_processes_talk_and_count_every_message) {
  agents_talk_and_count_every_message(*this);
}

BOOST_AUTO_TEST_CASE(what_a_killed_process_had_not_read_goes_to_the_next_holder_of_the_name) {
  what_a_killed_process_had_not_read_goes_to_the_next_holder(*this);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_stopped_and_begins_again_costs_no_message) {
  a_server_that_begins_again_costs_no_message(*this);
}

BOOST_AUTO_TEST_CASE(a_large_content_arrives_whole) {
  a_large_content_arrives_whole_among_small_ones(*this);
}

BOOST_AUTO_TEST_CASE(a_thousand_agents_are_made_by_one_node) {
  a_node_makes_a_thousand_agents(*this);
}

BOOST_AUTO_TEST_CASE(a_node_with_another_key_is_told_why_it_is_not_let_in) {
  watch();
  central::ServerOptions serving = server_options();
  serving.listen = {"127.0.0.1:0"};
  const central::Server server(serving);
  central::Options guessing = options();
  guessing.server = server.endpoints().front();
  guessing.key = another_key;
  is_refused_for_its_key(central::realization(guessing));
}

// A server loses all that it holds, at any moment. Messages that come twice are marked; the first
// copies come in order.
BOOST_AUTO_TEST_CASE(a_server_that_is_killed_under_load_costs_no_message) {
  constexpr std::size_t kills = 8;
  constexpr int at_once = 250, count = at_once * 4 * static_cast<int>(kills);
  Servers servers(*this, kills + 1);
  Bell here;
  Process other(with("bob", [&here](Agent& me) -> Task<> {
    here.ring();
    for (int next = 0; next < count;) {
      const Message message = co_await me.receive();
      const int number = std::stoi(std::string(message.text()));
      if (number > next) throw Error(Errc::bad_options, "lost before " + std::to_string(number));
      if (number < next && !message.redelivered())
        throw Error(Errc::bad_options, "twice, unmarked: " + std::to_string(number));
      if (number != next) continue;
      ++next;
      if (next % at_once == 0) co_await me.send("ann", std::to_string(next));
    }
  }));
  watch();
  servers.begin();
  Node node(this->node());
  here.await();
  int answered = 0;
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (int i = 0; i < count;) {
                 co_await me.send("bob", std::to_string(i));
                 if (++i % (4 * at_once) == at_once / 2) {
                   servers.kill();
                   servers.begin();
                 }
                 while (i % at_once == 0 && answered < i) {
                   const Message answer = co_await me.receive();
                   answered = std::max(answered, std::stoi(std::string(answer.text())));
                 }
               }
             }));
  node.wait();
  BOOST_TEST(answered == count);
  BOOST_TEST(other.wait());
  (void)node.stop(5s);
}

// More messages wait for the halted node than the server holds for it.
BOOST_AUTO_TEST_CASE(a_node_that_takes_nothing_slows_nobody_else) {
  constexpr int letters = 200, rounds = 500;
  const std::string large(64u << 10, 'x');
  Bell here;
  Process halted(with("halted", [&here](Agent& me) -> Task<> {
    here.ring();
    for (int got = 0; got < letters; ++got) (void)co_await me.receive();
    co_await me.send("ann", "all");
  }));
  Process quick(with("quick", [&here](Agent& me) -> Task<> {
    here.ring();
    for (int round = 0; round < rounds; ++round) {
      const Message message = co_await me.receive();
      co_await me.reply(message, "yes");
    }
  }));
  serve();
  Node node(this->node());
  here.await();
  here.await();
  halted.halt();
  int answers = 0;
  bool all = false;
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (int i = 0; i < letters; ++i) co_await me.send("halted", large);
               const Message answer = co_await me.receive();
               all = answer.text() == "all";
             }));
  node.adopt("eve", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (; answers < rounds; ++answers) (void)co_await me.ask("quick", "you there?");
               halted.go_on();
             }));
  node.wait();
  BOOST_TEST(answers == rounds);
  BOOST_TEST(all);
  BOOST_TEST(quick.wait());
  BOOST_TEST(halted.wait());
  (void)node.stop(5s);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
