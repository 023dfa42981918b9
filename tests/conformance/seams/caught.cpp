#include "caught.hpp"

#include "coracle/realizations/local.hpp"
#include "replacements.hpp"

namespace coracle::conformance {

namespace {

// Keeps the messages that are sent to "sink".
class CatchingTransport final : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;
  Verdict try_carry(Envelope& envelope) override {
    if (envelope.destination().name() != Name("sink")) return next_->try_carry(envelope);
    caught.push_back(std::move(envelope));
    return Verdict::carried;
  }

  std::vector<Envelope> caught;  // used by the only worker alone
};

}  // namespace

void with_envelopes(const std::vector<Wish>& wishes,
                    const std::function<void(std::vector<Envelope>&)>& use) {
  Realization realization = local::realization();
  auto transport = std::make_shared<CatchingTransport>(realization.transport);
  realization.transport = transport;
  test::Society society(std::move(realization), test::quick(1));
  society.run([&](Agent& me) -> Task<> {
    for (unsigned i = 0; i < 4; ++i) {
      test::Body sender = [](Agent& agent) -> Task<> {
        for (;;) {
          const Message order = co_await agent.receive();
          const Content content = order.content();
          co_await agent.send("sink", content, order.conversation());
          co_await agent.send("main", "sent");
        }
      };
      co_await test::start(me, "s" + std::to_string(i), sender);
    }
    for (const Wish& wish : wishes) {
      const std::string sender = "s" + std::to_string(wish.sender % 4);
      co_await me.send(sender, wish.text, wish.conversation);
      co_await me.receive();
    }
    use(transport->caught);
    transport->caught.clear();
  });
}

}  // namespace coracle::conformance
