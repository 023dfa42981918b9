// The drawing that describe() makes of a running society, on every realization.
#include "coracle/dispel/architecture.hpp"

#include "coracle/dispel/client.hpp"
#include "coracle/dispel/server.hpp"
#include "coracle/dispel/subsumption.hpp"
#include "stages.hpp"

namespace coracle::dispel::test {

namespace {

struct Oracle : Server<std::int64_t, std::int64_t> {
 protected:
  std::int64_t answer(const std::int64_t& number) override { return number; }
};

// A sink that sends a request to a server about each item, and never ends by itself.
struct Judge : Sink<std::int64_t>, Client {
  Task<> run() override { return work_as_stage(); }

 protected:
  Task<> consider(const std::int64_t& item) override {
    co_await call<std::int64_t>("oracle", item);
    if (item == 5) co_await receive(from("main"));
  }
};

void a_society_is_drawn_as_it_is(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 100).add<Add>("add", std::int64_t{1}).add<Judge>("judge");
  pipeline.connect("numbers", "add").connect("add", "judge");
  workplace.run([&](Agent& me) -> Task<> {
    co_await workplace.place(me, AgentSpec("oracle"), std::make_unique<Oracle>());
    co_await workplace.place(me, AgentSpec("keeper"),
                             std::make_unique<Keeper>(pipeline, workplace));
    Architecture drawing = co_await describe(me);
    for (; drawing.arrows.size() < 6; drawing = co_await describe(me)) co_await me.pause(1ms);
    const std::string text =
        "keeper: keeper\n"
        "  keeps p/numbers\n"
        "  keeps p/add\n"
        "  keeps p/judge\n"
        "oracle: server\n"
        "p/add: filter\n"
        "  supplies p/judge\n"
        "p/judge: client, sink\n"
        "  asks oracle\n"
        "p/numbers: source\n"
        "  supplies p/add\n";
    expect_equal(drawing.to_text(), text, "as text");
    const std::string dot = drawing.to_dot();
    for (const char* part : {"\"p/add\" [shape=trapezium, label=\"p/add\\nfilter\"];",
                             "\"p/judge\" -> \"oracle\" [label=\"asks\"];"}) {
      expect(dot.find(part) != std::string::npos, dot);
    }
    const Architecture part = co_await describe(me, "p");
    expect_equal(part.agents.size(), 3U, "agents within p");
    co_await me.send("p/judge", "go on");
    co_await me.receive(from("keeper"));
  });
}

struct Relay : Behaviour {
  In<bool> in{*this, "in"};
  Out<bool> out{*this, "out"};
};

void layers_are_drawn_with_what_they_do_to_each_other(Workplace& workplace) {
  Subsumption robot("r");
  robot.add<Relay>(0, "low").add<Relay>(0, "legs").add<Relay>(1, "high").add<Relay>(2, "top");
  robot.wire("low.out", "legs.in").wire("high.out", "low.in");
  robot.suppress("top.out", "low.in", 1s).inhibit("high.out", "legs.out", 1s);
  const std::string text =
      "r/high: behaviour\n"
      "  inhibits r/legs\n"
      "  signals r/low\n"
      "r/legs: behaviour\n"
      "r/low: behaviour\n"
      "  signals r/legs\n"
      "r/top: behaviour\n"
      "  suppresses r/low\n";
  workplace.run([&](Agent& me) -> Task<> {
    for (const auto& each : robot.plan()) {
      co_await workplace.place(me, AgentSpec(each.name), robot.make(each));
    }
    Architecture drawing = co_await describe(me, "r");
    for (; drawing.arrows.size() < 4; drawing = co_await describe(me, "r")) co_await me.pause(1ms);
    expect_equal(drawing.to_text(), text, "as text");
  });
}

[[maybe_unused]] const bool registered_architecture = on_every_ground(
    "architecture", {GROUND_CASE(a_society_is_drawn_as_it_is),
                     GROUND_CASE(layers_are_drawn_with_what_they_do_to_each_other)});

}  // namespace

}  // namespace coracle::dispel::test
