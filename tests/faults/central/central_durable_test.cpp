// A clearinghouse with a folder, killed again and again while nodes come, hand over and go, and
// while others stay and send all their messages to its message store. Stored messages are delivered
// in order, and not twice without the redelivered mark.
#include "campaign.hpp"
#include "servers.hpp"
#include "stored_batches.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// Ann and ada send to that many readers; the server is killed again and again.
void kill_while(StoredBatches& lab, std::size_t readers_used,
                const std::function<void(const char* name)>& sending) {
  const std::size_t kills = campaign_size("CORACLE_CENTRAL_KILLS", 8);
  Servers servers(lab, kills + 1);
  Process ann([&sending] { sending("ann"); }), ada([&sending] { sending("ada"); });
  lab.watch(90s + 8s * static_cast<int>(kills));
  servers.begin();
  Reading reading;
  Duration longest{};
  std::size_t slow = 0;
  for (std::size_t kill = 0; kill < kills; ++kill) {
    const std::string reader = readers[kill % readers_used];
    const std::size_t before = 5 + kill * 7 % 31;  // number of new messages before the kill
    Node node(lab.node());
    node.adopt(AgentSpec(reader), std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 const std::size_t begin = reading.count();
                 bool was_killed = false;
                 while (reading.count() < begin + 2 * before) {
                   const Message message = co_await me.receive();
                   reading.on(reader, message);
                   if (was_killed || reading.count() < begin + before) continue;
                   was_killed = true;
                   servers.kill();
                   const Time down = steady_clock().now();
                   servers.begin();
                   const Duration took = steady_clock().now() - down;
                   longest = std::max(longest, took);
                   slow += took > 500ms ? 1 : 0;
                 }
               }));
    node.wait();
    (void)node.stop(0s);
  }
  lab.say_enough();
  {
    // The senders may wait for room in a mailbox.
    std::atomic<bool> is_over = false;
    Node node(lab.node());
    for (std::size_t which = 0; which < readers_used; ++which) {
      node.adopt(AgentSpec(readers[which]), std::make_unique<Doer>([&, which](Agent& me) -> Task<> {
                   while (!is_over) {
                     const auto message = co_await me.receive(Deadline(50ms));
                     if (message) reading.on(readers[which], *message);
                   }
                 }));
    }
    BOOST_TEST(ann.wait());
    BOOST_TEST(ada.wait());
    is_over = true;
    node.wait();
  }
  std::set<Id> stored = stored_in(lab.file("ann"));
  stored.merge(stored_in(lab.file("ada")));
  for (const std::string reader : readers) lab.read_rest(reader, stored, reading);
  for (const std::string& fault : reading.wrong()) BOOST_ERROR(fault);
  BOOST_TEST(stored.size() > 5 * kills);
  if (is_campaign()) BOOST_TEST((longest < 1s * slowness));
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
  figure("servers killed; serving again after",
         std::to_string(kills) + "; at most " + std::to_string(milliseconds) + " ms, " +
             std::to_string(slow) + " times more than 500 ms",
         "<= 1000 ms");
  figure("stored, read, given again with a mark",
         std::to_string(stored.size()) + ", " + std::to_string(reading.count()) + ", " +
             std::to_string(reading.again()),
         "nothing lost, nothing twice unmarked, in order: " +
             std::to_string(reading.wrong().size()) + " faults");
}

BOOST_FIXTURE_TEST_SUITE(central_durable, StoredBatches)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_every_kill_of_the_server) {
  kill_while(*this, 2, [this](const char* name) { send_until_enough(name, 0, [] {}); });
}

BOOST_AUTO_TEST_CASE(what_was_stored_while_its_sender_lived_survives_every_kill) {
  kill_while(*this, 1, [this](const char* name) { store_until_enough(name); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
