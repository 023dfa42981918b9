// A clearinghouse with a folder, killed again and again while nodes come, hand over and go, and
// while others stay and entrust all that they send. What was stored is given, in order, and not
// twice without a mark.
#include "central_lab.hpp"
#include "servers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

constexpr int batch_size = 12;
constexpr std::size_t window = 16;              // what one who stays has under way
const char* const readers[] = {"bob", "bess"};  // one of them is there at a time

// A message is "SENDER BATCH NUMBER"; the numbers of a batch go up, in turn to both readers.
struct Id {
  std::string sender;
  int batch = 0, number = 0;
  auto operator<=>(const Id&) const = default;
  std::string text() const {
    return sender + " " + std::to_string(batch) + " " + std::to_string(number);
  }
};

std::istream& operator>>(std::istream& in, Id& id) {
  return in >> id.sender >> id.batch >> id.number;
}

class DurableLab : public CentralLab {
 public:
  DurableLab() : CentralLab(true) {}

  std::string file(const std::string& name) const { return folder_ / name; }

  // Nodes of that name send, one after another, until there is a file "enough". What was stored
  // is written down in the file of that name.
  std::function<void()> sending(std::string name) const {
    return [this, name = std::move(name)] {
      std::ofstream stored(file(name));
      for (int batch = 0; !std::filesystem::exists(file("enough")); ++batch) {
        try {
          send_batch(name, batch, stored);
        } catch (const Error& error) {
          if (error.errc() != Errc::unreachable && error.errc() != Errc::expired) throw;
        }
      }
    };
  }

  // A node that stays, and whose agent has some messages under way all the time.
  std::function<void()> entrusting(std::string name) const {
    return [this, name = std::move(name)] {
      std::ofstream stored(file(name));
      central::Options settings = options();
      settings.durable = true;
      Node node(central::realization(settings));
      node.adopt(AgentSpec(name), std::make_unique<Doer>([&](Agent& me) -> Task<> {
                   std::deque<std::pair<Id, Receipt>> waiting;
                   for (int number = 0; !std::filesystem::exists(file("enough")); ++number) {
                     const Id id{name, 0, number};
                     Post post(Name{readers[number % 2]}, Content(id.text()));
                     waiting.emplace_back(id, co_await me.track(std::move(post)));
                     if (waiting.size() < window) continue;
                     if (co_await waiting.front().second.reached(Stage::stored))
                       stored << waiting.front().first.text() << std::endl;
                     waiting.pop_front();
                   }
                 }));
      node.wait();
      (void)node.stop(0s);
    };
  }

 private:
  void send_batch(const std::string& name, int batch, std::ostream& stored) const {
    std::vector<Receipt> receipts;
    Node node(this->node());
    node.adopt(AgentSpec(name), std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 for (int number = 0; number < batch_size; ++number) {
                   const std::string text = Id{name, batch, number}.text();
                   Post post(Name{readers[number % 2]}, Content(text));
                   receipts.push_back(co_await me.track(std::move(post)));
                 }
               }));
    node.wait();
    (void)node.stop(0s);
    for (int number = 0; number < static_cast<int>(receipts.size()); ++number) {
      if (receipts[static_cast<std::size_t>(number)].first().stage == Stage::stored)
        stored << Id{name, batch, number}.text() << std::endl;
    }
  }
};

// What was read so far, and what is wrong with it.
class Reading {
 public:
  void on(const std::string& reader, const Message& message) {
    std::istringstream text{std::string(message.text())};
    Id id;
    text >> id;
    if (!seen_.insert(id).second) {
      ++again_;
      if (!message.redelivered()) wrong_.push_back("twice, unmarked: " + id.text());
      return;
    }
    int& last = last_[{reader, id.sender, id.batch}];
    if (id.number < last) wrong_.push_back("out of order: " + id.text());
    last = id.number;
  }
  // Whether something of these that is for `reader` has not been read.
  bool lacks(const std::set<Id>& ids, const std::string& reader) const {
    return std::any_of(ids.begin(), ids.end(), [&](const Id& id) {
      return readers[id.number % 2] == reader && !seen_.contains(id);
    });
  }
  // How many different ones came, and how many a second time.
  std::size_t count() const { return seen_.size(); }
  std::size_t again() const { return again_; }
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  std::set<Id> seen_;
  std::map<std::tuple<std::string, std::string, int>, int> last_;
  std::size_t again_ = 0;
  std::vector<std::string> wrong_;
};

std::set<Id> stored_in(const std::string& file) {
  std::ifstream in(file);
  std::set<Id> ids;
  for (Id id; in >> id;) ids.insert(id);
  return ids;
}

std::size_t kills_wanted() {
  const char* const text = std::getenv("CORACLE_CENTRAL_KILLS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 20;
}

// These two send; the server is killed again and again.
void kill_while(DurableLab& lab, std::function<void()> of_ann, std::function<void()> of_ada) {
  const std::size_t kills = kills_wanted();
  Servers servers(lab, kills + 1);
  Process ann(std::move(of_ann)), ada(std::move(of_ada));
  lab.watch(90s + 2s * static_cast<int>(kills));
  servers.begin();
  Reading reading;
  Duration longest{};
  for (std::size_t kill = 0; kill < kills; ++kill) {
    const std::string reader = readers[kill % 2];
    const std::size_t before = 5 + kill * 7 % 31;  // so many are new before the kill
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
                   longest = std::max(longest, steady_clock().now() - down);
                 }
               }));
    node.wait();
    (void)node.stop(0s);
  }
  std::ofstream(lab.file("enough")).close();
  BOOST_TEST(ann.wait());
  BOOST_TEST(ada.wait());
  std::set<Id> stored = stored_in(lab.file("ann"));
  stored.merge(stored_in(lab.file("ada")));
  for (const std::string reader : readers) {
    Node node(lab.node());
    node.adopt(AgentSpec(reader), std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 bool is_more = reading.lacks(stored, reader);
                 while (is_more) {
                   const auto message = co_await me.receive(Deadline(10s));
                   if (message) reading.on(reader, *message);
                   is_more = message && reading.lacks(stored, reader);
                 }
               }));
    node.wait();
    BOOST_TEST(!reading.lacks(stored, reader), "something that was stored is lost");
  }
  BOOST_TEST(reading.wrong() == std::vector<std::string>(), boost::test_tools::per_element());
  BOOST_TEST(stored.size() > 5 * kills);
  BOOST_TEST((longest < 1s * slowness));
  BOOST_TEST_MESSAGE(kills << " kills, " << stored.size() << " stored, " << reading.count()
                           << " read, " << reading.again() << " times again; served again after "
                           << std::chrono::duration_cast<std::chrono::milliseconds>(longest).count()
                           << " ms at most");
}

BOOST_FIXTURE_TEST_SUITE(central_durable, DurableLab)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_every_kill_of_the_server) {
  kill_while(*this, sending("ann"), sending("ada"));
}

BOOST_AUTO_TEST_CASE(what_was_stored_while_its_sender_lived_survives_every_kill) {
  kill_while(*this, entrusting("ann"), entrusting("ada"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
