#include "lab.hpp"

#include "coracle/dispel/master.hpp"
#include "coracle/dispel/slave.hpp"
#include "support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t tasks = 40;

class Doubles : public dispel::Slave<std::int64_t, std::int64_t> {
 public:
  Doubles() : Slave(dispel::Orphan::leaves) {}

 protected:
  std::int64_t work(const std::int64_t& task) override { return 2 * task; }
};

// Rings at its first task, and never ends it.
class Lingers : public dispel::Slave<std::int64_t, std::int64_t> {
 public:
  explicit Lingers(Bell& bell) : bell_(bell) {}

 protected:
  Task<std::int64_t> consider(const std::int64_t& task) override {
    bell_.ring();
    co_await pause(std::chrono::hours(1));
    co_return 2 * task;
  }

 private:
  Bell& bell_;
};

class Boss : public dispel::Master<std::int64_t, std::int64_t> {
 public:
  explicit Boss(std::vector<std::int64_t>& results)
      : Master({"slave/here", "slave/there"}), results_(results) {}
  Task<> run() override {
    std::vector<std::int64_t> all(tasks);
    std::iota(all.begin(), all.end(), 0);
    results_ = co_await divide(std::move(all));
  }

 private:
  std::vector<std::int64_t>& results_;
};

}  // namespace

void a_lost_slaves_tasks_are_done_elsewhere(Lab& lab, void (Process::*loss)(), Duration within) {
  Bell begun;
  Process other([&] {
    Node node(lab.node());
    node.adopt("slave/there", std::make_unique<Lingers>(begun));
    node.wait();
  });
  lab.serve();
  std::vector<std::int64_t> results;
  Node node(lab.node());
  node.adopt("boss", std::make_unique<Boss>(results));
  begun.await();  // before another slave is there
  node.adopt("slave/here", std::make_unique<Doubles>());
  const Time begin = steady_clock().now();
  (other.*loss)();
  node.wait();
  const Duration passed = steady_clock().now() - begin;
  std::cout << "its tasks were done elsewhere "
            << std::chrono::duration_cast<std::chrono::milliseconds>(passed).count()
            << " ms after it was lost\n";
  std::vector<std::int64_t> wanted(tasks);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = 2 * static_cast<std::int64_t>(i);
  BOOST_TEST(results == wanted, boost::test_tools::per_element());
  // Less than the lease of a node that is not notified.
  BOOST_TEST((passed < std::min<Duration>(within * slowness, 25s)));
}

}  // namespace coracle::test
