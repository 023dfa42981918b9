// A clearinghouse with a folder, killed again and again while nodes come, hand over and go. What
// was stored is given, in order, and not twice without a mark.
#include "campaign.hpp"
#include "stored_batches.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(central_durable, StoredBatches)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_every_kill_of_the_server) {
  const std::size_t kills = campaign_size("CORACLE_CENTRAL_KILLS", 20);
  Servers servers(*this, kills + 1);
  const auto sending = [this](const char* name) {
    return [this, name] { send_until_enough(name, 0, [] {}); };
  };
  Process ann(sending("ann")), ada(sending("ada"));
  watch(90s + 2s * static_cast<int>(kills));
  servers.begin();
  Reading reading;
  Duration longest{};
  for (std::size_t kill = 0; kill < kills; ++kill) {
    const std::string reader = readers[kill % 2];
    const std::size_t before = 5 + kill * 7 % 31;  // so many are new before the kill
    Node node(this->node());
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
                   longest = std::max(longest, steady_clock().now() - down);
                 }
               }));
    node.wait();
    (void)node.stop(0s);
  }
  say_enough();
  BOOST_TEST(ann.wait());
  BOOST_TEST(ada.wait());
  std::set<Id> stored = stored_in(file("ann"));
  stored.merge(stored_in(file("ada")));
  for (const std::string reader : readers) read_rest(reader, stored, reading);
  BOOST_TEST(reading.wrong() == std::vector<std::string>(), boost::test_tools::per_element());
  BOOST_TEST(stored.size() > 5 * kills);
  BOOST_TEST((longest < 1s * slowness));
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
  figure("servers killed; serving again after",
         std::to_string(kills) + "; at most " + std::to_string(milliseconds) + " ms", "<= 1000 ms");
  figure("stored, read, given again with a mark",
         std::to_string(stored.size()) + ", " + std::to_string(reading.count()) + ", " +
             std::to_string(reading.again()),
         "nothing lost, nothing twice unmarked, in order: " +
             std::to_string(reading.wrong().size()) + " faults");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
