// In virtual time: a user's function that takes a minute delays nothing but its own result.
#include "coracle/dispel/client.hpp"
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/server.hpp"
#include "coracle/dispel/slave.hpp"
#include "nodes.hpp"
#include "pipeline/words.hpp"
#include "stages.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

namespace coracle::dispel::test {

namespace {

using coracle::test::Nodes;
using Count = std::int64_t;

struct Ponders : Server<Count, Count> {
 protected:
  Task<Count> consider(const Count& number) override {
    co_await pause(60s);
    co_return number + 1;
  }
};

struct Impatient : Client {
  explicit Impatient(std::map<Count, std::string>* heard) : heard_(heard) {}
  Task<> run() override {
    CallOptions brief;
    brief.within = 1s;
    CallOptions patient;
    spawn(ask_for_one(1, patient));
    co_await pause(1ms);
    spawn(ask_for_one(2, brief));
    co_await ask_for_one(3, patient);
  }

 private:
  Task<> ask_for_one(Count number, CallOptions options) {
    const Content question = Content::of(Count{number});
    const Result<Message> answer = co_await call_result("server", question, options);
    (*heard_)[number] = answer                                   ? "answered"
                        : answer.error().errc() == Errc::expired ? "expired"
                                                                 : "";
  }

  std::map<Count, std::string>* heard_;
};

// Notes the latest moment at which the server began to serve a request.
struct Notes : Server<Count, Count> {
  explicit Notes(Time* latest) : Server(wide()), latest_(latest) {}

 protected:
  Task<Count> consider(const Count& number) override {
    *latest_ = std::max(*latest_, now());
    co_return number + 1;
  }

 private:
  static ServerOptions wide() {
    ServerOptions options;
    options.at_once = 64;
    return options;
  }

  Time* latest_;
};

// Sends 64 requests at once, and notes when they expire.
struct Crowd : Client {
  Crowd(Time* deadline, std::size_t* ended) : deadline_(deadline), ended_(ended) {}
  Task<> run() override {
    *deadline_ = now() + 1s;
    for (Count number = 1; number < 64; ++number) spawn(ask_for_one(number));
    co_await ask_for_one(64);
    co_await pause(1s);
  }

 private:
  Task<> ask_for_one(Count number) {
    CallOptions options;
    options.within = *deadline_ - now();
    const Content question = Content::of(Count{number});
    (void)co_await call_result("server", question, options);
    ++*ended_;
  }

  Time* deadline_;
  std::size_t* ended_;
};

struct Digs : Slave<Count, Count> {
 protected:
  Task<Count> consider(const Count& number) override {
    co_await pause(60s);
    co_return number * 2;
  }
};

struct Digger : Master<Count, Count> {
  Digger(std::vector<Name> slaves, std::string* heard) : Master(std::move(slaves)), heard_(heard) {}
  Task<> run() override {
    try {
      const std::vector<Count> tasks(1, Count{21});
      const std::vector<Count> results = co_await divide(tasks);
      *heard_ = std::to_string(results.front());
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      *heard_ = error.sentence();
    }
    co_await pause(1h);
  }

 private:
  std::string* heard_;
};

// Takes a minute for the item 10.
struct Lingers : Filter<Count, Count> {
 protected:
  Task<> consider(const Count& item) override {
    if (item == 10) co_await pause(60s);
    put(Count{item});
  }
};

// Crashes once, a while after it has begun.
struct Trips : Filter<Count, Count> {
  explicit Trips(int* crashes) : crashes_(crashes) {}
  Task<> run() override {
    if (*crashes_ == 0) spawn(trip());
    co_await work_as_stage();
  }

 protected:
  void process(const Count& item) override { put(Count{item}); }

 private:
  Task<> trip() {
    co_await pause(5s);
    ++*crashes_;
    throw Crash("it trips");
  }

  int* crashes_;
};

// Fails at the item 5.
struct Chokes : Filter<Count, Count> {
  Chokes() {
    Wiring wiring;
    wiring.suppliers.push_back({"supplier"});
    wiring.consumers.emplace_back("consumer");
    connect(std::move(wiring));
  }

 protected:
  void process(const Count& item) override {
    if (item == 5) throw Crash("it chokes");
    put(Count{item});
  }
};

// Ends after two seconds.
struct Tires : Chokes {
  Task<> run() override {
    spawn(tire());
    co_await work_as_stage();
  }

 private:
  Task<> tire() {
    co_await pause(2s);
    cancel();
  }
};

Content numbers(Count first, std::uint32_t count) {
  detail::Batch<Count> batch;
  batch.head.runs.push_back({0, 1, static_cast<detail::Label>(first), count, 1});
  batch.head.next = {static_cast<detail::Label>(first) + count};
  for (Count i = 0; i < count; ++i) batch.items.push_back(first + i);
  return Content::of(std::move(batch));
}

// Sends `count` numbers to a stage at once, and the next one five seconds later.
Body supplying(Count count) {
  return [count](Agent& me) -> Task<> {
    const Match attaches = of_type(std::string(detail::Attach::content_type));
    const Message message = co_await me.receive(attaches);
    const std::uint64_t life = message.content().as<detail::Attach>().life;
    const Content all = numbers(0, static_cast<std::uint32_t>(count));
    co_await me.send(message.source(), all, life);
    co_await me.pause(5s);
    const Content more = numbers(count, 1);
    co_await me.send(message.source(), more, life);
    co_await me.pause(1h);
  };
}

// Lets a stage begin, and then notes the progress that the stage reports; or reads nothing.
Body consuming(bool reads, std::vector<detail::Label>* heard) {
  return [reads, heard](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    detail::Attach attach;
    attach.life = me.new_conversation();
    attach.window = 1000;
    attach.window_bytes = 1 << 20;
    attach.done = {0};
    attach.type = message.content().as<detail::Offer>().type;
    const Content begin = Content::of(std::move(attach));
    if (!reads) me.set_mailbox(MailboxOptions().messages(1));
    co_await me.send(message.source(), begin);
    while (reads) {
      const Message more = co_await me.receive();
      const Content content = more.content();
      if (const auto* marks = content.try_as<detail::Marks>()) *heard = marks->head.next;
    }
    // Another message has taken the only slot.
    const Content own = Content("to myself");
    (void)co_await me.send_result(me.name(), own);
    co_await me.pause(1h);
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(waiting)

BOOST_AUTO_TEST_CASE(questions_expire_on_time_while_a_server_considers_another) {
  Nodes nodes(1);
  std::map<Count, std::string> heard;
  nodes.at(0).adopt("server", std::make_unique<Ponders>());
  const Time begin = nodes.world().now();
  nodes.at(0).adopt("client", std::make_unique<Impatient>(&heard));
  nodes.until([&] { return heard.contains(2); });
  BOOST_TEST((nodes.world().now() - begin < 1100ms));
  BOOST_TEST(heard[2] == "expired");
  nodes.until([&] { return heard.size() == 3; }, 10min);
  BOOST_TEST((nodes.world().now() - begin < 121s), "the one that had expired took no time");
  BOOST_TEST(heard[1] == "answered");
  BOOST_TEST(heard[3] == "answered");
}

BOOST_AUTO_TEST_CASE(a_question_whose_time_passes_just_before_its_turn_is_not_served) {
  for (Duration early = 5us; early < 200us; early += 5us) {
    Nodes nodes(1);
    Time deadline, latest;
    std::size_t ended = 0;
    nodes.at(0).adopt("client", std::make_unique<Crowd>(&deadline, &ended));
    nodes.world().run_for(1s - early);
    nodes.at(0).adopt("server", std::make_unique<Notes>(&latest));
    nodes.until([&] { return ended == 64; });
    BOOST_TEST((latest < deadline), "begun " << (latest - deadline).count() << " ns too late");
  }
}

BOOST_AUTO_TEST_CASE(a_slave_at_work_answers_another_master_at_once) {
  Nodes nodes(2);
  std::string first;
  std::string second;
  const std::vector<Name> slaves = {"slave"};
  nodes.at(1).adopt("slave", std::make_unique<Digs>());
  const Time begin = nodes.world().now();
  nodes.at(0).adopt("first", std::make_unique<Digger>(slaves, &first));
  nodes.world().run_for(1s);
  nodes.at(0).adopt("second", std::make_unique<Digger>(slaves, &second));
  nodes.until([&] { return !second.empty(); });
  BOOST_TEST((nodes.world().now() - begin < 5s));
  BOOST_TEST(second.find("serves 'first'") != std::string::npos, second);
  nodes.until([&] { return !first.empty(); }, 10min);
  BOOST_TEST(first == "42");
}

BOOST_AUTO_TEST_CASE(a_consumer_that_begins_again_is_supplied_while_a_filter_considers) {
  Nodes nodes(1);
  Collected out;
  int crashes = 0;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, Count{20}).add<Lingers>("lingers");
  pipeline.add<Trips>("trips", &crashes).add<Collects>("all", &out);
  pipeline.connect("numbers", "lingers").connect("lingers", "trips").connect("trips", "all");
  const Time begin = nodes.world().now();
  nodes.at(0).adopt("keeper", std::make_unique<PipelineKeeper>(pipeline));
  nodes.until([&] { return out.taken >= 10; });
  BOOST_TEST((nodes.world().now() - begin < 1s), "no item waits for that which takes a minute");
  nodes.until([&] { return crashes == 1; });
  nodes.until([&] { return out.ends() == 1; }, 10min);
  BOOST_TEST(out.items().size() == 20U);
  BOOST_TEST((nodes.world().now() - begin < 62s));
}

BOOST_AUTO_TEST_CASE(a_stage_that_throws_does_not_wait_for_ever_for_who_takes_nothing) {
  Nodes nodes(1);
  std::string end;
  nodes.start(0, "supplier", supplying(10));
  nodes.start(0, "consumer", consuming(false, nullptr));
  nodes.at(0).adopt("stage", std::make_unique<Chokes>());
  const Time begin = nodes.world().now();
  nodes.start(0, "watcher", [&end](Agent& me) -> Task<> {
    const Ending ending = co_await me.watch("stage");
    end = ending.text;
  });
  nodes.until([&] { return !end.empty(); }, 10min);
  BOOST_TEST(end == "it chokes");
  BOOST_TEST((nodes.world().now() - begin < 10s));
}

BOOST_AUTO_TEST_CASE(what_a_stage_never_took_is_not_said_to_be_done) {
  Nodes nodes(1);
  std::vector<detail::Label> heard;
  nodes.start(0, "supplier", supplying(3));
  nodes.start(0, "consumer", consuming(true, &heard));
  nodes.at(0).adopt("stage", std::make_unique<Tires>());
  nodes.until([&] { return !heard.empty(); });
  BOOST_TEST(heard == std::vector<detail::Label>{3}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::test
