// One agent with several roles at once (the paper, end of section 2.2).
#include "coracle/dispel/client.hpp"
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/server.hpp"
#include "coracle/dispel/slave.hpp"
#include "stages.hpp"

namespace coracle::dispel::test {

namespace {

using Whole = std::int64_t;

// A filter in a stream, client of one layer, server of another, and slave of a master.
class Everything : public Filter<Whole, Whole>,
                   public Server<std::string, std::string>,
                   public Client,
                   public Slave<double, double> {
 public:
  Task<> run() override {
    spawn(work_as_server());
    spawn(work_as_slave());
    co_await work_as_stage();
    while (!may_end_) co_await pause(100us);
  }

 protected:
  // As a filter, it sends a request to another layer about each item.
  using Filter<Whole, Whole>::consider;
  Task<> consider(const Whole& item) override {
    ++items_;
    put(co_await call<Whole>("adder", item));
  }
  // As a server, it replies with the items that it has seen.
  using Server<std::string, std::string>::consider;
  using Slave<double, double>::consider;
  std::string answer(const std::string& question) override {
    if (question == "go home") may_end_ = true;
    return std::to_string(items_) + " items, " + std::to_string(tasks_) + " tasks";
  }
  // As a slave, it halves numbers.
  double work(const double& number) override {
    ++tasks_;
    return number / 2;
  }

 private:
  int items_ = 0;
  int tasks_ = 0;
  bool may_end_ = false;
};

struct Adder : Server<Whole, Whole> {
 protected:
  Whole answer(const Whole& number) override { return number + 1000; }
};

class Halver : public Master<double, double> {
 public:
  using Master::Master;
  Task<> run() override {
    const std::vector<double> halves = co_await divide(std::vector<double>(100, 3.0));
    expect(halves == std::vector<double>(100, 1.5), "the halves");
    co_await send("main", "halved");
  }
};

void one_agent_plays_four_roles_at_once(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 100, 10us).add<Everything>("all-rounder");
  pipeline.add<Collects>("all", &out);
  pipeline.connect("numbers", "all-rounder").connect("all-rounder", "all");
  workplace.run([&](Agent& me) -> Task<> {
    co_await workplace.place(me, AgentSpec("adder"), std::make_unique<Adder>());
    co_await workplace.place(me, AgentSpec("keeper"),
                             std::make_unique<Keeper>(pipeline, workplace));
    const std::vector<Name> slaves = {"p/all-rounder"};
    co_await workplace.place(me, AgentSpec("halver"), std::make_unique<Halver>(slaves));
    co_await me.receive(from("halver"));
    while (out.taken < 100) co_await me.pause(100us);
    const Message seen = co_await me.ask("p/all-rounder", "what have you seen?");
    expect_equal(std::string(seen.text()), std::string("100 items, 100 tasks"), "its roles");
    co_await me.ask("p/all-rounder", "go home");
    co_await me.receive(from("keeper"));
  });
  expect_equal(out.items().front(), 1000, "what the other layer has added");
}

[[maybe_unused]] const bool registered_roles =
    on_every_ground("roles", {GROUND_CASE(one_agent_plays_four_roles_at_once)});

}  // namespace

}  // namespace coracle::dispel::test
