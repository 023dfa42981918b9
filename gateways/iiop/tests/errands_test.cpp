// Errands that block: order for each partner, several partners beside each other, ends.
#include "errands.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <string>
#include <utility>

namespace coracle::fipa {

namespace {

using namespace std::chrono_literals;

void at_once(const std::function<void()>& work) { work(); }

// Records what becomes of errands.
struct Record {
  void add(std::string what) {
    const std::lock_guard lock(mutex);
    list.push_back(std::move(what));
    changed.notify_all();
  }
  std::vector<std::string> wait(std::size_t number) {
    std::unique_lock lock(mutex);
    BOOST_TEST_REQUIRE(changed.wait_for(lock, 20s, [&] { return list.size() >= number; }));
    return list;
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> list;
};

class Duty final : public Errand {
 public:
  Duty(Record& record, std::string name, std::shared_future<bool> until)
      : record_(record), name_(std::move(name)), until_(std::move(until)) {}
  std::unique_ptr<Error> run() noexcept override {
    const bool is_gone = until_.get();
    record_.add(name_);
    return is_gone ? std::make_unique<Error>(Errc::unreachable, "gone") : nullptr;
  }
  void fail(const Error& error) noexcept override {
    record_.add(name_ + ": " + error.sentence().substr(0, 4));
  }

 private:
  Record& record_;
  const std::string name_;
  const std::shared_future<bool> until_;
};

struct Office {
  std::promise<bool> gate;
  const std::shared_future<bool> opened{gate.get_future()};
  std::promise<bool> free_gate;
  const std::shared_future<bool> open{free_gate.get_future()};
  Record record;

  Office() { free_gate.set_value(false); }
  std::shared_ptr<Errand> waiting(const std::string& name) {
    return std::make_shared<Duty>(record, name, opened);
  }
  std::shared_ptr<Errand> free(const std::string& name) {
    return std::make_shared<Duty>(record, name, open);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(errands, Office)

BOOST_AUTO_TEST_CASE(the_errands_to_one_partner_keep_their_order) {
  Errands errands(4, 1000, at_once);
  for (int i = 0; i < 200; ++i) errands.add("p", free(std::to_string(i)));
  const auto list = record.wait(200);
  for (std::size_t i = 0; i < 200; ++i) BOOST_TEST(list[i] == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(a_partner_that_does_not_answer_costs_the_others_one_thread) {
  Errands errands(2, 100, at_once);
  errands.add("slow", waiting("slow 1"));
  errands.add("slow", waiting("slow 2"));
  for (int i = 0; i < 5; ++i) errands.add("p" + std::to_string(i), free("quick"));
  BOOST_TEST(record.wait(5).back() == "quick");
  gate.set_value(false);
  BOOST_TEST(record.wait(7).back() == "slow 2");
}

BOOST_AUTO_TEST_CASE(when_a_partner_is_gone_its_line_fails_and_later_errands_are_tried) {
  Errands errands(2, 100, at_once);
  errands.add("p", waiting("1"));
  errands.add("p", waiting("2"));
  errands.add("p", waiting("3"));
  gate.set_value(true);
  BOOST_TEST(record.wait(3) == (std::vector<std::string>{"1", "2: gone", "3: gone"}),
             boost::test_tools::per_element());
  errands.add("p", free("4"));
  BOOST_TEST(record.wait(4).back() == "4");
}

BOOST_AUTO_TEST_CASE(beyond_the_limit_nothing_more_is_accepted) {
  Errands errands(1, 2, at_once);
  errands.add("p", waiting("1"));
  errands.add("p", waiting("2"));
  bool is_refused = false;
  for (int i = 0; i < 2 && !is_refused; ++i) {  // the first may have begun
    try {
      errands.add("q", waiting("3"));
    } catch (const Error& error) {
      is_refused = error.errc() == Errc::limit_reached;
    }
  }
  BOOST_TEST(is_refused);
  gate.set_value(false);
}

BOOST_AUTO_TEST_CASE(at_the_end_what_runs_is_awaited_and_the_rest_fails) {
  Errands errands(1, 100, at_once);
  errands.add("p", waiting("1"));
  errands.add("p", waiting("2"));
  auto ending = std::async(std::launch::async, [&] { errands.stop(); });
  gate.set_value(false);
  ending.get();
  BOOST_TEST(record.wait(2).size() == 2);
  BOOST_CHECK_THROW(errands.add("p", free("3")), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
