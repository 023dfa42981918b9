#include "coracle/dispel/behaviour.hpp"

#include "subsumption/wires.hpp"

#include <algorithm>

namespace coracle::dispel {

namespace {

// The largest number of signals that wait for one behaviour; beyond it, the oldest are dropped.
constexpr std::uint32_t backlog = 4096;

class OnWires final : public Match::Test {
 public:
  bool fits(const MessageView& message) const override {
    return detail::Wire::is_one(message.conversation());
  }
};

Match on_wires() {
  static const auto test = std::make_shared<const OnWires>();
  return matching(test);
}

}  // namespace

detail::BehaviourPort::BehaviourPort(Behaviour& owner, std::string_view name, std::string_view type,
                                     bool is_input)
    : owner_(owner), name_(name), type_(type), is_input_(is_input) {
  owner.ports_.push_back(this);
}

void detail::BehaviourPort::emit(Content content) {
  owner_.signals_.push_back({this, std::move(content)});
}

void Behaviour::begin() {
  wiring_.resize(ports_.size());
  for (std::size_t index = 0; index < ports_.size(); ++index) {
    detail::BehaviourPort& port = *ports_[index];
    port.junction_ = detail::Junction(wiring_[index].constants);
    for (const PortWiring::Target& each : wiring_[index].targets) {
      port.targets_.emplace_back(find(each.who), each.wire);
    }
  }
  set_mailbox(MailboxOptions().messages(backlog).overflow(Overflow::drop_oldest));
}

std::vector<Name> Behaviour::neighbours(WireEffect effect) const {
  std::vector<Name> all;
  for (const PortWiring& port : wiring_) {
    for (const PortWiring::Target& each : port.targets) {
      const bool is_new = std::find(all.begin(), all.end(), each.who) == all.end();
      if (is_new && each.effect == effect) all.push_back(each.who);
    }
  }
  return all;
}

void Behaviour::absorb(const Message& message) {
  const detail::Wire wire(message.conversation());
  if (wire.port() >= ports_.size()) return;
  detail::BehaviourPort& port = *ports_[wire.port()];
  if (wire.rank() > port.junction_.ranks()) return;
  if (port.is_input_ && message.content().type() != port.type_) return;
  const bool passes = port.junction_.arrive(wire.rank(), now());
  if (!port.is_input_) return;  // an inhibition has no effect but its arrival
  if (!passes) return void(++port.traffic_.held_down);
  ++port.traffic_.passed;
  if (wire.rank() > 0) ++port.traffic_.replaced;
  port.register_ = message.content();
  port.fresh_ = true;
}

Task<> Behaviour::send_signals() {
  std::vector<Emitted> signals = std::exchange(signals_, {});
  for (Emitted& each : signals) {
    if (!each.port->junction_.arrive(0, now())) {
      ++each.port->traffic_.held_down;
      continue;
    }
    ++each.port->traffic_.passed;
    for (const auto& [who, wire] : each.port->targets_) {
      const Result<void> sent = co_await send_result(who, each.content, wire);
      if (sent) continue;
      const Errc errc = sent.error().errc();
      if (errc == Errc::stopped || errc == Errc::fenced) throw sent.error();
      // A behaviour that is absent, or does not read, misses the signal.
    }
  }
  signals.clear();
  if (signals_.empty()) signals_ = std::move(signals);
}

Task<> Behaviour::work_as_behaviour() {
  begin();
  co_await play("behaviour", neighbours(WireEffect::signals));
  co_await deal("suppresses", neighbours(WireEffect::suppresses));
  co_await deal("inhibits", neighbours(WireEffect::inhibits));
  for (;;) {
    if (!slow_) react();
    if (slow_) co_await consider();
    for (detail::BehaviourPort* port : ports_) port->fresh_ = false;
    if (!signals_.empty()) co_await send_signals();
    if (resting_) co_return;
    for (bool something = false; !something;) {
      const Deadline until = alarm_ == Time::max() ? Deadline::never() : Deadline(alarm_);
      if (const std::optional<Message> first = co_await receive(on_wires(), until)) {
        absorb(*first);
        while (const std::optional<Message> more = try_receive(on_wires())) absorb(*more);
      }
      rang_ = now() >= alarm_;
      if (rang_) alarm_ = Time::max();
      something = rang_;
      for (const detail::BehaviourPort* port : ports_) something = something || port->fresh_;
    }
  }
}

}  // namespace coracle::dispel
