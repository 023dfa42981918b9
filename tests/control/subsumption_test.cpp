// Layers of behaviours, on every realization. The motor notes its drivers, and the times.
#include "coracle/dispel/subsumption.hpp"

#include "workplace.hpp"

#include <algorithm>
#include <mutex>

namespace coracle::dispel::test {

namespace {

// The driver at each time, from any thread.
class Log {
 public:
  void add(const std::string& who, Time when) {
    const std::scoped_lock lock(mutex_);
    all_.emplace_back(who, when);
  }
  std::vector<std::pair<std::string, Time>> all() const {
    const std::scoped_lock lock(mutex_);
    return all_;
  }
  std::size_t count(const std::string& who) const {
    const auto all_of_them = all();
    return static_cast<std::size_t>(
        std::count_if(all_of_them.begin(), all_of_them.end(),
                      [&](const auto& each) { return each.first == who; }));
  }
  Time last(const std::string& who) const {
    Time last;
    for (const auto& [each, when] : all()) {
      if (each == who) last = when;
    }
    return last;
  }
  Time first_after(const std::string& who, Time after) const {
    for (const auto& [each, when] : all()) {
      if (each == who && when > after) return when;
    }
    return Time::max();
  }

 private:
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::pair<std::string, Time>> all_;
};

struct Motor : Behaviour {
  explicit Motor(Log* log) : log_(log) {}
  In<std::string> drive{*this, "drive"};

 protected:
  void react() override {
    if (drive.is_fresh()) log_->add(*drive, now());
  }

 private:
  Log* log_;
};

// Sends its word again and again; dies when a log has the word often enough.
struct Speaker : Behaviour {
  Speaker(std::string word, Duration pace, const Log* log = nullptr, std::size_t enough = 0)
      : word_(std::move(word)), pace_(pace), log_(log), enough_(enough) {}
  In<std::string> told{*this, "told"};
  Out<std::string> out{*this, "out"};

 protected:
  void react() override {
    if (log_ != nullptr && log_->count(word_) >= enough_) throw Crash();
    if (alarm_rang()) out.send(word_);
    alarm(pace_);
  }

 private:
  std::string word_;
  Duration pace_;
  const Log* log_;
  std::size_t enough_;
};

Task<> begin(Agent& me, Workplace& workplace, const Subsumption& network) {
  for (const auto& each : network.plan()) {
    co_await workplace.place(me, AgentSpec(each.name), network.make(each));
  }
}

void a_higher_layer_takes_over_and_gives_back_when_it_dies(Workplace& workplace) {
  Log log;
  // In real time, the log may note a signal later than it came.
  const Duration lasts = workplace.in_virtual_time() ? Duration(30ms) : Duration(200ms);
  const Duration least = workplace.in_virtual_time() ? lasts : lasts / 4;
  Subsumption network("robot");
  network.add<Motor>(0, "motor", &log);
  network.add<Speaker>(0, "wander", std::string("wander"), Duration(1ms));
  network.add<Speaker>(1, "avoid", std::string("avoid"), Duration(4ms), &log, std::size_t{10});
  network.wire("wander.out", "motor.drive").suppress("avoid.out", "motor.drive", lasts);
  Time died;
  Time back = Time::max();
  workplace.run([&](Agent& me) -> Task<> {
    co_await begin(me, workplace, network);
    while (log.count("avoid") < 10) co_await me.pause(1ms);
    while (back == Time::max()) {
      co_await me.pause(1ms);
      died = log.last("avoid");
      back = log.first_after("wander", died);
    }
  });
  if (workplace.in_virtual_time()) {
    expect_equal(log.count("avoid"), 10U, "signals of the higher layer");
  }
  expect(back - died >= least, "it lasts for its time constant");
  // Then the next signal of the lower layer counts, which comes within its interval.
  const Duration most = workplace.in_virtual_time() ? Duration(33ms) : Duration(5s);
  expect(back - died < most, "and then lapses");
}

void one_that_is_inhibited_is_silent(Workplace& workplace) {
  Log log;
  Subsumption network("robot");
  network.add<Motor>(0, "motor", &log);
  network.add<Speaker>(0, "wander", std::string("wander"), Duration(1ms));
  network.add<Speaker>(1, "halt", std::string("halt"), Duration(100ms));
  network.wire("wander.out", "motor.drive").inhibit("halt.out", "wander.out", 40ms);
  const auto was_silent = [&log] {
    const auto all = log.all();
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].second - all[i - 1].second >= 40ms) return true;
    }
    return false;
  };
  // The order of their starts has no influence: a silence as long as the time constant follows.
  workplace.run([&](Agent& me) -> Task<> {
    co_await begin(me, workplace, network);
    while (!was_silent()) co_await me.pause(1ms);
  });
}

void of_two_suppressors_the_higher_layer_wins(Workplace& workplace) {
  Log log;
  Subsumption network("robot");
  network.add<Motor>(0, "motor", &log);
  network.add<Speaker>(2, "high", std::string("high"), Duration(3ms));
  network.add<Speaker>(1, "middle", std::string("middle"), Duration(1ms));
  network.suppress("high.out", "motor.drive", 10s).suppress("middle.out", "motor.drive", 10s);
  workplace.run([&](Agent& me) -> Task<> {
    co_await begin(me, workplace, network);
    while (log.count("high") < 10) co_await me.pause(1ms);
  });
  const auto all = log.all();
  bool seen = false;
  for (const auto& [who, when] : all) {
    seen = seen || who == "high";
    expect(!seen || who == "high", "nobody comes through any more");
  }
}

void a_register_holds_the_last_signal(Workplace& workplace) {
  struct Sleepy : Behaviour {
    explicit Sleepy(Log* log) : log_(log) {}
    In<std::string> in{*this, "in"};

   protected:
    Task<> consider() override {
      if (in) log_->add(*in, now());
      co_await pause(20ms);
    }

   private:
    Log* log_;
  };
  struct Counter : Behaviour {
    Out<std::string> out{*this, "out"};

   protected:
    void react() override {
      for (int i = 0; i < 50; ++i) out.send(std::to_string(i));
    }
  };
  Log log;
  Subsumption network("robot");
  network.add<Sleepy>(0, "slow", &log).add<Counter>(0, "counter").wire("counter.out", "slow.in");
  workplace.run([&](Agent& me) -> Task<> {
    co_await begin(me, workplace, network);
    while (log.count("49") == 0) co_await me.pause(1ms);
  });
  expect(log.all().size() <= (workplace.in_virtual_time() ? 3U : 25U),
         "it saw few of the fifty: " + std::to_string(log.all().size()));
}

void a_finite_machine_goes_back_to_its_first_state_when_it_is_reset(Workplace& workplace) {
  enum class Door { closed, open, jammed };
  struct Machine : FiniteBehaviour<Door> {
    explicit Machine(Log* log) : FiniteBehaviour(Door::closed), log_(log) {}
    In<std::string> push{*this, "push"};

   protected:
    Door step(Door state) override {
      log_->add(state == Door::closed ? "closed" : state == Door::open ? "open" : "jammed", now());
      if (!push.is_fresh()) return state;
      return state == Door::closed ? Door::open : Door::jammed;
    }

   private:
    Log* log_;
  };
  // Performs the next action when the last one was seen.
  struct Hand : Behaviour {
    explicit Hand(const Log* log) : log_(log) {}
    Out<std::string> push{*this, "push"};
    Out<bool> reset{*this, "reset"};

   protected:
    Task<> consider() override {
      if (log_->all().size() <= times_) co_return alarm(1ms);
      if (times_++ == 4) co_return rest_for_good();
      if (times_ == 4) reset.send(true);
      else push.send("!");
      alarm(10ms);
    }

   private:
    const Log* log_;
    std::size_t times_ = 0;
  };
  Log log;
  Subsumption network("house");
  network.add<Machine>(0, "door", &log).add<Hand>(1, "hand", &log);
  network.wire("hand.push", "door.push").wire("hand.reset", "door.reset");
  workplace.run([&](Agent& me) -> Task<> {
    co_await begin(me, workplace, network);
    while (log.count("closed") < 3) co_await me.pause(1ms);
  });
  std::string states;
  for (const auto& [state, when] : log.all()) states += state + " ";
  expect_equal(states, std::string("closed closed open jammed closed "), "its states");
}

[[maybe_unused]] const bool registered_subsumption = on_every_ground(
    "subsumption", {GROUND_CASE(a_higher_layer_takes_over_and_gives_back_when_it_dies),
                    GROUND_CASE(one_that_is_inhibited_is_silent),
                    GROUND_CASE(of_two_suppressors_the_higher_layer_wins),
                    GROUND_CASE(a_register_holds_the_last_signal),
                    GROUND_CASE(a_finite_machine_goes_back_to_its_first_state_when_it_is_reset)});

}  // namespace

}  // namespace coracle::dispel::test
