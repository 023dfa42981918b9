// Nodes that know only the society's name and key, and find its directory by the beacon. Each has a
// folder of its own, as if it were on a host of its own; they meet on the loopback.
#include "coracle/realizations/distributed.hpp"
#include "lab.hpp"
#include "support/keys.hpp"

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

std::uint16_t free_port() {
  const int one = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  BOOST_TEST_REQUIRE(::bind(one, any, size) == 0);
  BOOST_TEST_REQUIRE(::getsockname(one, any, &size) == 0);
  ::close(one);
  return ntohs(address.sin_port);
}

class Lan : public Lab {
 public:
  Realization node() const override { return on("here"); }
  // A node on that host.
  Realization on(const std::string& host, const std::string& key = society_key) const {
    distributed::Options options;
    options.society = "lab";
    options.key = key;
    options.beacon = "239.192.44.10:" + std::to_string(port_) + "@127.0.0.1";
    options.folder = folder_ / host;
    ::mkdir(options.folder.c_str(), 0700);
    return distributed::realization(options);
  }
  std::function<void()> with_on(std::string host, std::string name, Doer::What what) const {
    return [this, host, name, what] {
      Node node(on(host));
      node.adopt(name, std::make_unique<Doer>(what));
      node.wait();
      (void)node.stop(5s);
    };
  }
  void stop_serving() override {}
  bool runs_without() const override { return true; }

 private:
  void begin() override {}

  const std::uint16_t port_ = free_port();
};

BOOST_FIXTURE_TEST_SUITE(lan, Lan)

BOOST_AUTO_TEST_CASE(nodes_that_begin_at_once_find_each_other) {
  Process other(with_on("there", "bob", passing_on("ann", "99")));
  Process third(with_on("elsewhere", "carl", passing_on("ann", "99")));
  watch();
  Node node(this->node());
  int answers = 0;
  node.adopt("ann", std::make_unique<Doer>([&answers](Agent& me) -> Task<> {
               for (int i = 0; i < 100; ++i) {
                 co_await me.send("bob", std::to_string(i));
                 co_await me.send("carl", std::to_string(i));
               }
               for (; answers < 200; ++answers) (void)co_await me.receive();
             }));
  node.wait();
  BOOST_TEST(answers == 200);
  BOOST_TEST(other.wait());
  BOOST_TEST(third.wait());
  (void)node.stop(5s);
}

BOOST_AUTO_TEST_CASE(another_directory_is_there_when_its_carrier_is_killed) {
  Bell carries, killed;
  Process carrier(with_on("there", "carrier", [&carries](Agent& me) -> Task<> {
    carries.ring();
    carries.ring();  // two wait for it
    co_await me.pause(1h);
  }));
  Process other([&] {
    carries.await();
    with_on("elsewhere", "bob", [](Agent& me) -> Task<> {
      for (int passed = 0; passed < 2; ++passed) {
        const Message message = co_await me.receive();
        co_await me.send("ann", message.text());
      }
      // Ann has read the last one. A node that stops while ann is not registered again would report
      // it as undelivered.
      (void)co_await me.receive();
    })();
  });
  Process late([&] {
    killed.await();
    with_on("late", "carl", [](Agent& me) -> Task<> {
      co_await me.send("bob", "last");
      (void)co_await me.receive();
    })();
  });
  watch();
  carries.await();
  Node node(this->node());
  std::vector<std::string> received;
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               co_await me.send("bob", "first");
               while (received.size() < 2) {
                 const Message message = co_await me.receive();
                 received.emplace_back(message.text());
                 if (received.back() == "last") {
                   co_await me.send("carl", "thanks");
                   co_await me.send("bob", "thanks");
                 }
                 if (received.size() != 1) continue;
                 carrier.kill();
                 killed.ring();
               }
             }));
  node.wait();
  const std::vector<std::string> expected = {"first", "last"};
  BOOST_TEST(received == expected, boost::test_tools::per_element());
  BOOST_TEST(other.wait());
  BOOST_TEST(late.wait());
  (void)node.stop(5s);
}

BOOST_AUTO_TEST_CASE(two_societies_with_different_keys_do_not_meet) {
  watch();
  std::atomic<bool> is_over = false;
  Node ours(on("here")), theirs(on("there", another_key));
  const auto wait = [&is_over](Agent& me) -> Task<> {
    while (!is_over) co_await me.pause(1ms);
  };
  ours.adopt("bob", std::make_unique<Doer>(wait));
  theirs.adopt("bob", std::make_unique<Doer>(wait));  // else the name would be taken
  BOOST_TEST(ours.directory().try_look_up("bob")->has_value());
  BOOST_TEST(theirs.directory().try_look_up("bob")->has_value());
  is_over = true;
  ours.wait();
  theirs.wait();
  (void)ours.stop(5s);
  (void)theirs.stop(5s);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
