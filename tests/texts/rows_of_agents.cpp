// Failures of the operations of agents, in a local society.
#include "coracle/coracle.hpp"
#include "coracle/policy.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/timed.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

Body deaf() {
  return [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); };
}

AgentSpec with_room(const char* name, std::uint32_t messages, Overflow overflow = Overflow::wait) {
  return AgentSpec(name).mailbox(MailboxOptions().messages(messages).overflow(overflow));
}

// Forbids everything that involves "king".
class NoKings final : public Policy {
 public:
  bool allows(std::string_view, Action, const Name& from, const Name& to) const noexcept override {
    return from.view() != "king" && to.view() != "king" && to.view() != "crowd";
  }
};

// The same for an agent that may not do everything.
std::optional<Error> forbidden(Body body) {
  NodeOptions options = quick();
  options.policy = std::make_shared<NoKings>();
  return error_of_agent(std::move(body), options);
}

std::optional<Error> of(Body body) { return error_of_agent(std::move(body)); }

NodeOptions impatient() {
  NodeOptions options = quick();
  options.patience = 5ms;
  return options;
}

std::optional<Error> sending_too_much() {
  NodeOptions options = quick();
  options.content_limit = 10;
  return error_of_agent([](Agent& me) -> Task<> { co_await me.send("ann", std::string(11, 'x')); },
                        options);
}

std::optional<Error> sending_to_a_full_mailbox() {
  return error_of_agent(
      [](Agent& me) -> Task<> {
        co_await start(me, with_room("ann", 1), deaf());
        co_await me.send("ann", "1");
        co_await me.send("ann", "2");
      },
      impatient());
}

std::optional<Error> sending_too_much_to_nobody() {
  NodeOptions options = quick();
  options.absent_limit = 2;
  return error_of_agent(
      [](Agent& me) -> Task<> {
        for (int i = 0; i < 3; ++i) co_await me.send("nobody", "x");
      },
      options);
}

std::optional<Error> acting_when_fenced() {
  std::optional<Error> error;
  (void)error_of_agent([&error](Agent& me) -> Task<> {
    const Body fenced = [&error](Agent& ann) -> Task<> {
      while (!error) {
        const auto sent = co_await ann.send_result("main", "x");
        if (!sent) error = sent.error();
        co_await ann.yield();
      }
    };
    co_await start(me, "ann", fenced);
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, deaf());
    while (!error) (void)co_await me.receive(Deadline(1ms));
  });
  return error;
}

std::optional<Error> receiving_at_the_end() {
  std::optional<Error> error;
  {
    Proceedings proceedings;
    Node node(local::realization(), quick());
    const Body reading = [&error](Agent& me) -> Task<> {
      try {
        (void)co_await me.receive();
      } catch (const Error& known) {
        error = known;
        throw;
      }
    };
    node.adopt("ann", std::make_unique<Actor>(reading, proceedings));
    node.stop(0s);
  }
  return error;
}

std::optional<Error> making_an_agent_too_late() {
  Proceedings proceedings;
  Node node(local::realization(), quick());
  node.stop(0s);
  return error_from([&] { node.adopt("ann", std::make_unique<Actor>(deaf(), proceedings)); });
}

Rows of_sending() {
  return {
      {"content over the limit", Errc::too_large, sending_too_much,
       "cannot send to 'ann': its content is over the limit of this node, or of the node that was "
       "to receive it; send it in pieces, or raise NodeOptions::content_limit (content_limit=SIZE "
       "in the text of open()) at both"},
      {"a mailbox that stays full", Errc::mailbox_full, sending_to_a_full_mailbox,
       "cannot send to 'ann': its mailbox is full; read faster there, give it a larger mailbox or "
       "another overflow policy, or wait longer"},
      {"a mailbox that fails when it is full", Errc::mailbox_full,
       [] {
         return of([](Agent& me) -> Task<> {
           co_await start(me, with_room("ann", 1, Overflow::fail), deaf());
           co_await me.send("ann", "1");
           co_await me.send("ann", "2");
         });
       },
       "cannot send to 'ann': its mailbox is full; read faster there, give it a larger mailbox or "
       "another overflow policy, or wait longer"},
      {"too much for an agent that is not there", Errc::absent_full, sending_too_much_to_nobody,
       "cannot send to 'nobody': nobody holds that name, and the messages that wait for it have "
       "reached the society's limit of messages or bytes; start the agent, or raise "
       "NodeOptions::absent_limit, or the bytes of NodeOptions::mailbox"},
      {"a target that the policy forbids", Errc::not_permitted,
       [] { return forbidden([](Agent& me) -> Task<> { co_await me.send("king", "x"); }); },
       "cannot send to 'king': the society's policy does not allow it; ask its operator for a "
       "grant"},
      {"a sender that has lost its name", Errc::fenced, acting_when_fenced,
       "cannot send to 'main': another agent has taken over the name of the sender; stop acting "
       "under it"},
  };
}

Rows of_names() {
  return {
      {"a name that a living agent holds", Errc::name_taken,
       [] {
         return of([](Agent& me) -> Task<> {
           co_await start(me, "ann", deaf());
           co_await start(me, "ann", deaf());
         });
       },
       "\"ann\" is held by a live agent; choose another name, wait until it ends, or take it over "
       "with the same identity"},
      {"a name that the policy forbids", Errc::not_permitted,
       [] { return forbidden([](Agent& me) -> Task<> { co_await start(me, "king", deaf()); }); },
       "the policy does not let this node hold the name 'king'; ask the society's operator"},
      {"a group that the policy forbids", Errc::not_permitted,
       [] { return forbidden([](Agent& me) -> Task<> { co_await me.join(group("crowd")); }); },
       "cannot join 'crowd': the society's policy does not allow it; ask its operator for a grant"},
      {"watching nobody", Errc::no_such_agent,
       [] { return of([](Agent& me) -> Task<> { (void)co_await me.watch("nobody"); }); },
       "cannot watch 'nobody': nobody holds that name; wait for its arrival with acquaint()"},
      {"an agent for a worker that is not there", Errc::bad_options,
       [] {
         return of([](Agent& me) -> Task<> {
           AgentSpec spec("ann");
           spec.on_worker(7);
           co_await start(me, spec, deaf());
         });
       },
       "there is no worker 7; the node has 1, counted from 0"},
      {"a periodic send without a period", Errc::bad_options,
       [] {
         return of([](Agent& me) -> Task<> {
           send_every(me, "ann", "tick", Duration::zero()).detach();
           co_return;
         });
       },
       "send_every() was given a period that is not positive; give at least a nanosecond"},
      {"an agent of a node that has stopped", Errc::stopped, making_an_agent_too_late,
       "cannot make an agent: the node is stopping; start a new node"},
  };
}

Rows of_reading() {
  return {
      {"waiting for a message when the node stops", Errc::stopped, receiving_at_the_end,
       "cannot receive: the node is stopping and nothing is left to read; end"},
      {"keeping too many messages for those who join later", Errc::bad_options,
       [] {
         return of([](Agent& me) -> Task<> {
           me.keep_last(group("choir"), 65'537);
           co_return;
         });
       },
       "keep_last() was given 65537 messages and 1048576 bytes; give at most 65536 messages, and "
       "at "
       "least 1 byte"},
      {"keeping messages of too many groups", Errc::limit_reached,
       [] {
         return of([](Agent& me) -> Task<> {
           for (int i = 0;; ++i) me.keep_last(group("choir/" + std::to_string(i)), 1);
           co_return;
         });
       },
       "'main' keeps messages to 1024 groups already; end that for one of them first, by "
       "keep_last(group, 0)"},
      {"asking for too many of the messages before one joined", Errc::bad_options,
       [] {
         return of([](Agent& me) -> Task<> { co_await me.join(group("choir"), last(65'537)); });
       },
       "join() was asked for the last 65537 messages of each sender; ask for at most 65536"},
      {"overhearing with no room for copies", Errc::bad_options,
       [] { return of([](Agent& me) -> Task<> { (void)co_await me.overhear(Pattern(), 0); }); },
       "overhear() was given a limit of 0; give at least 1"},
      {"overhearing by more patterns than an agent may have", Errc::limit_reached,
       [] {
         return of([](Agent& me) -> Task<> {
           for (;;) (void)co_await me.overhear(Pattern());
         });
       },
       "'main' has <n> patterns already; drop one first"},
      {"an operation on another thread than the agent's", Errc::wrong_thread,
       [] {
         return of([](Agent& me) -> Task<> {
           const auto outside = [&me] { return error_from([&me] { (void)me.pending(); }); };
           const std::optional<Error> error = co_await me.compute(outside);
           if (error) throw *error;
         });
       },
       "an agent's operation was called outside the agent; call it from run() or a task that it "
       "spawned, or use a Port"},
      {"an agent that stops its node", Errc::wrong_thread,
       [] {
         return of([](Agent& me) -> Task<> {
           me.node().stop(0s);
           co_return;
         });
       },
       "an agent cannot stop its own node; end main's wait instead"},
  };
}

}  // namespace

Rows rows_of_agents() { return joined({of_sending(), of_names(), of_reading()}); }

}  // namespace coracle::test
