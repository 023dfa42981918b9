// A connection that is not needed is closed, and the node with the next message makes it again.
#include "coracle/coracle.hpp"
#include "coracle/realizations/distributed.hpp"
#include "support/societies/test_society.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// The number of open sockets of this process.
std::size_t sockets() {
  std::size_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    count += std::filesystem::read_symlink(each, gone).string().starts_with("socket:") ? 1 : 0;
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resting_links)

BOOST_AUTO_TEST_CASE(whoever_has_something_to_say_connects_again) {
  const Watchdog watchdog("links that rest", std::chrono::seconds(60 * slowness));
  const TemporaryFolder folder;
  distributed::DirectoryOptions service;
  service.listen = {"unix://" + (folder / "directory")};
  const distributed::DirectoryServer directory(service);
  distributed::Options options;
  options.folder = folder.path();
  options.directories = service.listen;
  options.idle = 1ms;
  const std::size_t without = sockets();
  Node here(distributed::realization(options));
  const std::size_t of_a_node = sockets() - without;  // with its link to the directory
  Node there(distributed::realization(options));
  const std::size_t unconnected = without + 2 * of_a_node;

  Proceedings proceedings;
  std::atomic<int> round = 0;
  std::atomic<int> received = 0;
  const auto turn = [&round](Agent& me, int number) -> Task<> {
    while (round < number) co_await me.pause(1ms);
  };
  const Body bob = [&](Agent& me) -> Task<> {
    const Message first = co_await me.receive();
    co_await me.reply(first, "I hear you");
    co_await turn(me, 1);
    co_await me.send("ann", "are you there?");
    (void)co_await me.receive();
    received = 3;
  };
  const Body ann = [&](Agent& me) -> Task<> {
    (void)co_await me.ask("bob", "hello");
    received = 1;
    (void)co_await me.receive();
    received = 2;
    co_await turn(me, 2);
    co_await me.send("bob", "I am");
  };
  there.adopt("bob", std::make_unique<Actor>(bob, proceedings));
  here.adopt("ann", std::make_unique<Actor>(ann, proceedings));
  // One of the two had made the connection; after a rest each has to make it once.
  for (int number = 1; number <= 2; ++number) {
    while (received < number) std::this_thread::yield();
    while (sockets() > unconnected) std::this_thread::yield();
    round = number;
  }
  there.wait();
  here.wait();
  proceedings.rethrow();
  BOOST_TEST(received == 3);
  BOOST_TEST(here.stop(5s).ledger.balanced());
  BOOST_TEST(there.stop(5s).ledger.balanced());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
