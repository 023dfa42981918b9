// Failures of patterns, options, texts of realizations and policies.
#include "coracle/coracle.hpp"
#include "coracle/forms.hpp"
#include "coracle/grants.hpp"
#include "coracle/log.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/tests/support/run_now.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

std::function<std::optional<Error>()> with_format(const char* format) {
  return by([format] { (void)Pattern().format(format); });
}

Rows of_patterns() {
  return {
      {"a pattern with a bracket too much", Errc::bad_pattern,
       by([] { (void)Pattern().text("(up"); }),
       "The text pattern \"(up\" cannot be compiled; RE2 says \"missing ): (up\"; correct "
       "it (RE2 syntax: no look-around, no back-references, a backslash before . * + ? ( ) "
       "[ ] { } | ^ $ that stand for themselves)."},
      {"a pattern that looks ahead", Errc::bad_pattern, by([] { (void)Pattern().text("a(?=b)"); }),
       "The text pattern \"a(?=b)\" cannot be compiled; RE2 says \"invalid perl operator: "
       "(?=\"; correct it (RE2 syntax: no look-around, no back-references, a backslash "
       "before . * + ? ( ) [ ] { } | ^ $ that stand for themselves)."},
      {"a pattern for messages of nobody", Errc::bad_pattern,
       by([] { (void)Pattern().source_is(Name()); }),
       "The source of a pattern is an empty name, which names nobody; leave the condition "
       "out to mean everybody."},
      {"a pattern for a header without a name", Errc::bad_pattern,
       by([] { (void)Pattern().component("", "x"); }),
       "A component of a pattern has no key; name the header."},
      {"a pattern that is too long", Errc::bad_pattern,
       by([] { (void)Pattern().text(std::string(Pattern::max_bytes + 1, 'x')); }),
       "The text of a pattern has 1025 bytes and may have 1024; shorten it, or use several "
       "patterns."},
      {"a pattern for too many headers", Errc::bad_pattern, by([] {
         Pattern pattern;
         for (std::size_t i = 0; i <= Pattern::max_components; ++i)
           pattern.component("key" + std::to_string(i), "x");
       }),
       "A pattern asks for more than 64 components; use several patterns."},
      {"a format that ends too early", Errc::bad_pattern, with_format("go to %"),
       "The format \"go to %\" ends inside a conversion; the conversions are %d %u %x %f "
       "%s %c %[...] and %%, each with an optional * and width."},
      {"a format with another letter", Errc::bad_pattern, with_format("go to %y"),
       "The format \"go to %y\" has the unknown conversion \"%y\"; the conversions are %d "
       "%u %x %f %s %c %[...] and %%, each with an optional * and width."},
      {"a format with a wide percent sign", Errc::bad_pattern, with_format("%5%"),
       "The format \"%5%\" has a star or width in %%; the conversions are %d %u %x %f %s "
       "%c %[...] and %%, each with an optional * and width."},
      {"a format without a width", Errc::bad_pattern, with_format("%0d"),
       "The format \"%0d\" has a width of 0; the conversions are %d %u %x %f %s %c %[...] "
       "and %%, each with an optional * and width."},
      {"a format that is too wide", Errc::bad_pattern, with_format("%1000s"),
       "The format \"%1000s\" has a width over 999; the conversions are %d %u %x %f %s %c "
       "%[...] and %%, each with an optional * and width."},
      {"a format with a number that is too wide", Errc::bad_pattern, with_format("%65f"),
       "The format \"%65f\" has a width over 64 in %f; the conversions are %d %u %x %f %s "
       "%c %[...] and %%, each with an optional * and width."},
      {"a format with an open set", Errc::bad_pattern, with_format("%[abc"),
       "The format \"%[abc\" has a %[ without its ]; the conversions are %d %u %x %f %s %c "
       "%[...] and %%, each with an optional * and width."},
  };
}

std::function<std::optional<Error>()> node_that(void (*set)(NodeOptions&)) {
  return by([set] {
    NodeOptions options;
    set(options);
    const Node node(local::realization(), options);
  });
}

// An agent with a period that is none.
class Hasty final : public TimedAgent {
 public:
  Hasty() : TimedAgent(Duration::zero()) {}

 protected:
  Task<> tick() override { co_return; }
};

Rows of_options_of_nodes() {
  return {
      {"a node that waits a negative time for room", Errc::bad_options,
       node_that([](NodeOptions& options) { options.patience = Duration(-1); }),
       "NodeOptions::patience is negative; give 0 or more"},
      {"a node that keeps messages a negative time", Errc::bad_options,
       node_that([](NodeOptions& options) { options.absent_time_to_live = Duration(-1); }),
       "NodeOptions::absent_time_to_live is negative; give 0 or more"},
      {"a node that looks for work a negative time", Errc::bad_options,
       node_that([](NodeOptions& options) { options.spin = Duration(-1); }),
       "NodeOptions::spin is negative; give 0 or more"},
      {"a node with too many workers", Errc::bad_options,
       node_that([](NodeOptions& options) { options.workers = 257; }),
       "NodeOptions::workers is 257; give 1 to 256, or 0 for a node whose turns your own loop "
       "takes"},
      {"a node of nothing", Errc::bad_options, by([] { const Node node{Realization()}; }),
       "a realization needs a transport, a directory and a queue; start from open()"},
      {"a mailbox that redirects to nobody", Errc::bad_options,
       [] {
         return error_of_agent([](Agent& me) -> Task<> {
           me.set_mailbox(MailboxOptions().overflow(Overflow::redirect));
           co_return;
         });
       },
       "Overflow::redirect was given without a name; use redirect_to(), which takes one"},
      {"a level of the log that is none", Errc::bad_options, by([] { set_log("loud"); }),
       "there is no log level \"loud\"; give a level (trace, debug, info, warning, error, "
       "off), or PART=LEVEL for node, link, directory, store, beacon or gateway, with commas "
       "between them"},
      {"an agent that acts all the time", Errc::bad_options,
       [] {
         return error_of_agent([](Agent& me) -> Task<> {
           Hasty hasty;
           co_await hasty.run();
           co_await me.yield();
         });
       },
       "a TimedAgent was given a period that is not above zero; give a longer one"},
  };
}

std::function<std::optional<Error>()> world_that(void (*set)(sim::Options&)) {
  return by([set] {
    sim::Options options;
    set(options);
    const sim::World world(options);
  });
}

std::function<std::optional<Error>()> text(const char* of_realization) {
  return by([of_realization] { (void)open(of_realization); });
}

Rows of_worlds() {
  return {
      {"a world without hosts", Errc::bad_options,
       world_that([](sim::Options& options) { options.nodes = 0; }),
       "sim::Options::nodes is 0; give 1 to 256"},
      {"a world whose delays are in the wrong order", Errc::bad_options,
       world_that(
           [](sim::Options& options) { options.delay_most = options.delay_least - Duration(1); }),
       "sim::Options::delay_least and delay_most are no delays; give 0 or more, the least "
       "first"},
      {"a world with too many workers", Errc::bad_options,
       world_that([](sim::Options& options) { options.workers = 257; }),
       "sim::Options::workers is 257; give 0 to 256"},
      {"a world whose turns take a negative time", Errc::bad_options,
       world_that([](sim::Options& options) { options.turn = Duration(-1); }),
       "sim::Options::turn is negative; give 0 or more"},
      {"a world in which nothing may happen", Errc::bad_options,
       world_that([](sim::Options& options) { options.things_limit = 0; }),
       "sim::Options::things_limit is 0; give at least 1"},
      {"a clock that goes back", Errc::bad_options, by([] {
         sim::World world;
         world.jump(Duration(-1));
       }),
       "World::jump() was asked to go back in time; a clock never does, so give 0 or more"},
      {"a turn of a negative time", Errc::bad_realization, text("sim:turn=-1us"),
       "cannot open 'sim:...': sim: the setting 'turn' is negative: '-1us'; give 0us or "
       "more"},
      {"a turn without a unit", Errc::bad_realization, text("sim:turn=5"),
       "cannot open 'sim:...': sim: the setting 'turn' needs a time such as 500ns, 1us, "
       "20ms or 1s, not '5'"},
      {"a delay with its ends in the wrong order", Errc::bad_realization,
       text("sim:delay=20ms..1ms"),
       "cannot open 'sim:...': sim: the setting 'delay' has its ends in the wrong order; "
       "write the shorter time first"},
      {"a setting that the simulator does not know", Errc::bad_realization, text("sim:walls=4"),
       "cannot open 'sim:...': sim: the setting 'walls' is unknown; there are seed=N, "
       "workers=N, nodes=N, delay=TIME..TIME, bandwidth=N, turn=TIME, slow=0 or 1, "
       "disk=BYTES, sync=TIME..TIME, full=PERCENT, failed_syncs=PERCENT, "
       "failed_reads=PERCENT, names=N, watches=N, record=FILE and record_marked=FILE"},
      {"too many hosts", Errc::bad_realization, text("sim:nodes=257"),
       "cannot open 'sim:...': sim: the setting 'nodes' needs a number from 1 to 256, not "
       "'257'"},
  };
}

Rows of_texts() {
  return {
      {"a realization without its colon", Errc::bad_realization, text("local"),
       "cannot open this: a realization begins with its scheme and a colon, such as local:"},
      {"a server at no place", Errc::bad_realization, text("central:"),
       "cannot open 'central:...': it does not say where the server is; write "
       "central://HOST:PORT or central+unix:///PATH"},
      {"a server at a place without a port", Errc::bad_realization, text("central://127.0.0.1"),
       "cannot open 'central:...': it does not say where the server is, as "
       "central://127.0.0.1:4410 does: \"tcp://127.0.0.1\" is not an endpoint: it has no "
       "port; write tcp://host:port, tls://host:port, unix:///path or sim://node:port"},
      {"a server by another kind of link", Errc::bad_realization,
       text("central+pigeon://127.0.0.1:4410"),
       "cannot open 'central+pigeon:...': there is no 'central+pigeon:'; a server is "
       "reached by central://HOST:PORT, central+tls://HOST:PORT or central+unix:///PATH"},
      {"another way of delivery", Errc::bad_realization,
       text("central://127.0.0.1:4410?delivery=pigeon"),
       "cannot open 'central:...': delivery is push, notify or poll, not 'pigeon'"},
      {"queries of a node that does not ask", Errc::bad_realization,
       text("central://127.0.0.1:4410?poll=10ms"),
       "cannot open 'central:...': poll=TIME is how often a node asks; it goes with "
       "delivery=poll"},
      {"a time of queries that is none", Errc::bad_realization,
       text("central://127.0.0.1:4410?delivery=poll&poll=often"),
       "cannot open 'central:...': poll needs a time such as 500us, 10ms or 1s, not "
       "'often'"},
      {"a number of messages for a node that does not ask", Errc::bad_realization,
       text("central://127.0.0.1:4410?take=5"),
       "cannot open 'central:...': take=N is how much a node asks for; it goes with "
       "delivery=poll or delivery=notify"},
      {"another way of matching", Errc::bad_realization,
       text("central://127.0.0.1:4410?matching=none"),
       "cannot open 'central:...': matching is set or linear, not 'none'"},
      {"a recording in no file", Errc::bad_realization, text("local:record="),
       "cannot open 'local:...': record needs the name of a file, as in record=run.db"},
      {"a directory at no place", Errc::bad_realization, text("distributed:directory="),
       "cannot open 'distributed:...': directory needs a place, as in "
       "directory=127.0.0.1:4410"},
      {"a setting without a value", Errc::bad_realization, text("distributed:folder"),
       "cannot open 'distributed:...': 'folder' has no value; write name=value"},
  };
}

std::function<std::optional<Error>()> policy(std::string text) {
  return [text] { return error_in(parse_policy(text)); };
}

// The error of delegating in a directory in which somebody holds lab/ann and home is delegated.
std::function<std::optional<Error>()> delegating(Name prefix, bool to_itself = false) {
  return [prefix, to_itself] {
    const auto directory = local_directory(steady_clock());
    const auto child = local_directory(steady_clock());
    const LeaseId lease = run_now(directory->open_lease("lab", std::chrono::seconds(9))).value();
    (void)run_now(directory->claim(Claim("lab/ann", lease)));
    (void)run_now(directory->delegate("home/inner", child));
    return error_in(run_now(directory->delegate(prefix, to_itself ? directory : child)));
  };
}

Rows of_policies_and_directories() {
  return {
      {"a policy in no file", Errc::no_such_file,
       [] { return error_in(read_policy("/no/such/policy")); },
       "/no/such/policy: the file cannot be read; write a policy there, or give the path "
       "of an existing one"},
      {"a rule that begins otherwise", Errc::bad_options, policy("permit a send b"),
       "line 1: a rule begins with allow or deny, not with \"permit\""},
      {"a rule with too few words", Errc::bad_options, policy("allow a send"),
       "line 1: a rule has four words, as in: allow lab/** send lab/**"},
      {"a rule with too many words", Errc::bad_options, policy("allow a send b c"),
       "line 1: there is text after the four words of the rule; a comment begins with #"},
      {"a rule of another right", Errc::bad_options, policy("\nallow a shout b"),
       "line 2: there is no right \"shout\"; use register, send, overhear, join, redirect, "
       "inspect, operate or audit"},
      {"a rule with too many stars", Errc::bad_options, policy("allow a/*** send b"),
       "line 1: a pattern has at most two * in a row; write * or **"},
      {"a rule with a long pattern", Errc::bad_options,
       policy("allow " + std::string(256, 'a') + " send b"),
       "line 1: a pattern has at most 255 bytes; shorten it"},
      {"a policy that is too long", Errc::bad_options, policy(std::string((1 << 20) + 1, '#')),
       "line 1: a policy has at most 1 MiB; grant by patterns, and leave comments out"},
      {"delegating everything", Errc::bad_name, delegating(Name()),
       "an empty prefix would delegate everything; use the child itself, or give the "
       "prefix that it is responsible for"},
      {"delegating to itself", Errc::bad_options, delegating("plant", true),
       "a directory cannot delegate to itself or to no directory; give another directory"},
      {"delegating a prefix around another one", Errc::name_taken, delegating("home"),
       "\"home/inner\" is delegated already; delegate outer prefixes first"},
      {"delegating a name that is held", Errc::name_taken, delegating("lab"),
       "\"lab/ann\" is held here; delegate \"lab\" before names below it are registered"},
  };
}

}  // namespace

Rows rows_of_settings() {
  return joined({of_patterns(), of_options_of_nodes(), of_worlds(), of_texts(),
                 of_policies_and_directories()});
}

}  // namespace coracle::test
