// Parts that write into the trace what they are asked to do.
#include "core.hpp"

#include "coracle/directory_filter.hpp"
#include "coracle/transport_filter.hpp"

namespace coracle::sim::detail {

namespace {

constexpr std::size_t text_shown = 32;
// The things that these parts touch, by names that no agent has.
constexpr const char* all_names = "\ndirectory";
const std::string entry = "\nentry ";

// "#3 of ann" and the kind of the message.
std::string named(const Envelope& envelope) {
  std::string text = "#" + std::to_string(envelope.sequence());
  if (envelope.source()) text += " of " + envelope.source().name().str();
  if (envelope.is_request()) text += ", a request";
  if (envelope.redelivered()) text += ", again";
  if (envelope.gap() == Envelope::unknown_gap) text += ", a gap of unknown size";
  else if (envelope.gap() != 0) text += ", a gap of " + std::to_string(envelope.gap());
  else if (envelope.overheard()) text += ", overheard";
  return text;
}

std::string beginning_of(const Envelope& envelope) {
  const Content content = envelope.content();
  if (content.empty() || content.is_typed()) return {};
  const std::string_view text = envelope.text().substr(0, text_shown);
  std::string shown = " \"";
  for (const char letter : text) shown += letter < ' ' || letter > '~' ? '?' : letter;
  return shown + '"';
}

const char* to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::carried:
      return ": carried";
    case Verdict::no_credit:
      return ": no credit";
    case Verdict::full:
      return ": full";
  }
  return "?";
}

class TracedTransport final : public TransportFilter {
 public:
  TracedTransport(std::shared_ptr<Transport> next, std::shared_ptr<Core> core)
      : TransportFilter(std::move(next)), core_(std::move(core)) {}

  Verdict try_carry(Envelope& envelope) override {
    const Name from = envelope.source().name();
    core_->touches(from.view());
    core_->touches(envelope.destination().name().view());
    std::string what = "sends " + named(envelope) + " to " + envelope.destination().name().str() +
                       beginning_of(envelope);
    const Verdict verdict = next_->try_carry(envelope);
    core_->note(from.view(), what += to_string(verdict));
    return verdict;
  }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    core_->touches(envelope.destination().name().view());
    core_->note(envelope.source().name().view(),
                "waits for room at " + envelope.destination().name().str());
    next_->await_credit(envelope, waiter);
  }

 private:
  const std::shared_ptr<Core> core_;
};

class TracedQueue final : public Queue {
 public:
  TracedQueue(std::unique_ptr<Queue> next, Name owner, std::shared_ptr<Core> core)
      : next_(std::move(next)), owner_(std::move(owner)), core_(std::move(core)) {}

  void put(Envelope envelope) override {
    core_->note(owner_.view(), "keeps " + named(envelope));
    next_->put(std::move(envelope));
  }
  void put_back(Envelope envelope) override {
    core_->note(owner_.view(), "puts back " + named(envelope));
    next_->put_back(std::move(envelope));
  }
  Envelope take(const Match& match) override {
    Envelope taken = next_->take(match);
    if (taken) core_->note(owner_.view(), "takes " + named(taken));
    return taken;
  }
  std::size_t count(const Match& match) const override { return next_->count(match); }
  void each(const std::function<void(const Envelope&)>& show) const override { next_->each(show); }
  std::size_t size() const noexcept override { return next_->size(); }
  std::size_t bytes() const noexcept override { return next_->bytes(); }

 private:
  const std::unique_ptr<Queue> next_;
  const Name owner_;
  const std::shared_ptr<Core> core_;
};

class TracedDirectory final : public DirectoryFilter {
 public:
  TracedDirectory(std::shared_ptr<Directory> next, std::shared_ptr<Core> core)
      : DirectoryFilter(std::move(next)), core_(std::move(core)) {}

  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override {
    core_->touches(all_names);
    core_->note(identity, "opens a lease");
    return next().open_lease(std::move(identity), term);
  }
  Task<Result<void>> renew(LeaseId lease) override {
    core_->touches(all_names);
    core_->note({}, "renews a lease");
    return next().renew(lease);
  }
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override {
    core_->touches(all_names);
    core_->note({}, "closes a lease");
    return next().close_lease(lease, reason);
  }
  Task<Result<Incarnation>> claim(Claim claim) override {
    core_->touches(all_names);
    core_->note(claim.name.view(), "is claimed");
    return next().claim(std::move(claim));
  }
  Task<Result<Incarnation>> take_over(Claim claim) override {
    core_->touches(all_names);
    core_->note(claim.name.view(), "is taken over");
    return next().take_over(std::move(claim));
  }
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override {
    touches_entry(name);
    core_->note(name.view(), "leaves");
    return next().leave(std::move(name), incarnation, std::move(ending));
  }
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override {
    core_->touches(all_names);
    core_->note(name.view(), "describes itself");
    return next().describe(std::move(name), incarnation, std::move(properties));
  }
  Task<std::optional<Entry>> look_up(Name name) override {
    touches_entry(name);
    return next().look_up(std::move(name));
  }
  // A directory that answers at once would leave nothing to schedule.
  std::optional<Result<Incarnation>> try_claim(Claim&) override { return std::nullopt; }
  Task<std::vector<Entry>> search(Query query) override {
    core_->touches(all_names);
    return next().search(std::move(query));
  }
  Task<Result<void>> join(Name group, Name member) override {
    core_->touches(all_names);
    core_->note(member.view(), "joins " + group.str());
    return next().join(std::move(group), std::move(member));
  }
  Task<Result<void>> leave_group(Name group, Name member) override {
    core_->touches(all_names);
    core_->note(member.view(), "leaves " + group.str());
    return next().leave_group(std::move(group), std::move(member));
  }
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override {
    core_->touches(all_names);
    return next().members(std::move(group));
  }
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override {
    core_->touches(all_names);
    core_->note(prefix.view(), "is watched");
    return next().watch(std::move(prefix), watcher);
  }
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override {
    core_->touches(all_names);
    core_->note(prefix.view(), "is delegated");
    return next().delegate(std::move(prefix), std::move(child));
  }

 private:
  // Touches the entry of one name; steps on two names of the same directory stay independent.
  void touches_entry(const Name& name) {
    core_->looks_at(all_names);
    core_->touches(entry + name.str());
  }

  const std::shared_ptr<Core> core_;
};

}  // namespace

Realization traced(Realization parts, const std::shared_ptr<Core>& core) {
  parts.transport = std::make_shared<TracedTransport>(std::move(parts.transport), core);
  parts.directory = std::make_shared<TracedDirectory>(std::move(parts.directory), core);
  parts.queue = [core, make = std::move(parts.queue)](const Name& owner) {
    return std::make_unique<TracedQueue>(make(owner), owner, core);
  };
  return parts;
}

}  // namespace coracle::sim::detail
