// A directory with a folder, killed again and again. Messages that nodes handed over to it when
// they stopped are delivered, in order, and not twice without the redelivered mark.
#include "distributed_lab.hpp"
#include "servers.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

constexpr int batch = 3;
constexpr int kills = 4;

class DurableLab : public DistributedLab {
 public:
  DurableLab() : DistributedLab(true) {}

  // Ann sends a batch to bob, who is absent, and her node stops. Returns the number of stored
  // messages.
  int leave(int round) const {
    std::vector<Receipt> receipts;
    Node node(this->node());
    node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 for (int number = 0; number < batch; ++number) {
                   const std::string text = std::to_string(round * batch + number);
                   Post post(Name("bob"), Content(text));
                   receipts.push_back(co_await me.track(std::move(post)));
                 }
               }));
    node.wait();
    (void)node.stop(0s);
    int stored = 0;
    for (Receipt& receipt : receipts) stored += receipt.first().stage == Stage::stored ? 1 : 0;
    return stored;
  }
};

BOOST_FIXTURE_TEST_SUITE(distributed_durable, DurableLab)

BOOST_AUTO_TEST_CASE(what_nodes_left_with_a_directory_survives_its_kills) {
  Servers servers(*this, 2 * kills + 1);
  watch();
  servers.begin();
  int next = 0;
  for (int round = 0; round < kills; ++round) {
    BOOST_TEST(leave(round) == batch);
    servers.kill();
    servers.begin();
    Node node(this->node());
    node.adopt("bob", std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 const int end = next + batch;
                 while (next < end) {
                   const Message message = co_await me.receive();
                   const int number = std::stoi(std::string(message.text()));
                   BOOST_TEST((number == next || (number < next && message.redelivered())));
                   if (number != next) continue;
                   if (++next != end - 1) continue;
                   servers.kill();  // the message store may not know yet that these were read
                   servers.begin();
                 }
               }));
    node.wait();
    (void)node.stop(5s);
  }
  BOOST_TEST(next == batch * kills);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
