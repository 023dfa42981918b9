#include "transport.hpp"

#include "coracle/detail/access.hpp"
#include "coracle/realizations/local.hpp"
#include "play.hpp"
#include "replacements.hpp"

#include <map>
#include <mutex>

namespace coracle::conformance {

namespace {

using Pair = std::pair<std::string, std::string>;

Pair pair_of(const Envelope& envelope) {
  return {envelope.source().name().str(), envelope.destination().name().str()};
}

// Inspects every envelope that goes into a transport and comes out of it.
class Inspection {
 public:
  void goes_in(const Pair& pair, std::string text) {
    const std::scoped_lock lock(mutex_);
    under_way_[pair].push_back(std::move(text));
    ++carried;
  }

  void comes_out(const Pair& pair, const std::string& text) {
    const std::scoped_lock lock(mutex_);
    auto& expected = under_way_[pair];
    if (expected.empty()) return wrong("\"" + text + "\" came out, but never went in");
    if (expected.front() != text)
      wrong("\"" + text + "\" came out instead of \"" + expected.front() + '"');
    std::erase(expected, text);
  }

  void not_taken(const Pair& pair, const std::string& text) {
    const std::scoped_lock lock(mutex_);
    std::erase(under_way_[pair], text);
    --carried;
  }

  void wrong(std::string what) {
    if (trouble_.empty()) trouble_ = std::move(what);
  }

  void judge() {
    const std::scoped_lock lock(mutex_);
    if (!trouble_.empty()) fail(trouble_);
    for (const auto& [pair, texts] : under_way_)
      if (!texts.empty())
        fail("\"" + texts.front() + "\" from " + pair.first + " to " + pair.second +
             " went in and never came out");
  }

  std::uint64_t carried = 0;

 private:
  std::mutex mutex_;  // guards all members
  std::map<Pair, std::vector<std::string>> under_way_;
  std::string trouble_;
};

// Stands behind the transport under test. The first `full` deliveries in a row find no room.
class Exit final : public InboundFilter {
 public:
  Exit(Inbound& next, Inspection& inspection, int full)
      : InboundFilter(next), inspection_(inspection), full_(full) {}
  Verdict deliver(Envelope& envelope) override {
    if (envelope.destination().name() == Name("sink") && full_ > 0) {
      --full_;
      return Verdict::full;
    }
    const Pair pair = pair_of(envelope);
    const std::string text(envelope.text());
    const Verdict verdict = next_.deliver(envelope);
    if (verdict == Verdict::carried) inspection_.comes_out(pair, text);
    return verdict;
  }

 private:
  Inspection& inspection_;
  int full_;
};

// Stands before the transport under test.
class Entrance final : public TransportFilter {
 public:
  Entrance(std::shared_ptr<Transport> tested, Inspection& inspection, int full)
      : TransportFilter(std::move(tested)), inspection_(inspection), full_(full) {}
  void bind(Inbound& inbound) override {
    exit_ = std::make_unique<Exit>(inbound, inspection_, full_);
    next_->bind(*exit_);
  }
  Verdict try_carry(Envelope& envelope) override {
    const Pair pair = pair_of(envelope);
    const std::string text(envelope.text());
    const detail::MessageRecord* const record = detail::Access::record(envelope);
    inspection_.goes_in(pair, text);
    const Verdict verdict = next_->try_carry(envelope);
    if (verdict == Verdict::carried) return verdict;
    inspection_.not_taken(pair, text);
    if (detail::Access::record(envelope) != record || envelope.text() != text)
      inspection_.wrong("\"" + text + "\" was not carried, but touched");
    return verdict;
  }

 private:
  Inspection& inspection_;
  const int full_;
  std::unique_ptr<Exit> exit_;
};

void inspect(const TransportFactory& factory, int full, Body body) {
  Inspection inspection;
  {
    Realization realization = local::realization();
    realization.transport = std::make_shared<Entrance>(factory(), inspection, full);
    Society society(std::move(realization), test::quick(2));
    society.run(std::move(body));
    society.stop();
  }
  inspection.judge();
  expect(inspection.carried != 0, "something was carried");
}

void delivers_in_order(const TransportFactory& factory) {
  inspect(factory, 0, [](Agent& me) -> Task<> {
    AgentSpec sink = across(me, "sink");
    sink.mailbox(room_for(4));
    Body reading = [](Agent& agent) -> Task<> {
      for (int i = 0; i < 900; ++i) co_await take(agent);
      co_await agent.send("main", "done");
    };
    co_await start(me, sink, reading);
    Body counting = [](Agent& agent) -> Task<> { co_await count_to(agent, "sink", 300); };
    co_await start(me, "ann", counting);
    co_await start(me, across(me, "bob"), counting);
    co_await start(me, "cid", counting);
    expect_equal(co_await hear(me), "done", "the sink says");
  });
}

void leaves_untouched_what_it_does_not_carry(const TransportFactory& factory) {
  inspect(factory, 3, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "sink"), echo_to("main"));
    for (int i = 0; i < 3; ++i)
      expect_error(co_await me.send_result("sink", "x"), Errc::mailbox_full, "a full mailbox");
    co_await me.send("sink", "y");
    expect_equal(co_await hear(me), "y", "the sink got");
  });
}

void wakes_who_waits_for_credit(const TransportFactory& factory) {
  inspect(factory, 0, [](Agent& me) -> Task<> {
    AgentSpec sink = across(me, "sink");
    sink.mailbox(room_for(1));
    Body reading = [](Agent& agent) -> Task<> {
      co_await hear(agent, in_conversation(9));
      for (int i = 0; i < 8; ++i) co_await hear(agent);
      co_await agent.send("main", "done");
    };
    co_await start(me, sink, reading);
    Body sending = [](Agent& agent) -> Task<> { co_await count_to(agent, "sink", 2); };
    for (const char* name : {"ann", "bob", "cid", "dora"}) co_await start(me, name, sending);
    co_await hear_nothing(me);
    co_await me.send("sink", "read", 9);
    expect_equal(co_await hear(me), "done", "the sink says");
  });
}

void forgets_who_waits_no_longer(const TransportFactory& factory) {
  inspect(factory, 0, [](Agent& me) -> Task<> {
    AgentSpec sink = across(me, "sink");
    sink.mailbox(room_for(1));
    Body reading = [](Agent& agent) -> Task<> {
      co_await hear(agent, in_conversation(9));
      expect_equal(co_await hear(agent), "kept", "what fitted");
      expect_equal(co_await hear(agent), "later", "not what was given up");
      co_await agent.send("main", "done");
    };
    co_await start(me, sink, reading);
    co_await me.send("sink", "kept");
    Post impatient("sink", "given up");
    impatient.patience(3ms);
    expect_error(co_await error_of(me.send(std::move(impatient))), Errc::mailbox_full, "impatient");
    co_await me.send("sink", "read", 9);
    co_await me.send("sink", "later");
    expect_equal(co_await hear(me), "done", "the sink says");
  });
}

}  // namespace

std::vector<Proof> transport_proofs(TransportFactory factory) {
  return {
      {"what_is_carried_is_delivered_once_and_in_order", [=] { delivers_in_order(factory); }},
      {"what_is_not_carried_is_left_untouched",
       [=] { leaves_untouched_what_it_does_not_carry(factory); }},
      {"who_waits_for_credit_is_woken", [=] { wakes_who_waits_for_credit(factory); }},
      {"who_waits_no_longer_is_forgotten", [=] { forgets_who_waits_no_longer(factory); }},
  };
}

}  // namespace coracle::conformance
