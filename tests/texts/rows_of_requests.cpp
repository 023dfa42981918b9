// The ends of requests and calls without a reply, on a local or a simulated society.
#include "coracle/coracle.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/rpc.hpp"
#include "coracle/transport.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

std::optional<Error> of(Body body) { return error_of_agent(std::move(body)); }

// The end of a request to "ann", who performs `what`.
std::optional<Error> asking(Body what, Deadline deadline = Deadline::never()) {
  return of([what, deadline](Agent& me) -> Task<> {
    co_await start(me, "ann", what);
    (void)co_await me.ask("ann", "how much?", deadline);
  });
}

Body deaf() {
  return [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); };
}

std::optional<Error> asking_one_that_refuses(std::string_view reason) {
  return asking([reason = std::string(reason)](Agent& ann) -> Task<> {
    const Message request = co_await ann.receive();
    co_await ann.refuse(request, reason);
    co_await ann.pause(Deadline::never());
  });
}

std::optional<Error> asking_one_that_crashes() {
  return asking([](Agent& ann) -> Task<> {
    Message request = co_await ann.receive();
    request.acknowledge();
    throw Crash("the oven burns");
  });
}

std::optional<Error> asking_one_that_ends() {
  return asking([](Agent& ann) -> Task<> {
    Message request = co_await ann.receive();
    request.keep();
  });
}

std::optional<Error> asking_one_that_drops_what_it_reads() {
  return asking([](Agent& ann) -> Task<> {
    for (;;) (void)co_await ann.receive();
  });
}

std::optional<Error> asking_one_that_drops() {
  return of([](Agent& me) -> Task<> {
    AgentSpec spec("ann");
    spec.mailbox(MailboxOptions().messages(1).overflow(Overflow::drop_newest));
    co_await start(me, spec, deaf());
    co_await me.send("ann", "1");
    (void)co_await me.ask("ann", "how much?");
  });
}

std::optional<Error> asking_in_a_circle() {
  return of([](Agent& me) -> Task<> {
    const Body asks_back = [](Agent& ann) -> Task<> {
      const Message request = co_await ann.receive();
      (void)co_await ann.ask_result("main", "and you?");
      co_await ann.pause(Deadline::never());
    };
    co_await start(me, "ann", asks_back);
    const auto both = [](Agent& self) -> Task<> { (void)co_await self.ask("main", "to myself"); };
    Task<> task = both(me);
    co_await std::move(task);
  });
}

// A request to an agent that never comes; nothing else happens in that simulated world, so its time
// passes at once.
std::optional<Error> asking_nobody(Deadline deadline) {
  sim::World world;
  Proceedings proceedings;
  std::optional<Error> error;
  const Body body = [&error, deadline](Agent& me) -> Task<> {
    const auto answer = co_await me.ask_result("nobody", "how much?", deadline);
    if (!answer) error = answer.error();
  };
  Node node(world.realization());
  node.adopt("ann", std::make_unique<Actor>(body, proceedings));
  world.run_until([&error] { return error.has_value(); }, 24h);
  return error;
}

// A request to an agent that never replies; the simulated world has nothing more to do, and is
// stopped.
std::optional<Error> asking_until_the_world_ends() {
  sim::World world;
  Proceedings proceedings;
  std::optional<Error> error, stuck;
  const Body body = [&error](Agent& me) -> Task<> {
    const auto answer = co_await me.ask_result("bob", "how much?");
    if (!answer) error = answer.error();
  };
  const Body silent = [](Agent& me) -> Task<> {
    const Message request = co_await me.receive();
    (void)co_await me.receive();
  };
  Node node(world.realization());
  node.adopt("bob", std::make_unique<Actor>(silent, proceedings));
  node.adopt("ann", std::make_unique<Actor>(body, proceedings));
  stuck = error_from([&] { world.run_until([&error] { return error.has_value(); }); });
  if (!stuck || stuck->errc() != Errc::deadlock) return std::nullopt;
  node.stop(0s);
  return error;
}

// Loses all its messages.
class Losing final : public Transport {
 public:
  explicit Losing(std::shared_ptr<Transport> within) : within_(std::move(within)) {}
  void bind(Inbound& inbound) override { within_->bind(inbound); }
  Verdict try_carry(Envelope& envelope) override {
    if (!envelope.is_request()) return within_->try_carry(envelope);
    { const Envelope lost = std::move(envelope); }
    return Verdict::carried;
  }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    within_->await_credit(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { within_->forget(waiter); }

 private:
  const std::shared_ptr<Transport> within_;
};

std::optional<Error> asking_by_a_transport_that_loses() {
  Realization realization = local::realization();
  realization.transport = std::make_shared<Losing>(realization.transport);
  Society society(std::move(realization), quick());
  std::optional<Error> error;
  society.run([&error](Agent& me) -> Task<> {
    const auto answer = co_await me.ask_result("ann", "how much?");
    if (!answer) error = answer.error();
  });
  return error;
}

template <class Side>
struct Shop {
  rpc::Function<Side, "price", int(std::string)> price;
};
template <class Side>
struct OtherShop {
  rpc::Function<Side, "price", int(int)> price;
  rpc::Function<Side, "stock", int()> stock;
};

struct Keeper {
  int price(const std::string& what) {
    if (what == "love") throw std::runtime_error("love is not for sale");
    return 3;
  }
};

std::optional<Error> calling(Body body) {
  return of([body](Agent& me) -> Task<> {
    const Body serves = [](Agent& shop) -> Task<> {
      Keeper keeper;
      const Shop<rpc::AtServer<Keeper>> functions{.price = &Keeper::price};
      rpc::Service<Shop, Keeper> service(shop, keeper, functions);
      co_await service.run();
    };
    co_await start(me, "shop", serves);
    Task<> task = body(me);
    co_await std::move(task);
  });
}

Rows of_asking() {
  return {
      {"a request to several agents", Errc::bad_options,
       [] {
         return error_of_agent([](Agent& me) -> Task<> {
           const Post post(std::vector<Name>{"ann", "bob"}, "hello");
           (void)co_await me.ask(post);
         });
       },
       "a request has one target, and its reply comes to the agent that asks; send a post to "
       "several "
       "agents, or with another address for replies, by send()"},
      {"a question that is refused", Errc::refused,
       [] { return asking_one_that_refuses("there are no eggs"); },
       "cannot get an answer from 'ann': it refused (there are no eggs)"},
      {"a question that is refused without a reason", Errc::refused,
       [] { return asking_one_that_refuses(""); },
       "cannot get an answer from 'ann': it refused; ask for something else, or ask another agent"},
      {"a question to an agent that crashes", Errc::agent_failed, asking_one_that_crashes,
       "cannot get an answer from 'ann': it failed before it answered (the oven burns)"},
      {"a question to an agent that ends", Errc::peer_down, asking_one_that_ends,
       "cannot get an answer from 'ann': it ended before it answered; ask again when it is back"},
      {"a question that is read and dropped", Errc::unanswered, asking_one_that_drops_what_it_reads,
       "cannot get an answer from 'ann': it read the request and dropped it without a reply; let "
       "it reply to every request or refuse it, or keep the message until it can"},
      {"a question that is not answered in time", Errc::expired, [] { return asking(deaf(), 5ms); },
       "cannot get an answer from 'ann': the deadline passed; wait longer, or find out what delays "
       "the other side"},
      {"a question to a name that nobody ever holds", Errc::expired,
       [] { return asking_nobody(Deadline::never()); },
       "cannot get an answer from 'nobody': the request has waited for an absent agent for as long "
       "as is allowed; start the agent, or raise NodeOptions::absent_time_to_live"},
      {"the same with a deadline that passes before", Errc::expired,
       [] { return asking_nobody(1s); },
       "cannot get an answer from 'nobody': the deadline passed; wait longer, or find out what "
       "delays the other side"},
      {"a question in a simulated world that has nothing more to do", Errc::peer_down,
       asking_until_the_world_ends,
       "cannot get an answer from 'bob': it ended before it answered; ask again when it is back "
       "(the node stops)"},
      {"a question that a mailbox drops", Errc::dropped, asking_one_that_drops,
       "cannot get an answer from 'ann': its mailbox dropped the request by its overflow policy; "
       "ask later"},
      {"a question to oneself", Errc::deadlock, asking_in_a_circle,
       "cannot get an answer from 'main': waiting for it would close a circle of agents that wait "
       "for each other; reply before you send a request, or let one of them use a second task "
       "(<...>)"},
      {"a question that a transport loses", Errc::undeliverable, asking_by_a_transport_that_loses,
       "cannot get an answer from 'ann': the request could not be delivered; see the dead "
       "letters"},
  };
}

Rows of_calling() {
  return {
      {"a call that throws", Errc::refused,
       [] {
         return calling([](Agent& me) -> Task<> {
           rpc::Stub<Shop> shop(me, "shop");
           (void)co_await shop.price("love");
         });
       },
       "cannot call 'price' of 'shop': it refused (love is not for sale)"},
      {"a call of a function that is not there", Errc::no_such_function,
       [] {
         return calling([](Agent& me) -> Task<> {
           rpc::Stub<OtherShop> shop(me, "shop");
           (void)co_await shop.stock();
         });
       },
       "cannot call 'stock' of 'shop': it does not offer that function; offer it there, or call "
       "another agent<...>"},
      {"a call with other arguments", Errc::wrong_type,
       [] {
         return calling([](Agent& me) -> Task<> {
           rpc::Stub<OtherShop> shop(me, "shop");
           (void)co_await shop.price(7);
         });
       },
       "cannot call 'price' of 'shop': the two sides have different types; build both with the "
       "same interface<...>"},
      {"a call that its caller cancels", Errc::cancelled,
       [] {
         return calling([](Agent& me) -> Task<> {
           rpc::Stub<Shop> shop(me, "shop");
           auto call = shop.price.begin("bread");
           call.cancel();
           (void)co_await call;
         });
       },
       "cannot call 'price' of 'shop': it was cancelled here; nobody waits for it any more"},
  };
}

}  // namespace

Rows rows_of_requests() { return joined({of_asking(), of_calling()}); }

}  // namespace coracle::test
