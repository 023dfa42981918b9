#include "fork.hpp"

#include "coracle/detail/access.hpp"
#include "coracle/transport_filter.hpp"

#include <deque>
#include <list>

namespace coracle::recording {

namespace {

// Every call comes from the single thread of a simulated world.
class ForkedTransport final : public TransportFilter,
                              public std::enable_shared_from_this<ForkedTransport> {
 public:
  ForkedTransport(std::shared_ptr<Transport> next, std::vector<MessageChange> changes, Later later)
      : TransportFilter(std::move(next)), changes_(std::move(changes)), later_(std::move(later)) {}

  void bind(Inbound& inbound) override {
    inbound_ = &inbound;
    TransportFilter::bind(inbound);
  }

  Verdict try_carry(Envelope& envelope) override {
    const MessageChange* const change = change_of(envelope);
    if (change != nullptr && change->kind == MessageChange::Kind::drop) {
      inbound_->give_up(std::move(envelope), Outcome::dropped);
      return Verdict::carried;
    }
    if (change != nullptr && change->kind == MessageChange::Kind::replace)
      replace_content(envelope, change->content);
    Held* held = held_of(envelope);
    if (change != nullptr && change->kind == MessageChange::Kind::delay && held == nullptr) {
      held = &held_.emplace_back(envelope.source(), envelope.destination());
      later_(change->longer, [weak = weak_from_this(), held] {
        if (const auto self = weak.lock()) self->release(held);
      });
    }
    if (held == nullptr) return next_->try_carry(envelope);
    held->waiting.push_back(std::move(envelope));
    return Verdict::carried;
  }

 private:
  // A sender and a target between which messages wait.
  struct Held {
    Held(Address from, Address to) : source(from), target(to) {}
    Address source, target;
    std::deque<Envelope> waiting;
  };

  const MessageChange* change_of(const Envelope& envelope) const {
    for (const MessageChange& change : changes_) {
      const Sent& which = change.which;
      if (which.sequence == envelope.sequence() && which.source == envelope.source().name() &&
          which.target == envelope.destination().name()) {
        return &change;
      }
    }
    return nullptr;
  }

  Held* held_of(const Envelope& envelope) {
    for (Held& held : held_) {
      if (held.source == envelope.source() && held.target == envelope.destination()) return &held;
    }
    return nullptr;
  }

  static void replace_content(Envelope& envelope, const Content& content) {
    detail::MessageRecord& record = *detail::Access::record(envelope);
    detail::drop(record.content);
    record.content = Content(content).release();
  }

  // The messages were accepted long ago: one that does not arrive now is undeliverable.
  void release(Held* held) {
    std::deque<Envelope> waiting = std::move(held->waiting);
    held_.remove_if([held](const Held& each) { return &each == held; });
    for (Envelope& envelope : waiting) {
      if (inbound_->deliver(envelope) != Verdict::carried) {
        inbound_->give_up(std::move(envelope), Outcome::undeliverable);
      }
    }
  }

  const std::vector<MessageChange> changes_;
  const Later later_;
  Inbound* inbound_ = nullptr;
  std::list<Held> held_;
};

}  // namespace

std::shared_ptr<Transport> forked(std::shared_ptr<Transport> next,
                                  std::vector<MessageChange> changes, Later later) {
  return std::make_shared<ForkedTransport>(std::move(next), std::move(changes), std::move(later));
}

}  // namespace coracle::recording
