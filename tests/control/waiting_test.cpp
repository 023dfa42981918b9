// In virtual time: a user's function that takes a minute holds up nothing but its own result.
#include "coracle/dispel/client.hpp"
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/server.hpp"
#include "coracle/dispel/slave.hpp"
#include "nodes.hpp"
#include "stages.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::test
