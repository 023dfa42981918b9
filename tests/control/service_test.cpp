// Clients and servers, on every realization.
#include "coracle/dispel/client.hpp"
#include "coracle/dispel/server.hpp"
#include "workplace.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

namespace coracle::dispel::test {

namespace {

// The events at the servers, from any thread.
class Seen {
 public:
  void add(const std::string& what) {
    const std::scoped_lock lock(mutex_);
    order_.push_back(what);
    ++counts_[what];
  }
  std::vector<std::string> order() const {
    const std::scoped_lock lock(mutex_);
    return order_;
  }
  int count(const std::string& what) const {
    const std::scoped_lock lock(mutex_);
    const auto found = counts_.find(what);
    return found == counts_.end() ? 0 : found->second;
  }

  std::atomic<int> at_once{0};
  std::atomic<int> most_at_once{0};
  // The number of clients that must still report that all their requests have arrived before a slow
  // server goes on.
  std::atomic<int> awaited{0};

 private:
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::string> order_;
  std::map<std::string, int> counts_;
};

// A client that does what a test specifies.
class Caller : public Client {
 public:
  using Body = std::function<Task<>(Caller&)>;
  explicit Caller(Body body) : body_(std::move(body)) {}

  Task<> run() override { return tell_main(*this, body_(*this)); }
  using Client::call;
  using Client::call_result;
  using Client::open;
  using Client::trigger;
  std::map<std::uint64_t, std::string> answers;

 protected:
  void on_answer(Ticket ticket, const Result<Message>& answer) override {
    if (answer) answers[ticket] = std::string(answer->text());
    else answers[ticket] = answer.error().sentence();
  }

 private:
  Body body_;
};

struct Double : Server<std::int64_t, std::int64_t> {
  using Server::Server;

 protected:
  std::int64_t answer(const std::int64_t& number) override {
    if (number < 0) throw Refusal("only what is not negative");
    return 2 * number;
  }
};

// Serves slowly once all requests are there for which it must wait, and notes its clients; dies of
// some requests.
struct Slow : Server<std::string, std::string> {
  Slow(Seen* seen, ServerOptions options, Duration takes)
      : Server(std::move(options)), seen_(seen), takes_(takes) {}

  static constexpr Conversation all_is_there = 7;
  Task<> run() override {
    spawn(await_questions());
    co_await work_as_server();
  }

 protected:
  Task<std::string> consider(const std::string& what) override {
    if (what == "die") throw Crash();
    const int now = ++seen_->at_once;
    if (now > seen_->most_at_once) seen_->most_at_once = now;
    while (what != "hello" && seen_->awaited > 0) co_await pause(1ms);
    co_await pause(takes_);
    --seen_->at_once;
    seen_->add(what);
    seen_->add("by " + name().str());
    co_return what + "!";
  }

 private:
  // Earlier requests of the reporting client have already arrived.
  Task<> await_questions() {
    for (;;) {
      (void)co_await receive(in_conversation(all_is_there));
      --seen_->awaited;
    }
  }

  Seen* seen_;
  Duration takes_;
};

// Reports to "slow" that all requests that were triggered have been sent.
Task<> say_all_is_there(Caller& me) {
  co_await me.yield();
  co_await me.send("slow", Content(), Slow::all_is_there);
}

ServerOptions offering(const std::string& service, std::uint32_t at_once = 1) {
  ServerOptions options;
  options.service = service;
  options.at_once = at_once;
  return options;
}

// Runs clients beside servers; each client must come to its end.
void play(Workplace& workplace, std::function<Task<>(Agent&)> servers,
          std::vector<Caller::Body> clients) {
  workplace.run([&](Agent& me) -> Task<> {
    co_await servers(me);
    int number = 0;
    for (const Caller::Body& each : clients) {
      const std::string name = "client/" + std::to_string(number++);
      co_await workplace.place(me, AgentSpec(name), std::make_unique<Caller>(each));
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const Message end = co_await me.receive();
      expect_equal(std::string(end.text()), std::string("done"), end.source().name().view());
    }
  });
}

void a_client_gets_its_answer_or_the_reason_why_not(Workplace& workplace) {
  play(workplace,
       [&](Agent& me) -> Task<> {
         co_await workplace.place(me, AgentSpec("double"), std::make_unique<Double>());
       },
       {[](Caller& me) -> Task<> {
         for (std::int64_t i = 0; i < 100; ++i) {
           const auto twice = co_await me.call<std::int64_t>("double", i);
           expect_equal(twice, 2 * i, "the answer");
         }
         const Content bad = Content::of(std::int64_t{-1});
         const Result<Message> none = co_await me.call_result("double", bad);
         expect_error(none, Errc::refused, "a refusal");
         expect(none.error().sentence().find("only what is not negative") != std::string::npos,
                none.error().sentence());
       }});
}

void a_client_need_not_wait(Workplace& workplace) {
  Seen seen;
  seen.awaited = 1;
  play(workplace,
       [&](Agent& me) -> Task<> {
         co_await workplace.place(me, AgentSpec("slow"),
                                  std::make_unique<Slow>(&seen, offering("", 4), 2ms));
       },
       {[&](Caller& me) -> Task<> {
         std::map<std::uint64_t, std::string> wanted;
         for (int i = 0; i < 20; ++i) {
           const std::string what = std::to_string(i);
           wanted[me.trigger("slow", what)] = what + "!";
         }
         expect_equal(me.open(), 20U, "open questions");
         while (seen.at_once < 4) co_await me.pause(1ms);
         seen.awaited = 0;
         while (me.open() > 0) co_await me.pause(1ms);
         expect(me.answers == wanted, "every answer belongs to its question");
       }});
  expect(seen.most_at_once <= 4, "no more at once than it may");
  expect_equal(seen.most_at_once.load(), 4, "as many at once as it may");
}

void a_higher_lane_is_served_first(Workplace& workplace) {
  Seen seen;
  seen.awaited = 1;
  play(workplace,
       [&](Agent& me) -> Task<> {
         co_await workplace.place(me, AgentSpec("slow"),
                                  std::make_unique<Slow>(&seen, offering(""), 5ms));
       },
       {[&](Caller& me) -> Task<> {
         CallOptions urgent;
         urgent.lane = 3;
         me.trigger("slow", std::string("first"));
         while (seen.at_once == 0) co_await me.pause(1ms);
         for (int i = 0; i < 3; ++i) me.trigger("slow", std::string("patient"));
         me.trigger("slow", std::string("urgent"), urgent);
         co_await say_all_is_there(me);
         while (me.open() > 0) co_await me.pause(1ms);
       }});
  expect_equal(seen.order().at(2), std::string("urgent"), "the second that was served");
}

void a_question_is_not_served_when_its_time_has_passed(Workplace& workplace) {
  Seen seen;
  seen.awaited = 1;
  play(workplace,
       [&](Agent& me) -> Task<> {
         co_await workplace.place(me, AgentSpec("slow"),
                                  std::make_unique<Slow>(&seen, offering(""), 60ms));
       },
       {[&](Caller& me) -> Task<> {
         me.trigger("slow", std::string("first"));
         while (seen.at_once == 0) co_await me.pause(1ms);
         CallOptions brief;
         brief.within = 20ms;
         const Content asked = Content::of(std::string("never"));
         const Result<Message> none = co_await me.call_result("slow", asked, brief);
         expect_error(none, Errc::expired, "its time has passed");
         co_await say_all_is_there(me);
         const auto last = co_await me.call<std::string>("slow", std::string("last"));
         expect_equal(last, std::string("last!"), "the server goes on");
       }});
  expect_equal(seen.count("never"), 0, "served too late");
}

void an_urgent_question_does_not_wait_behind_a_full_desk(Workplace& workplace) {
  Seen seen;
  seen.awaited = 1;
  ServerOptions narrow = offering("");
  narrow.waiting = 2;
  play(workplace,
       [&](Agent& me) -> Task<> {
         co_await workplace.place(me, AgentSpec("slow"),
                                  std::make_unique<Slow>(&seen, narrow, 5ms));
       },
       {[&](Caller& me) -> Task<> {
         CallOptions urgent;
         urgent.lane = 3;
         me.trigger("slow", std::string("first"));
         while (seen.at_once == 0) co_await me.pause(1ms);
         for (int i = 0; i < 9; ++i) me.trigger("slow", std::string("patient"));
         me.trigger("slow", std::string("urgent"), urgent);
         co_await say_all_is_there(me);
         while (me.open() > 0) co_await me.pause(1ms);
       }});
  expect_equal(seen.order().at(2), std::string("urgent"), "the second that was served");
  expect_equal(seen.count("patient"), 9, "the others are served too");
}

void clients_have_fair_turns(Workplace& workplace) {
  Seen seen;
  seen.awaited = 2;
  const auto greedy = [&seen](int questions, std::string word) -> Caller::Body {
    return [&seen, questions, word](Caller& me) -> Task<> {
      co_await me.call<std::string>("slow", std::string("hello"));
      while (seen.count("hello") < 2) co_await me.pause(1ms);
      for (int i = 0; i < questions; ++i) me.trigger("slow", word);
      co_await say_all_is_there(me);
      while (me.open() > 0) co_await me.pause(1ms);
    };
  };
  play(workplace,
       [&](Agent& me) -> Task<> {
         co_await workplace.place(me, AgentSpec("slow"),
                                  std::make_unique<Slow>(&seen, offering(""), 1ms));
       },
       {greedy(100, "greedy"), greedy(10, "modest")});
  int greedy_before = 0;
  int modest = 0;
  for (const std::string& each : seen.order()) {
    modest += each == "modest" ? 1 : 0;
    if (modest < 10) greedy_before += each == "greedy" ? 1 : 0;
  }
  expect(greedy_before < 50, "the modest one need not wait for the greedy one");
}

void a_service_is_found_and_its_load_spread(Workplace& workplace) {
  Seen seen;
  play(workplace,
       [&](Agent& me) -> Task<> {
         for (const char* name : {"s/a", "s/b", "s/c"}) {
           co_await workplace.place(me, AgentSpec(name),
                                    std::make_unique<Slow>(&seen, offering("shout"), 5ms));
         }
       },
       {[](Caller& me) -> Task<> {
         for (int round = 0; round < 10; ++round) {
           for (int i = 0; i < 3; ++i) me.trigger(Whom::service("shout"), std::string("x"));
           while (me.open() > 0) co_await me.pause(1ms);
         }
         const Content what = Content::of(std::string("x"));
         const Result<Message> none = co_await me.call_result(Whom::service("whisper"), what);
         expect_error(none, Errc::no_such_agent, "nobody whispers");
       }});
  for (const char* name : {"by s/a", "by s/b", "by s/c"}) {
    expect(seen.count(name) >= 5, "its share " + std::to_string(seen.count(name)));
  }
}

void when_a_server_dies_another_answers(Workplace& workplace) {
  Seen seen;
  play(workplace,
       [&](Agent& me) -> Task<> {
         for (const char* name : {"s/a", "s/b"}) {
           co_await workplace.place(me, AgentSpec(name),
                                    std::make_unique<Slow>(&seen, offering("shout", 8), 20ms));
         }
       },
       {[](Caller& me) -> Task<> {
         // After this call, the client knows the servers before one of them dies.
         co_await me.call<std::string>(Whom::service("shout"), std::string("hello"));
         CallOptions impatient;
         impatient.each = 500ms;
         for (int i = 0; i < 6; ++i) {
           me.trigger(Whom::service("shout"), std::string("x"), impatient);
         }
         const Content die = Content::of(std::string("die"));
         CallOptions once;
         once.attempts = 1;
         const Result<Message> none = co_await me.call_result("s/a", die, once);
         expect(!none, "it dies of that");
         const Errc why = none.error().errc();
         expect(why == Errc::agent_failed || why == Errc::peer_down, none.error().sentence());
         while (me.open() > 0) co_await me.pause(1ms);
         for (const auto& [ticket, answer] : me.answers) {
           expect_equal(answer, std::string("x!"), "everybody is answered");
         }
       }});
}

// Closes on a message from "main".
struct Shop : Server<std::string, std::string> {
  static constexpr Conversation night = 7;
  Task<> run() override {
    spawn(close());
    co_await work_as_server();
  }

 protected:
  std::string answer(const std::string& what) override { return what + "!"; }

 private:
  Task<> close() {
    co_await receive(in_conversation(night));
    retire();
  }
};

void a_server_that_nobody_asks_can_retire(Workplace& workplace) {
  const StopReport report = workplace.run([&](Agent& me) -> Task<> {
    co_await workplace.place(me, AgentSpec("shop"), std::make_unique<Shop>());
    const Message answer = co_await me.ask("shop", std::string("x"));
    expect_equal(std::string(answer.text()), std::string("x!"), "as long as it is open");
    co_await me.send("shop", "good night", Shop::night);
    try {
      const Ending ending = co_await me.watch("shop");
      expect(ending.reason == EndReason::stopped, ending.text);
    } catch (const Error& error) {
      expect(error.errc() == Errc::no_such_agent, error.sentence());
    }
  });
  expect(report.undelivered.empty(), report.to_string());
}

[[maybe_unused]] const bool registered_service = on_every_ground(
    "service",
    {GROUND_CASE(a_client_gets_its_answer_or_the_reason_why_not),
     GROUND_CASE(a_client_need_not_wait), GROUND_CASE(a_higher_lane_is_served_first),
     GROUND_CASE(a_question_is_not_served_when_its_time_has_passed),
     GROUND_CASE(an_urgent_question_does_not_wait_behind_a_full_desk),
     GROUND_CASE(clients_have_fair_turns), GROUND_CASE(a_service_is_found_and_its_load_spread),
     GROUND_CASE(when_a_server_dies_another_answers),
     GROUND_CASE(a_server_that_nobody_asks_can_retire)});

}  // namespace

}  // namespace coracle::dispel::test
