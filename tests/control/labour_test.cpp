// Masters and slaves, on every realization.
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/slave.hpp"
#include "workplace.hpp"

#include <atomic>
#include <numeric>
#include <string>

namespace coracle::dispel::test {

namespace {

using Ints = std::vector<std::int64_t>;

// A master that does what a test specifies.
class Boss : public Master<std::int64_t, std::int64_t> {
 public:
  using Body = std::function<Task<>(Boss&)>;
  Boss(std::vector<Name> slaves, Body body) : Master(std::move(slaves)), body_(std::move(body)) {}

  Task<> run() override { return tell_main(*this, body_(*this)); }
  using Master::command;
  using Master::divide;
  using MasterAgent::given_again;
  Ints told;
  std::uint64_t progress = 0;
  std::string refusal;

 protected:
  void on_result(std::uint64_t task, const std::int64_t&) override {
    told.push_back(static_cast<std::int64_t>(task));
  }
  void on_progress(std::uint64_t done, std::uint64_t) override { progress = done; }
  void on_refusal(const Name&, const std::string& why) override { refusal = why; }

 private:
  Body body_;
};

struct Work {
  std::atomic<int> done{0};
  std::atomic<int> deaths_left{0};
  std::atomic<int> masters_gone{0};
  Duration takes{};
};

struct Squares : Slave<std::int64_t, std::int64_t> {
  explicit Squares(Work* work, Orphan orphan = Orphan::waits) : Slave(orphan), work_(work) {}

 protected:
  Task<std::int64_t> consider(const std::int64_t& number) override {
    if (work_->takes > Duration::zero()) co_await pause(work_->takes);
    if (number % 10 == 7 && work_->deaths_left > 0) {
      --work_->deaths_left;
      throw Crash();
    }
    ++work_->done;
    co_return number* number;
  }
  void on_master_gone(const Name&) override { ++work_->masters_gone; }

 private:
  Work* work_;
};

Ints numbers(std::int64_t count) {
  Ints all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Ints squares(std::int64_t count) {
  Ints all = numbers(count);
  for (std::int64_t& each : all) each *= each;
  return all;
}

std::vector<Name> names(int count) {
  std::vector<Name> all;
  for (int i = 0; i < count; ++i) all.emplace_back("slave/" + std::to_string(i));
  return all;
}

// A master with `slaves` slaves; a slave that dies is made again.
void play(Workplace& workplace, Work& work, int slaves, Boss::Body body, Body meanwhile = {}) {
  workplace.run([&, slaves](Agent& me) -> Task<> {
    for (const Name& each : names(slaves)) {
      co_await workplace.place(me, AgentSpec(each), std::make_unique<Squares>(&work));
    }
    co_await workplace.place(me, AgentSpec("boss"),
                             std::make_unique<Boss>(names(slaves), std::move(body)));
    if (meanwhile) co_await meanwhile(me);
    const Message end = co_await me.receive(from("boss"));
    expect_equal(std::string(end.text()), std::string("done"), "the master");
  });
}

void work_is_divided_in_all_ways(Workplace& workplace) {
  Work work;
  play(workplace, work, 3, [](Boss& me) -> Task<> {
    for (const Shares shares : {Shares::fixed, Shares::dynamic, Shares::guided}) {
      Division how;
      how.shares = shares;
      const Ints results = co_await me.divide(numbers(200), how);
      expect(results == squares(200), "every result, in order");
      expect_equal(me.progress, 200U, "progress");
    }
    expect_equal(me.told.size(), 600U, "each result was told");
    const Ints nothing = co_await me.divide({});
    expect(nothing.empty(), "no tasks, no results");
  });
  expect_equal(work.done.load(), 600, "tasks that were done");
}

void results_are_told_in_order_when_that_is_wanted(Workplace& workplace) {
  Work work;
  work.takes = 100us;
  play(workplace, work, 3, [](Boss& me) -> Task<> {
    Division how;
    how.ordered = true;
    how.shares = Shares::dynamic;
    how.ahead = 10;
    co_await me.divide(numbers(100), how);
    expect(me.told == numbers(100), "the order");
  });
}

void what_a_dead_slave_had_is_given_to_others(Workplace& workplace) {
  Work work;
  work.takes = 50us;
  work.deaths_left = 2;
  play(workplace, work, 4, [](Boss& me) -> Task<> {
    const Ints results = co_await me.divide(numbers(300));
    expect(results == squares(300), "every result");
    expect_equal(me.told.size(), 300U, "each counts once");
    expect(me.given_again() > 0, "something was given again");
  });
  expect_equal(work.deaths_left.load(), 0, "deaths left");
}

void a_slave_that_begins_again_is_hired_again(Workplace& workplace) {
  Work work;
  work.takes = 50us;
  work.deaths_left = 1;
  play(
      workplace, work, 1,
      [](Boss& me) -> Task<> {
        const Ints results = co_await me.divide(numbers(100));
        expect(results == squares(100), "every result");
      },
      [&](Agent& me) -> Task<> {
        while (work.deaths_left > 0) co_await me.pause(100us);
        for (bool made = false; !made;) {
          std::optional<Error> error = co_await coracle::test::error_of(
              workplace.place(me, AgentSpec("slave/0"), std::make_unique<Squares>(&work)));
          made = !error;
          if (!made) co_await me.pause(1ms);
        }
      });
}

void a_second_master_is_refused(Workplace& workplace) {
  Work work;
  workplace.run([&](Agent& me) -> Task<> {
    co_await workplace.place(me, AgentSpec("slave/0"), std::make_unique<Squares>(&work));
    auto first = std::make_unique<Boss>(names(1), [](Boss& boss) -> Task<> {
      co_await boss.divide(numbers(3));
      co_await boss.send("main", "hired");
      co_await boss.receive(from("main"));
    });
    co_await workplace.place(me, AgentSpec("first"), std::move(first));
    co_await me.receive(from("first"));
    auto second = std::make_unique<Boss>(
        names(1), [](Boss& boss) -> Task<> { co_await boss.divide(numbers(3)); });
    co_await workplace.place(me, AgentSpec("second"), std::move(second));
    const Message refused = co_await me.receive(from("second"));
    const std::string said(refused.text());
    expect(
        said.find("'slave/0' serves 'first' and cannot serve 'second', too") != std::string::npos,
        said);
    // When the first master is gone, the slave is free.
    co_await me.send("first", "go home");
    co_await me.receive(from("first"));
    while (work.masters_gone == 0) co_await me.pause(1ms);
    auto third = std::make_unique<Boss>(
        names(1), [](Boss& boss) -> Task<> { co_await boss.divide(numbers(3)); });
    co_await workplace.place(me, AgentSpec("third"), std::move(third));
    const Message done = co_await me.receive(from("third"));
    expect_equal(std::string(done.text()), std::string("done"), "the third");
  });
}

void a_slave_stops_what_it_does_when_its_master_dies(Workplace& workplace) {
  Work work;
  work.takes = 1ms;
  workplace.run([&](Agent& me) -> Task<> {
    co_await workplace.place(me, AgentSpec("slave/0"),
                             std::make_unique<Squares>(&work, Orphan::leaves));
    auto boss = std::make_unique<Boss>(names(1), [&work](Boss& self) -> Task<> {
      self.spawn([](Boss& mortal, Task<Ints> work_of_it) -> Task<> {
        co_await std::move(work_of_it);
        co_await mortal.pause(1h);
      }(self, self.divide(numbers(100'000))));
      do co_await self.pause(20ms);
      while (work.done == 0);  // the slave knows its master then
    });
    co_await workplace.place(me, AgentSpec("boss"), std::move(boss));
    co_await me.receive(from("boss"));
    try {
      co_await me.watch("slave/0");
    } catch (const Error& error) {
      expect(error.errc() == Errc::no_such_agent, error.sentence());
    }
  });
  expect(work.done < 10'000, "it did not go on");
  expect_equal(work.masters_gone.load(), 1, "it was told");
}

void a_task_that_kills_its_slaves_is_named(Workplace& workplace) {
  Work work;
  work.deaths_left = 1000;
  workplace.run([&](Agent& me) -> Task<> {
    for (const Name& each : names(3)) {
      co_await workplace.place(me, AgentSpec(each), std::make_unique<Squares>(&work));
    }
    auto boss = std::make_unique<Boss>(names(3), [](Boss& self) -> Task<> {
      Division how;
      how.shares = Shares::dynamic;
      how.attempts = 2;                        // the first of three may have had another task, too
      co_await self.divide(numbers(10), how);  // they die of number 7
    });
    co_await workplace.place(me, AgentSpec("boss"), std::move(boss));
    const Message end = co_await me.receive(from("boss"));
    const std::string said(end.text());
    expect(said.find("died over task") != std::string::npos, said);
  });
}

// Its result names the slave.
struct Specialist : Slave<std::int64_t, std::string> {
  explicit Specialist(int deaths) : deaths_left(deaths) {}
  int deaths_left;

 protected:
  std::string work(const std::int64_t& number) override {
    if (deaths_left > 0) throw Crash();
    return name().str() + " " + std::to_string(number);
  }
};

class Chief : public Master<std::int64_t, std::string> {
 public:
  using Master::Master;
  Task<> run() override { return tell_main(*this, work()); }

 private:
  Task<> work() {
    for (std::int64_t number = 0; number < 30; ++number) {
      const Name whom("slave/" + std::to_string(number % 3));
      const std::string said = co_await command(whom, number);
      expect_equal(said, whom.str() + " " + std::to_string(number), "who did it");
    }
    const std::vector<std::string> all = co_await divide(numbers(9));
    expect_equal(all.size(), 9U, "all may have work again");
    const std::optional<Error> stranger = co_await coracle::test::error_of(command("slave/3", 0));
    expect_error(stranger, Errc::bad_options, "a stranger");
    expect(given_again() > 0, "what the one that died was given");
  }
};

void a_command_is_for_one_slave_and_its_successor(Workplace& workplace) {
  workplace.run([&](Agent& me) -> Task<> {
    for (const Name& each : names(3)) {
      const int deaths = each == names(3)[1] ? 1 : 0;
      co_await workplace.place(me, AgentSpec(each), std::make_unique<Specialist>(deaths));
    }
    co_await workplace.place(me, AgentSpec("chief"), std::make_unique<Chief>(names(3)));
    for (bool made = false; !made;) {
      co_await me.pause(1ms);
      std::optional<Error> error = co_await coracle::test::error_of(
          workplace.place(me, AgentSpec("slave/1"), std::make_unique<Specialist>(0)));
      made = !error;
    }
    const Message end = co_await me.receive(from("chief"));
    expect_equal(std::string(end.text()), std::string("done"), "the chief");
  });
}

void a_command_to_one_who_serves_another_is_refused(Workplace& workplace) {
  Work work;
  workplace.run([&](Agent& me) -> Task<> {
    for (const Name& each : names(2)) {
      co_await workplace.place(me, AgentSpec(each), std::make_unique<Squares>(&work));
    }
    auto first = std::make_unique<Boss>(names(1), [](Boss& boss) -> Task<> {
      expect_equal(co_await boss.command("slave/0", 7), std::int64_t{49}, "a square");
      co_await boss.send("main", "hired");
      co_await boss.receive(from("main"));
    });
    co_await workplace.place(me, AgentSpec("first"), std::move(first));
    co_await me.receive(from("first"));
    auto second = std::make_unique<Boss>(names(2), [](Boss& boss) -> Task<> {
      expect_equal(co_await boss.command("slave/1", 8), std::int64_t{64}, "by the other one");
      co_await boss.command("slave/0", 9);
    });
    co_await workplace.place(me, AgentSpec("second"), std::move(second));
    const Message refused = co_await me.receive(from("second"));
    const std::string said(refused.text());
    expect(said.find("'slave/0' serves 'first'") != std::string::npos, said);
    co_await me.send("first", "go home");
    co_await me.receive(from("first"));
  });
}

[[maybe_unused]] const bool registered_labour =
    on_every_ground("labour", {GROUND_CASE(work_is_divided_in_all_ways),
                               GROUND_CASE(results_are_told_in_order_when_that_is_wanted),
                               GROUND_CASE(what_a_dead_slave_had_is_given_to_others),
                               GROUND_CASE(a_slave_that_begins_again_is_hired_again),
                               GROUND_CASE(a_second_master_is_refused),
                               GROUND_CASE(a_slave_stops_what_it_does_when_its_master_dies),
                               GROUND_CASE(a_task_that_kills_its_slaves_is_named),
                               GROUND_CASE(a_command_is_for_one_slave_and_its_successor),
                               GROUND_CASE(a_command_to_one_who_serves_another_is_refused)});

}  // namespace

}  // namespace coracle::dispel::test
