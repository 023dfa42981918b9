// Nodes of the Distributed realization in processes of their own, which are killed, and a directory
// that ends and begins again.
#include "coracle/coracle.hpp"
#include "coracle/realizations/distributed.hpp"
#include "processes.hpp"
#include "support/expect.hpp"
#include "support/temporary_folder.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// An agent that does what it is told.
class Doer final : public Agent {
 public:
  using What = std::function<Task<>(Agent&)>;
  explicit Doer(What what) : what_(std::move(what)) {}
  Task<> run() override { return what_(*this); }

 private:
  What what_;
};

// Where the nodes of one test meet.
struct Lab {
  std::string place() const { return "unix://" + (folder / "directory"); }
  Realization node() const {
    distributed::Options options;
    options.society = "lab";
    options.key = "what we know";
    options.folder = folder.path();
    options.directories = {place()};
    return distributed::realization(options);
  }
  // Once the test's processes have begun: they are forked, which no other thread must see.
  void serve() {
    if (!watchdog) watchdog.emplace("nodes in processes", std::chrono::seconds(90 * slowness));
    distributed::DirectoryOptions options;
    options.society = "lab";
    options.key = "what we know";
    options.listen = {place()};
    options.log = [](const std::string&) {};
    directory.emplace(options);
  }
  // In a process of its own: makes an agent there, and waits for its end.
  std::function<void()> with(std::string name, Doer::What what) const {
    return [this, name, what] {
      Node node(this->node());
      node.adopt(name, std::make_unique<Doer>(what));
      node.wait();
      (void)node.stop(5s);
    };
  }

  TemporaryFolder folder;
  std::optional<distributed::DirectoryServer> directory;
  std::optional<Watchdog> watchdog;
};

// Reads texts up to `last` and tells `to` of each, with "!" before what was given before.
Doer::What telling(Name to, std::string last) {
  return [to, last](Agent& me) -> Task<> {
    std::string text;
    while (text != last) {
      const Message message = co_await me.receive();
      text = message.text();
      const std::string told = (message.redelivered() ? "!" : "") + text;
      co_await me.send(to, told);
    }
  };
}

BOOST_AUTO_TEST_SUITE(distributed_nodes)

BOOST_AUTO_TEST_CASE(agents_in_two_processes_talk_and_count_every_message) {
  Lab lab;
  Process other(lab.with("bob", telling("ann", "999")));
  lab.serve();
  Node node(lab.node());
  int answers = 0;
  node.adopt("ann", std::make_unique<Doer>([&answers](Agent& me) -> Task<> {
               for (int i = 0; i < 1000; ++i) co_await me.send("bob", std::to_string(i));
               for (; answers < 1000; ++answers) {
                 const Message message = co_await me.receive();
                 if (message.text() != std::to_string(answers)) co_return;
               }
             }));
  node.wait();
  BOOST_TEST(answers == 1000);
  BOOST_TEST(other.wait());
  const StopReport report = node.stop(5s);
  BOOST_TEST(report.ledger.balanced());
  BOOST_TEST(report.ledger.passed_on == 1000u);
  BOOST_TEST(report.ledger.received == 1000u);
}

BOOST_AUTO_TEST_CASE(what_a_killed_process_had_not_read_goes_to_the_next_holder_of_the_name) {
  Lab lab;
  Bell reading;
  // The first one reads two, and is killed with the third in hand and seven in its mailbox.
  Process first(lab.with("bob", [&reading](Agent& me) -> Task<> {
    for (int i = 0; i < 2; ++i) (void)co_await me.receive();
    const Message third = co_await me.receive();
    reading.ring();
    co_await me.pause(std::chrono::hours(1));
  }));
  Bell killed;
  Process second([&] {
    killed.await();
    lab.with("bob", telling("ann", "10"))();
  });
  lab.serve();
  Node node(lab.node());
  std::vector<std::string> told;
  Duration silence{};
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (int i = 1; i <= 10; ++i) co_await me.send("bob", std::to_string(i));
               while (told.empty() || told.back() != "!10") {
                 const Message message = co_await me.receive();
                 told.emplace_back(message.text());
               }
             }));
  reading.await();
  const Time begin = steady_clock().now();
  first.kill();
  while (*node.directory().try_look_up("bob")) std::this_thread::yield();
  silence = steady_clock().now() - begin;
  killed.ring();
  node.wait();
  BOOST_TEST(second.wait());
  BOOST_TEST((silence < 5s * slowness));
  // What the first one had read may have died with it before it was said.
  BOOST_TEST(told.size() >= 8u);
  std::vector<std::string> expected;
  for (std::size_t i = 11 - told.size(); i <= 10; ++i) expected.push_back("!" + std::to_string(i));
  BOOST_TEST(told == expected, boost::test_tools::per_element());
}

// What the nodes take back from each other meanwhile may come twice, marked; nothing is lost.
BOOST_AUTO_TEST_CASE(a_directory_that_begins_again_costs_no_message) {
  constexpr int count = 300;
  Lab lab;
  Process other(lab.with("bob", [](Agent& me) -> Task<> {
    for (int last = 0; last < count - 1;) {
      const Message message = co_await me.receive();
      last = std::stoi(std::string(message.text()));
      co_await me.send("ann", message.text());
    }
  }));
  lab.serve();
  Node node(lab.node());
  std::vector<bool> seen(count);
  node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (std::size_t i = 0; i < seen.size(); ++i) {
                 if (i == 100) lab.directory.reset();
                 if (i == 200) lab.serve();
                 co_await me.send("bob", std::to_string(i));
                 while (!seen[i]) {
                   const Message message = co_await me.receive();
                   const auto told =
                       static_cast<std::size_t>(std::stoi(std::string(message.text())));
                   BOOST_TEST((!seen.at(told) || message.redelivered() || told < i));
                   seen[told] = true;
                 }
               }
             }));
  node.wait();
  BOOST_TEST(other.wait());
  BOOST_TEST(std::count(seen.begin(), seen.end(), true) == count);
  // Names can be claimed again.
  node.adopt("cid", std::make_unique<Doer>([](Agent&) -> Task<> { co_return; }));
  node.wait();
  (void)node.stop(5s);
}

BOOST_AUTO_TEST_CASE(a_node_with_another_key_is_told_why_it_is_not_let_in) {
  Lab lab;
  lab.serve();
  distributed::Options options;
  options.society = "lab";
  options.key = "guessed";
  options.folder = lab.folder.path();
  options.directories = {lab.place()};
  try {
    const Node node(distributed::realization(options));
    BOOST_ERROR("it was let in");
  } catch (const Error& error) {
    BOOST_TEST(error.errc() == Errc::not_permitted);
    BOOST_TEST(error.sentence().find("key") != std::string::npos, error.sentence());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
