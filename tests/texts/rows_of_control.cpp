// The reports of pipelines, masters and behaviours.
#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"
#include "coracle/dispel/subsumption.hpp"
#include "coracle/realizations/sim.hpp"
#include "table.hpp"

#include <string>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;
using namespace dispel;

struct Numbers : Source<std::int64_t> {
  Task<> produce(std::uint64_t) override { co_return; }
};
struct Double : Filter<std::int64_t, std::int64_t> {
  void process(const std::int64_t& item) override { put(2 * item); }
};
struct Read : Filter<std::string, std::int64_t> {
  void process(const std::string&) override { put(1); }
};
struct Print : Sink<std::int64_t> {
  void consume(const std::int64_t&) override {}
};

// `change` breaks a pipeline of numbers that are doubled and printed.
std::function<std::optional<Error>()> building(void (*change)(Pipeline&)) {
  return [change] {
    return error_from([change] {
      Pipeline line("p");
      line.add<Numbers>("numbers").add<Double>("double").add<Print>("print");
      line.connect("numbers", "double").connect("double", "print");
      change(line);
    });
  };
}

std::function<std::optional<Error>()> reading(const char* text) {
  return [text] {
    return error_from([text] {
      (void)Pipeline::from_text("p", text,
                                {{"Numbers", [] { return std::make_unique<Numbers>(); }},
                                 {"Print", [] { return std::make_unique<Print>(); }}});
    });
  };
}

Rows of_parts() {
  return {
      {"a pipeline without room", Errc::bad_options,
       [] {
         return error_from([] {
           Flow flow;
           flow.window = 0;
           const Pipeline line("p", flow);
         });
       },
       "this pipeline cannot be built: its window or its batches have no room; give at least 1 as "
       "window, batch and window_bytes"},
      {"a pipeline without parts", Errc::bad_options,
       [] { return error_from([] { (void)Pipeline("p").plan(); }); },
       "this pipeline cannot be built: it has no parts; add some"},
      {"two parts of one name", Errc::bad_options,
       building([](Pipeline& line) { line.add<Print>("print"); }),
       "this pipeline cannot be built: there are two parts 'print'; name one differently"},
      {"a part that is not there", Errc::bad_options,
       building([](Pipeline& line) { line.connect("double", "draw"); }),
       "this pipeline cannot be built: there is no part 'draw'; add it first"},
      {"several of a source", Errc::bad_options,
       building([](Pipeline& line) { line.replicate("numbers", 2); }),
       "this pipeline cannot be built: 'numbers' is a source, and there is one of it; replicate a "
       "part behind it"},
      {"none of a filter", Errc::bad_options,
       building([](Pipeline& line) { line.replicate("double", 0); }),
       "this pipeline cannot be built: 'double' is to be there 0 times; take 1 to <n>"},
  };
}

Rows of_connections() {
  return {
      {"a sink that supplies", Errc::bad_options,
       building([](Pipeline& line) { line.connect("print", "double"); }),
       "this pipeline cannot be built: 'print' cannot supply 'double': 'print' is a sink, which "
       "gives nothing; name the supplier first"},
      {"a source that consumes", Errc::bad_options,
       building([](Pipeline& line) { line.connect("double", "numbers"); }),
       "this pipeline cannot be built: 'double' cannot supply 'numbers': 'numbers' is a source, "
       "which takes nothing; name the supplier first"},
      {"parts of other types", Errc::wrong_type,
       building([](Pipeline& line) { line.add<Read>("read").connect("numbers", "read"); }),
       "this pipeline cannot be built: 'numbers' cannot supply 'read': one gives integer, the "
       "other "
       "takes text/plain; put a filter between them"},
      {"a connection that is there", Errc::bad_options,
       building([](Pipeline& line) { line.connect("numbers", "double"); }),
       "this pipeline cannot be built: 'numbers' cannot supply 'double': it does already; connect "
       "the two once"},
      {"a second supplier where one was said", Errc::bad_options,
       building([](Pipeline& line) { line.one_supplier("print").connect("numbers", "print"); }),
       "this pipeline cannot be built: 'numbers' cannot supply 'print': 'double' does, and it "
       "takes "
       "only one supplier; connect one of the two"},
      {"a pipeline that bites its tail", Errc::bad_options, building([](Pipeline& line) {
         line.add<Double>("again").connect("double", "again").connect("again", "double");
       }),
       "this pipeline cannot be built: 'again' cannot supply 'double': that would close the circle "
       "double -> again -> double; leave one of its connections out"},
      {"a part that nothing supplies", Errc::bad_options,
       building([](Pipeline& line) { (void)line.add<Print>("draw").plan(); }),
       "this pipeline cannot be built: nothing supplies 'draw', which takes integer; connect a "
       "part "
       "that gives it"},
      {"a part of which nothing takes what it gives", Errc::bad_options,
       building([](Pipeline& line) { (void)line.add<Numbers>("more").plan(); }),
       "this pipeline cannot be built: nothing takes what 'more' gives: integer; connect a part "
       "that takes it"},
  };
}

Rows of_texts() {
  return {
      {"a text with a kind that is not there", Errc::bad_options, reading("numbers: Number"),
       "line 1 of the pipeline, 'numbers: Number': there is no kind 'Number'; there are Numbers, "
       "Print"},
      {"a text with a number that is none", Errc::bad_options, reading("print: Print * many"),
       "line 1 of the pipeline, 'print: Print * many': 'many' is not a number of replicas; write "
       "one, as in `part: Kind * 4`"},
      {"a text that says nothing", Errc::bad_options, reading("numbers:"),
       "line 1 of the pipeline, 'numbers:': write `part: Kind`, `part: Kind * 4 unordered`, or "
       "`part -> part`"},
  };
}

struct Watching : Behaviour {
  Out<std::string> sees{*this, "sees"};

 protected:
  void react() override {}
};
struct Driving : Behaviour {
  In<std::string> drive{*this, "drive"};
  In<std::int64_t> speed{*this, "speed"};
  Out<std::string> moves{*this, "moves"};

 protected:
  void react() override {}
};

std::function<std::optional<Error>()> layering(void (*change)(Subsumption&)) {
  return [change] {
    return error_from([change] {
      Subsumption robot("robot");
      robot.add<Driving>(0, "motor").add<Watching>(1, "eye").add<Watching>(0, "ear");
      change(robot);
    });
  };
}

Rows of_subsumption() {
  return {
      {"two behaviours of one name", Errc::bad_options,
       layering([](Subsumption& robot) { robot.add<Watching>(1, "eye"); }),
       "this subsumption network cannot be built: there are two behaviours 'eye'; name one "
       "differently"},
      {"a port without its behaviour", Errc::bad_options,
       layering([](Subsumption& robot) { robot.wire("sees", "motor.drive"); }),
       "this subsumption network cannot be built: 'sees' should be written `behaviour.port`"},
      {"a behaviour that is not there", Errc::bad_options,
       layering([](Subsumption& robot) { robot.wire("nose.smells", "motor.drive"); }),
       "this subsumption network cannot be built: there is no behaviour 'nose', which "
       "'nose.smells' names; add it first"},
      {"a port that is not there", Errc::bad_options,
       layering([](Subsumption& robot) { robot.wire("eye.sees", "motor.steer"); }),
       "this subsumption network cannot be built: behaviour 'motor' has no port 'steer'; it has "
       "drive, speed, moves"},
      {"a wire from an input", Errc::bad_options,
       layering([](Subsumption& robot) { robot.wire("motor.drive", "motor.speed"); }),
       "this subsumption network cannot be built: no wire can lead from 'motor.drive' to "
       "'motor.speed': the first is an input; name an output first"},
      {"a wire to an output", Errc::bad_options,
       layering([](Subsumption& robot) { robot.wire("eye.sees", "motor.moves"); }),
       "this subsumption network cannot be built: no wire can lead from 'eye.sees' to "
       "'motor.moves': the second is an output; name an input, or inhibit it"},
      {"a wire between two types", Errc::wrong_type,
       layering([](Subsumption& robot) { robot.wire("eye.sees", "motor.speed"); }),
       "this subsumption network cannot be built: no wire can lead from 'eye.sees' to "
       "'motor.speed': one gives text/plain, the other takes integer; give both the same type"},
      {"a second wire to one input", Errc::bad_options, layering([](Subsumption& robot) {
         robot.wire("eye.sees", "motor.drive").wire("ear.sees", "motor.drive");
       }),
       "this subsumption network cannot be built: no wire can lead from 'ear.sees' to "
       "'motor.drive': one from 'eye.sees' does, and an input has one wire; suppress it instead"},
      {"suppressing from a layer that is not above", Errc::bad_options,
       layering([](Subsumption& robot) { robot.suppress("ear.sees", "motor.drive", 1s); }),
       "this subsumption network cannot be built: 'ear.sees' cannot suppress 'motor.drive': it "
       "belongs to layer 0, which is not above layer 0; only a higher layer may"},
      {"suppressing for no time", Errc::bad_options,
       layering([](Subsumption& robot) { robot.suppress("eye.sees", "motor.drive", 0s); }),
       "this subsumption network cannot be built: 'eye.sees' cannot suppress 'motor.drive': its "
       "time constant is not above zero; give one that is"},
      {"suppressing an output", Errc::bad_options,
       layering([](Subsumption& robot) { robot.suppress("eye.sees", "motor.moves", 1s); }),
       "this subsumption network cannot be built: 'eye.sees' cannot suppress 'motor.moves', which "
       "is an output; inhibit it instead"},
      {"inhibiting an input", Errc::bad_options,
       layering([](Subsumption& robot) { robot.inhibit("eye.sees", "motor.drive", 1s); }),
       "this subsumption network cannot be built: 'eye.sees' cannot inhibit 'motor.drive', which "
       "is an input; suppress it instead"},
  };
}

// A master that orders work from an agent that is not its slave.
struct Boss : Master<std::int64_t, std::int64_t> {
  explicit Boss(std::optional<Error>& what) : Master({Name("slave")}), error(what) {}
  Task<> run() override {
    Task<std::int64_t> commanding = command("stranger", 1);
    error = co_await error_of(std::move(commanding));
  }
  std::optional<Error>& error;
};

std::optional<Error> commanding_a_stranger() {
  std::optional<Error> error;
  (void)error_of_agent([&error](Agent& me) -> Task<> {
    auto boss = std::make_unique<Boss>(error);
    co_await me.adopt("boss", std::move(boss));
    (void)co_await me.watch("boss");
  });
  return error;
}

// Orders work from its only slave.
struct Owner : Boss {
  using Boss::Boss;
  Task<> run() override {
    Task<std::int64_t> commanding = command("slave", 1);
    error = co_await error_of(std::move(commanding));
  }
};

// Its slave replies to every request with that content.
std::function<std::optional<Error>()> commanding_one_who_says(Content answer) {
  return [answer] {
    sim::World world;
    Proceedings proceedings;
    std::optional<Error> error;
    const Body slave = [answer](Agent& me) -> Task<> {
      for (;;) {
        const Message wish = co_await me.receive();
        co_await me.reply(wish, answer);
      }
    };
    Node node(world.realization());
    node.adopt("slave", std::make_unique<Actor>(slave, proceedings));
    node.adopt("boss", std::make_unique<Owner>(error));
    world.run_until([&error] { return error.has_value(); }, 1h);
    return error;
  };
}

Rows of_masters() {
  const Content life = Content::of(dispel::detail::Hired{UINT32_MAX, 0});
  return {{"a command to who is no slave", Errc::bad_options, commanding_a_stranger,
           "'stranger' is no slave of 'boss'; name it where the master is made"},
          {"a command to who does not know the language", Errc::refused,
           commanding_one_who_says(Content("what?")),
           "nobody serves 'boss': 'slave' does not answer a master as a slave does"},
          {"a command to a slave in a life that never was", Errc::refused,
           commanding_one_who_says(life),
           "nobody serves 'boss': the directory has no entry of 'slave' with the incarnation that "
           "it reported"}};
}

}  // namespace

Rows rows_of_control() {
  return joined({of_parts(), of_connections(), of_texts(), of_subsumption(), of_masters()});
}

}  // namespace coracle::test
