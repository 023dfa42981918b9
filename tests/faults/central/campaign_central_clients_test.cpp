// Nodes at a clearinghouse with a folder are killed again and again, and others begin under the
// same names. Stored messages are delivered in order, and not twice without the redelivered mark.
// CORACLE_CENTRAL_KILLS is the number of killed nodes.
#include "campaign.hpp"
#include "central_lab.hpp"
#include "stored_batches.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// Starts `kills` incarnations of one name one after another, and kills each after a number of
// rings. It does this in a process of its own, from which it can fork.
class KilledAgain {
 public:
  using Life = std::function<void(int number, Bell& progress)>;
  KilledAgain(std::size_t kills, Life life)
      : process_([kills, life = std::move(life)] {
          for (std::size_t number = 0; number < kills; ++number) {
            Bell progress;
            Process one([&] { life(static_cast<int>(number), progress); });
            for (std::size_t left = 2 + number * 7 % 23; left > 0; --left) progress.await();
            one.kill();
          }
        }) {}
  bool wait() { return process_.wait(); }

 private:
  Process process_;
};

// Returns false while an incarnation that was killed a moment ago has the name.
bool try_adopt(Node& node, const std::string& name, const Doer::What& what) {
  try {
    node.adopt(AgentSpec(name), std::make_unique<Doer>(what));
    return true;
  } catch (const Error& error) {
    if (error.errc() != Errc::name_taken) throw;
    return false;
  }
}

class ClientsLab : public StoredBatches {
 public:
  // Reads under that name, and writes down each message before it takes the next one.
  KilledAgain::Life reading(std::string name) const {
    return [this, name = std::move(name)](int, Bell& progress) {
      std::ofstream read(file("read." + name), std::ios::app);
      Node node(this->node());
      const Doer::What read_on = [&](Agent& me) -> Task<> {
        for (;;) {
          const Message message = co_await me.receive();
          const std::string mark = message.redelivered() ? "! " : ". ";
          read << mark + std::string(message.text()) + "\n" << std::flush;
          progress.ring();
        }
      };
      while (!try_adopt(node, name, read_on)) let_pass(20ms);
      node.wait();
    };
  }
  // Sends under that name; the numbers of its batches continue those of earlier incarnations.
  KilledAgain::Life sending_on(std::string name) const {
    return [this, name = std::move(name)](int number, Bell& progress) {
      send_until_enough(name, number * batches_of_a_life, [&progress] { progress.ring(); });
    };
  }

 private:
  static constexpr int batches_of_a_life = 100'000;
};

// The notes of all incarnations of a reader; a line that was being written may be cut off.
void read_back(const std::string& file, const std::string& reader, Reading& reading) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && !in.eof();) {
    std::istringstream text(line);
    std::string mark;
    Id id;
    if (text >> mark >> id) reading.on(reader, id, mark == "!");
  }
}

BOOST_FIXTURE_TEST_SUITE(campaign_central_clients, ClientsLab)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_every_kill_of_a_client) {
  const std::size_t kills = campaign_size("CORACLE_CENTRAL_KILLS", 8);
  KilledAgain bob(kills / 4, reading(readers[0])), bess(kills / 4, reading(readers[1]));
  KilledAgain ann(kills / 4, sending_on("ann"));
  KilledAgain ada(kills - 3 * (kills / 4), sending_on("ada"));
  Process eve([this] { send_until_enough("eve", 0, [] {}); });
  serve_longer(kills);
  BOOST_TEST(bob.wait());
  BOOST_TEST(bess.wait());
  BOOST_TEST(ann.wait());
  BOOST_TEST(ada.wait());
  say_enough();
  BOOST_TEST(eve.wait());
  std::set<Id> stored;
  for (const char* const name : {"ann", "ada", "eve"}) stored.merge(stored_in(file(name)));
  Reading reading;
  for (const char* const reader : readers)
    read_back(file("read." + std::string(reader)), reader, reading);
  for (const std::string reader : readers) read_rest(reader, stored, reading);
  for (const std::string& fault : reading.wrong()) BOOST_ERROR(fault);
  BOOST_TEST(stored.size() > kills);
  figure("clients killed", std::to_string(kills), "-");
  figure("stored, read, given again with a mark",
         std::to_string(stored.size()) + ", " + std::to_string(reading.count()) + ", " +
             std::to_string(reading.again()),
         "nothing lost, nothing twice unmarked, in order: " +
             std::to_string(reading.wrong().size()) + " faults");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
