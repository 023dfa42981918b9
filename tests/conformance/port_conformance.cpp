// A Port gives a thread outside the library the operations of an agent: every call blocks.
#include "coracle/port.hpp"
#include "play.hpp"
#include "subjects/local_subject.hpp"

#include <thread>

namespace coracle::conformance {

namespace {

// A node, a port named "main", and a thread of its own for each other participant.
class Harbour {
 public:
  explicit Harbour(unsigned workers, NodeOptions options = test::quick())
      : watchdog_("a case of a Port", std::chrono::seconds(60 * test::slowness)),
        node(local_subject(workers).open(), with(options, workers)) {}

  void add(AgentSpec spec, Body body) {
    node.adopt(std::move(spec), std::make_unique<test::Actor>(std::move(body), proceedings));
  }

  test::Watchdog watchdog_;
  test::Proceedings proceedings;
  Node node;

 private:
  static NodeOptions with(NodeOptions options, unsigned workers) {
    options.workers = workers;
    return options;
  }
};

std::string heard(Port& port, Match match = {}) {
  const std::optional<Message> message = port.receive(std::move(match), soon);
  expect(message.has_value(), "a message that should have come has not");
  return std::string(message->text());
}

void a_port_talks_like_an_agent(unsigned workers) {
  Harbour harbour(workers);
  Port port(harbour.node, "main");
  harbour.add("ann", answering());
  expect_equal(port.self().name(), Name("main"), "its name");
  const Message reply = port.ask("ann", "x", soon);
  expect_equal(reply.text(), "x", "the reply");
  port.send("ann", "y", 7);
  expect_equal(heard(port, in_conversation(7)), "y", "ann answers");
  expect(!port.try_receive().has_value(), "nothing else");
  expect(!port.receive(Deadline(2ms)).has_value(), "nothing comes");
  port.send("main", "to myself");
  expect_equal(port.pending(), 1u, "pending");
  std::optional<Message> own = port.try_receive(from("main"));
  expect(own.has_value(), "one to itself");
  expect_equal(own->consume().text(), "to myself", "its content, taken over");
}

void a_port_and_its_messages_keep_their_order(unsigned workers) {
  Harbour harbour(workers);
  Port port(harbour.node, "main");
  AgentSpec spec("ann");
  spec.on_worker(harbour.node.options().workers - 1).mailbox(room_for(8));
  harbour.add(spec, echo_to("main"));
  std::thread other([&] {
    Port second(harbour.node, "second");
    for (int i = 1; i <= 300; ++i) second.send("main", std::to_string(i));
  });
  for (int i = 1; i <= 300; ++i) port.send("ann", std::to_string(i));
  for (int i = 1; i <= 300; ++i) expect_equal(heard(port, from("ann")), std::to_string(i), "ann");
  for (int i = 1; i <= 300; ++i)
    expect_equal(heard(port, from("second")), std::to_string(i), "the other port");
  other.join();
}

void a_port_waits_for_stages_groups_taps_and_endings(unsigned workers) {
  Harbour harbour(workers);
  Port port(harbour.node, "main");
  Body brief = [](Agent& ann) -> Task<> { co_await hear(ann); };
  harbour.add("ann", brief);
  expect(port.send_until(Stage::delivered, Post("nobody", "x"), 5ms) == false, "not delivered");
  port.join(group("choir"));
  port.send(Post(group("choir"), "la"));
  expect_equal(heard(port), "la", "as a member");
  port.leave(group("choir"));
  const Tap tap = port.overhear(Pattern().target_is("ann"));
  bool consumed = false;
  std::thread telling([&] {
    Port second(harbour.node, "second");
    consumed = second.send_until(Stage::consumed, Post("ann", "end"), soon);
  });
  try {
    const Ending ending = port.watch("ann");
    expect_equal(ending.name, Name("ann"), "who ended");
  } catch (const Error& error) {
    expect(error.errc() == Errc::no_such_agent, "ann had ended before");
  }
  telling.join();
  expect(consumed, "ann has consumed it");
  expect_equal(heard(port, overheard_by(tap.id)), "end", "overheard");
  port.stop_overhearing(tap);
  expect_equal(port.search(Query()).size(), 1u, "who is there: the port");
}

void a_port_can_do_whatever_an_agent_can(unsigned workers) {
  Harbour harbour(workers);
  Port port(harbour.node, "main");
  const std::string sum = port.act<std::string>([](Agent& me) -> Task<std::string> {
    co_await me.send(me.self(), "one");
    const Message message = co_await me.receive();
    co_return std::string(message.text()) + " and two";
  });
  expect_equal(sum, "one and two", "the result");
  expect_error(test::error_from([&] {
                 (void)port.act<int>([](Agent& me) -> Task<int> {
                   co_await me.send("a//b", "x");
                   co_return 1;
                 });
               }),
               Errc::bad_name, "what leaves the body");
}

void a_failure_reaches_the_ports_thread(unsigned workers) {
  NodeOptions options = test::quick();
  options.patience = 5ms;
  Harbour harbour(workers, options);
  Port port(harbour.node, "main");
  expect_error(test::error_from([&] { Port again(harbour.node, "main"); }), Errc::name_taken,
               "a second port of that name");
  AgentSpec full("full");
  full.mailbox(room_for(1));
  harbour.add(full, deaf());
  port.send("full", "1");
  expect_error(test::error_from([&] { port.send("full", "2"); }), Errc::mailbox_full, "no room");
  expect_error(test::error_from([&] { (void)port.ask("nobody", "x", 3ms); }), Errc::expired,
               "a request to nobody");
}

void what_a_port_left_unread_waits_for_the_next(unsigned workers) {
  Harbour harbour(workers);
  {
    Port port(harbour.node, "main");
    port.send("main", "1");
    port.send("main", "2");
    expect_equal(heard(port), "1", "the first");
  }
  Port port(harbour.node, "main");
  expect_equal(heard(port), "2", "what the first port left");
}

void a_port_of_a_stopped_node_is_told_so(unsigned workers) {
  Harbour harbour(workers);
  Port port(harbour.node, "main");
  std::optional<Error> error;
  std::thread waiting([&] { error = test::error_from([&] { (void)port.receive(); }); });
  harbour.node.stop(std::chrono::seconds(1));
  waiting.join();
  expect_error(error, Errc::stopped, "the receive");
}

void a_port_is_not_for_a_workers_thread(unsigned workers) {
  Harbour harbour(workers);
  Port port(harbour.node, "main");
  Node& node = harbour.node;
  Body opening = [&node](Agent& ann) -> Task<> {
    const auto error = test::error_from([&] { Port inside(node, "inside"); });
    const bool right = error && error->errc() == Errc::wrong_thread;
    co_await ann.send("main", right ? "wrong thread" : "no error");
  };
  harbour.add("ann", opening);
  expect_equal(heard(port), "wrong thread", "ann was told");
}

std::vector<Proof> port_proofs(unsigned workers) {
  const auto proof = [workers](const char* sentence, void (*prove)(unsigned)) {
    return Proof{sentence, [prove, workers] { prove(workers); }};
  };
  return {
      proof("a_port_talks_like_an_agent", a_port_talks_like_an_agent),
      proof("a_port_and_its_messages_keep_their_order", a_port_and_its_messages_keep_their_order),
      proof("a_port_waits_for_stages_groups_ears_and_endings",
            a_port_waits_for_stages_groups_taps_and_endings),
      proof("a_port_can_do_whatever_an_agent_can", a_port_can_do_whatever_an_agent_can),
      proof("a_failure_reaches_the_ports_thread", a_failure_reaches_the_ports_thread),
      proof("what_a_port_left_unread_waits_for_the_next",
            what_a_port_left_unread_waits_for_the_next),
      proof("a_port_of_a_stopped_node_is_told_so", a_port_of_a_stopped_node_is_told_so),
      proof("a_port_is_not_for_a_workers_thread", a_port_is_not_for_a_workers_thread),
  };
}

const bool registered_port[] = {
    register_suite("port", "with_one_worker", port_proofs(1)),
    register_suite("port", "with_two_workers", port_proofs(2)),
    register_suite("port", "by_turns", port_proofs(0)),
};

}  // namespace

}  // namespace coracle::conformance
